import { secondsOf } from '#contract/time.ts'
import type { Db } from '../../db/client.ts'
import type { Behaviour, Whim } from './cards.ts'
import { find, findAny, listOf, newId, put, send, type Fault, type Thing, type Where } from './store.ts'
import { invalid, missing } from './refusal.ts'

/** What the route functions work with. Times are in seconds, as at Stripe. */
export interface Shop {
  db: Db
  /** The time of this action; a late renewal counts as made when it was due. */
  at: number
  secret: Uint8Array
  whim: Whim
}

export interface Place {
  db: Db
  now: () => Date
  secret: Uint8Array
}

/** The same place now, within a change of its database. */
export const shopOf = ({ now, secret }: Place, db: Db, whim: Whim = null): Shop => ({
  db,
  at: secondsOf(now()),
  secret,
  whim,
})

export interface Customer extends Thing {
  object: 'customer'
  email: string | null
  name: string | null
  metadata: Record<string, string>
  invoice_settings: { default_payment_method: string | null }
  deleted?: true
}

export interface PaymentMethod extends Thing {
  object: 'payment_method'
  card: { brand: string; last4: string; exp_month: number; exp_year: number; fingerprint: string }
  sandbox: { behaviour: Behaviour; setUp: boolean; detached: boolean }
}

export interface Failing {
  code: string
  message: string
}

export interface SetupIntent extends Thing {
  object: 'setup_intent'
  status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'succeeded'
  client_secret: string
  payment_method: string | null
  last_setup_error: Failing | null
}

export interface PaymentIntent extends Thing {
  object: 'payment_intent'
  status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'succeeded' | 'canceled'
  amount: number
  amount_received: number
  metadata: Record<string, string>
  currency: string
  client_secret: string
  payment_method: string | null
  last_payment_error: Failing | null
  latest_charge: string | null
  sandbox: { invoice: string | null; present: boolean }
}

export interface Charge extends Thing {
  object: 'charge'
  status: 'succeeded'
  amount: number
  amount_captured: number
  amount_refunded: number
  disputed: boolean
  currency: string
  metadata: Record<string, string>
  payment_intent: string
}

export interface Refund extends Thing {
  object: 'refund'
  amount: number
  charge: string
  currency: string
  metadata: Record<string, string>
  payment_intent: string
  status: 'succeeded' | 'failed'
}

export interface Dispute extends Thing {
  object: 'dispute'
  amount: number
  charge: string
  currency: string
  evidence_details: { due_by: number }
  payment_intent: string
  status: 'needs_response' | 'won' | 'lost'
}

export interface Price {
  currency: string
  unit_amount: number
  recurring: { interval: 'month' | 'year' }
}

export interface Subscription extends Thing {
  object: 'subscription'
  customer: string
  status: 'incomplete' | 'incomplete_expired' | 'active' | 'past_due' | 'canceled'
  cancel_at_period_end: boolean
  cancel_at: number | null
  ended_at: number | null
  billing_cycle_anchor: number
  latest_invoice: string | null
  metadata: Record<string, string>
  items: { data: [{ price: Price; current_period_start: number; current_period_end: number }] }
  /** How many periods have begun, and how many payments of the current one failed. */
  sandbox: {
    due: number | null
    periods: number
    failures: number
    coupon: string | null
    /** When a coupon of some months ends. */
    couponUntil: number | null
  }
}

export interface Invoice extends Thing {
  object: 'invoice'
  customer: string
  status: 'open' | 'paid' | 'void' | 'uncollectible'
  billing_reason: 'subscription_create' | 'subscription_cycle'
  currency: string
  amount_due: number
  amount_paid: number
  parent: { subscription_details: { subscription: string } }
  status_transitions: { paid_at: number | null }
  sandbox: { intent: string | null }
}

export const whimOf = (faults: Set<Fault>): Whim =>
  (['decline', 'challenge'] as const).find((whim) => faults.has(whim)) ?? null

/** An object as answers show it. */
export function shown(thing: object): Record<string, unknown> {
  const { sandbox: _, ...rest } = thing as { sandbox?: unknown }
  return rest
}

export async function the<T extends Thing>(
  { db }: Pick<Shop, 'db'>,
  object: T['object'],
  id: string,
  param?: string,
): Promise<T> {
  const found = await find<T>(db, object, id)
  if (!found || 'deleted' in found) throw missing(object, id, param)
  return found
}

/** Tells our own endpoint that something happened to an object. */
export async function tell(shop: Shop, type: string, thing: Thing): Promise<void> {
  const at = new Date(shop.at * 1000)
  const event = { id: newId('evt'), object: 'event' as const, type, created: shop.at }
  await send(shop.db, { ...event, data: { object: shown(thing) } }, at)
}

/** Stores an object as it is now, and tells our own endpoint what happened to it. */
export async function putAndTell<T extends Thing>(shop: Shop, thing: T, ...events: string[]): Promise<T> {
  await put(shop.db, thing)
  for (const event of events) await tell(shop, event, thing)
  return thing
}

/** An invoice's payments, which are only shown on request. */
async function partOf({ db }: Pick<Shop, 'db'>, thing: Record<string, unknown>, name: string) {
  if (thing['object'] !== 'invoice' || name !== 'payments') return undefined
  const invoice = await find<Invoice>(db, 'invoice', thing['id'] as string)
  const intent =
    invoice?.sandbox.intent && (await find<PaymentIntent>(db, 'payment_intent', invoice.sandbox.intent))
  return { object: 'list', data: intent ? [{ payment: { payment_intent: intent.id } }] : [] }
}

/** Replaces ids with their objects along a path such as latest_invoice.payments. */
export async function expand(shop: Pick<Shop, 'db'>, body: Record<string, unknown>, path: string) {
  const [name = '', ...rest] = path.split('.')
  const known = name in body ? body[name] : await partOf(shop, body, name)
  const refuse = () => invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
  if (known === undefined) throw refuse()
  const found = typeof known === 'string' ? await findAny(shop.db, known) : undefined
  if (typeof known === 'string' && !found) throw refuse()
  const value = found ? shown(found) : known
  Object.assign(body, { [name]: value })
  if (rest.length === 0 || value === null) return
  for (const inner of Array.isArray(value) ? value : [value])
    await expand(shop, inner as Record<string, unknown>, rest.join('.'))
}

export async function listed(shop: Shop, object: string, where: Where, most: number) {
  const things = await listOf(shop.db, object, where, most + 1)
  return { object: 'list', data: things.slice(0, most).map(shown), has_more: things.length > most }
}
