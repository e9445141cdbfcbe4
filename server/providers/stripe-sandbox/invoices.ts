import { declined } from './cards.ts'
import { reduced } from './coupons.ts'
import { cancelIntent, charge, failIntent, openIntent } from './intents.ts'
import { invalid } from './refusal.ts'
import {
  putAndTell,
  the,
  type Customer,
  type Invoice,
  type PaymentIntent,
  type PaymentMethod,
  type Shop,
  type Subscription,
} from './shop.ts'
import { find, newId, put } from './store.ts'

export async function openInvoice(shop: Shop, subscription: Subscription, reason: Invoice['billing_reason']) {
  const [{ price, current_period_start: start }] = subscription.items.data
  const first = reason === 'subscription_create'
  const invoice: Invoice = {
    id: newId('in'),
    object: 'invoice',
    created: shop.at,
    customer: subscription.customer,
    status: 'open',
    billing_reason: reason,
    currency: price.currency,
    amount_due: await reduced(shop, subscription.sandbox, price.unit_amount, { first, start }),
    amount_paid: 0,
    parent: { subscription_details: { subscription: subscription.id } },
    status_transitions: { paid_at: null },
    sandbox: { intent: null },
  }
  return putAndTell(shop, invoice, 'invoice.created')
}

export async function cardFor(shop: Shop, subscription: Subscription): Promise<string | null> {
  const customer = await find<Customer>(shop.db, 'customer', subscription.customer)
  return customer?.invoice_settings?.default_payment_method ?? null
}

const intentFor = (shop: Shop, invoice: Invoice, method: string | null, present: boolean) =>
  openIntent(shop, {
    customer: invoice.customer,
    amount: invoice.amount_due,
    currency: invoice.currency,
    method,
    metadata: {},
    invoice: invoice.id,
    present,
  })

const knownIntent = async ({ db }: Shop, { sandbox: { intent } }: Invoice) =>
  intent === null ? undefined : find<PaymentIntent>(db, 'payment_intent', intent)

/** Charges an open invoice. The intent stores the bank's answer; settle() updates the subscription. */
export async function tryInvoice(shop: Shop, invoice: Invoice, subscription: Subscription, present: boolean) {
  if (invoice.amount_due === 0) return { invoice: await markPaid(shop, invoice), intent: null }
  const method = await cardFor(shop, subscription)
  const intent = (await knownIntent(shop, invoice)) ?? (await intentFor(shop, invoice, method, present))
  const usable = method && (await find<PaymentMethod>(shop.db, 'payment_method', method))
  const again = { ...intent, payment_method: method, sandbox: { ...intent.sandbox, present } }
  const tried = usable
    ? await charge(shop, again)
    : await failIntent(shop, again, declined('generic_decline'))
  const counted = await put(shop.db, { ...invoice, sandbox: { intent: tried.id } })
  return { invoice: tried.status === 'succeeded' ? await markPaid(shop, counted) : counted, intent: tried }
}

export function markPaid(shop: Shop, invoice: Invoice): Promise<Invoice> {
  const paid = {
    ...invoice,
    status: 'paid' as const,
    amount_paid: invoice.amount_due,
    status_transitions: { paid_at: shop.at },
  }
  return putAndTell(shop, paid, 'invoice.paid', 'invoice.payment_succeeded')
}

/** Voids an invoice that nobody will pay any more. */
export async function giveUp(shop: Shop, id: string | null): Promise<void> {
  const invoice = id && (await find<Invoice>(shop.db, 'invoice', id))
  if (!invoice || invoice.status !== 'open') return
  const intent = await knownIntent(shop, invoice)
  if (intent && intent.status !== 'succeeded' && intent.status !== 'canceled')
    await cancelIntent(shop, intent.id)
  await putAndTell(shop, { ...invoice, status: 'void' as const }, 'invoice.voided')
}

export async function payable(shop: Shop, id: string): Promise<Invoice> {
  const invoice = await the<Invoice>(shop, 'invoice', id)
  if (invoice.status === 'paid') throw invalid('Invoice is already paid', { code: 'invoice_already_paid' })
  if (invoice.status !== 'open')
    throw invalid('This invoice can no longer be paid.', { code: 'invoice_not_editable' })
  return invoice
}
