import { putAndTell, type Charge, type Dispute, type Refund, type Shop } from './shop.ts'
import { armedFor, find, listOf, newId, put, useFault, type Fault } from './store.ts'

/* What can happen long after money moved, when a fault asks for it. */

const DAY_S = 86_400
const ANSWER_WITHIN = 14 * DAY_S

/** The latest one of this payment, or of any. */
const latest = async <T extends Refund | Dispute | Charge>(
  { db }: Shop,
  object: T['object'],
  intent: string,
  fits: (one: T) => boolean,
): Promise<T | undefined> =>
  (await listOf<T>(db, object, intent === '*' ? {} : { field: ['payment_intent', intent] })).find(fits)

/** The payer's bank has closed the card, and the refund returns to us. */
async function failRefund(shop: Shop, intent: string) {
  const refund = await latest<Refund>(shop, 'refund', intent, ({ status }) => status === 'succeeded')
  if (!refund) return false
  const charge = (await find<Charge>(shop.db, 'charge', refund.charge))!
  await put(shop.db, { ...charge, amount_refunded: charge.amount_refunded - refund.amount })
  await putAndTell(shop, { ...refund, status: 'failed' as const }, 'refund.updated', 'refund.failed')
  return true
}

async function dispute(shop: Shop, intent: string) {
  const charge = await latest<Charge>(shop, 'charge', intent, ({ disputed }) => !disputed)
  if (!charge) return false
  await put(shop.db, { ...charge, disputed: true })
  const opened: Dispute = {
    id: newId('dp'),
    object: 'dispute',
    created: shop.at,
    amount: charge.amount,
    charge: charge.id,
    currency: charge.currency,
    evidence_details: { due_by: shop.at + ANSWER_WITHIN },
    payment_intent: charge.payment_intent,
    status: 'needs_response',
  }
  await putAndTell(shop, opened, 'charge.dispute.created', 'charge.dispute.funds_withdrawn')
  return true
}

const close = (status: 'won' | 'lost') => async (shop: Shop, intent: string) => {
  const open = await latest<Dispute>(shop, 'dispute', intent, (one) => one.status === 'needs_response')
  if (!open) return false
  const events = [...(status === 'won' ? ['charge.dispute.funds_reinstated'] : []), 'charge.dispute.closed']
  await putAndTell(shop, { ...open, status }, ...events)
  return true
}

const AFTERTHOUGHTS = new Map<Fault, (shop: Shop, intent: string) => Promise<boolean>>([
  ['refundFails', failRefund],
  ['dispute', dispute],
  ['disputeWon', close('won')],
  ['disputeLost', close('lost')],
])

export const areWanted = async (db: Shop['db']) => (await armedFor(db, [...AFTERTHOUGHTS.keys()])).length > 0

/** Does one of each that is requested and possible; returns how many. */
export async function haveAfterthoughts(shop: Shop): Promise<number> {
  let done = 0
  for (const { call, fault } of await armedFor(shop.db, [...AFTERTHOUGHTS.keys()]))
    if (await AFTERTHOUGHTS.get(fault)!(shop, call)) {
      await useFault(shop.db, call, fault)
      done++
    }
  return done
}
