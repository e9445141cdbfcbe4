import { createHash, createHmac } from 'node:crypto'
import type { Ctx, World } from '../context.ts'
import type { Purchase } from './reads.ts'

/** Who buys without an account. */
export interface Buyer {
  firstName: string
  lastName: string
  email: string
  mobile: string
  postcode: string
  address: string
  userClinic: string
  news: boolean
}

/** What asking for the money, or looking what became of it, came to. */
export type Asked<Goods> =
  | { state: 'done'; paid: { intent: string; amount: number } | null; goods: Goods | null }
  /** A bank wants to hear from its customer; the id names what was begun at the provider. */
  | { state: 'challenge'; id: string; clientSecret: string }
  /** The bank has not answered yet. */
  | { state: 'processing'; id: string }
  | Refused
  | { state: 'gone' }

export interface Refused {
  state: 'refused'
  message: string
  code?: 'token_already_used' | 'TOO_MANY_TRIES'
}

/** What the row of a purchase says from its delivery on. */
export interface Delivered<Order> {
  /** What is kept of it. */
  order: Partial<Order>
  userId?: number
  consultationId?: number
  subscriptionId?: number
  stripeSubscription?: string
}

/**
 * One kind of thing that can be bought. The purchase machine asks, looks and delivers by it, whatever it is. Its order is
 * all that charging and delivering need.
 */
export interface Kind<Order extends object = object, Goods = unknown> {
  kind: Purchase['kind']
  /** What the ledger calls its payment. */
  what: 'consult' | 'membership'
  /** The column for the provider's name of what was begun. */
  begun: 'stripeIntent' | 'stripeSubscription'
  /** So many milliseconds the buyer has to fetch what was paid for before the clock delivers it; null: with the payment. */
  waits: number | null
  /** Asks for the money. Asked again with the purchase's keys it is charged once. */
  ask(world: World, purchase: Purchase<Order>): Promise<Asked<Goods>>
  /** What became of what was begun. One that failed, or is given up, is ended so that nobody can pay it later. */
  look(world: World, purchase: Purchase<Order>, id: string, giveUp: boolean): Promise<Asked<Goods>>
  /** The provider's name of what was begun, once its keys are forgotten; null where nothing was. */
  lookFor(world: World, purchase: Purchase<Order>): Promise<string | null>
  /** Within the transaction in which it counts as delivered. */
  deliver(world: World, purchase: Purchase<Order>, goods: Goods | null): Promise<Delivered<Order>>
  /** Within the transaction in which it came to nothing. */
  release?(world: World, purchase: Purchase<Order>): Promise<void>
}

/** A row's order is what its kind wrote there. */
export const ofKind = <Order extends object>(_: Kind<Order>, row: Purchase) => row as Purchase<Order>

/** Where a purchase stands; still paying, it waits for its buyer's bank where there is a secret, else for its answer. */
export interface Outcome<Order = object> {
  purchase: Purchase<Order>
  clientSecret: string | null
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * What only the paying browser holds. It comes out of the purchase's own key, so that the same request can be given
 * the same one again, and stands nowhere.
 */
export const purchaseToken = (secret: Uint8Array, idempotencyKey: string) =>
  createHmac('sha256', secret).update(`purchase ${idempotencyKey}`).digest('base64url')

/** What a page is told whose bank asks its customer. */
export const challengeOf = ({ secret }: Pick<World, 'secret'>, { purchase, clientSecret }: Outcome) =>
  clientSecret === null
    ? null
    : {
        status: 'requires_action' as const,
        client_secret: clientSecret,
        purchase: purchaseToken(secret, purchase.idempotencyKey),
      }

/** The sender's key, and the hash of what came with it: the same key means the same request. */
export interface Request {
  key: string
  payload: string
}

/** Without a key of its own a request is known by what comes `once`, such as its card's token, and by all that came with it. */
export function requestOf(
  { idempotency }: Pick<Ctx, 'idempotency'>,
  who: string,
  sent: object,
  once: string,
): Request {
  const payload = hashOf(JSON.stringify(sent))
  return { key: `${who} ${idempotency?.key ?? `${once} ${payload}`}`, payload }
}
