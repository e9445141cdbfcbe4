import type Stripe from 'stripe'
import type { Currency } from '#contract/regions.ts'
import { secondsOf } from '#contract/time.ts'
import type { Disputed, Movement, Movements, Refunded } from './money-movements.ts'
import { type Ask, dateOf, dateOrNull, idOf, isInvalid } from './stripe-answers.ts'

/** The SDK asks for page after page, each of this length. */
const limit = 100

/** The payer doesn't have a refund that failed or was cancelled. */
const isGone = ({ status }: Stripe.Refund) => status === 'failed' || status === 'canceled'

function refundedOf(refund: Stripe.Refund): Refunded[] {
  const { id, amount, currency, created, metadata } = refund
  const intent = idOf(refund.payment_intent)
  if (intent === null) return []
  const row = Number(metadata?.['refund']) || null
  const at = dateOf(created)
  const failed = isGone(refund)
  return [{ kind: 'refund', id, intent, amount, currency: currency as Currency, at, row, failed }]
}

/** Without the bank's rate, a dispute in another currency than its payment counts as all of it. */
function disputedOf(dispute: Stripe.Dispute): Disputed[] {
  const { id, created, status, evidence_details } = dispute
  const intent = idOf(dispute.payment_intent)
  if (intent === null || dispute.amount === 0) return []
  const charge = dispute.charge as Stripe.Charge
  const { amount, currency } = dispute.currency === charge.currency ? dispute : charge
  const asks = status.startsWith('warning_') || status === 'prevented'
  const over = (['won', 'lost'] as const).find((one) => one === status)
  const stands = asks ? 'asked' : (over ?? 'open')
  const needsAnswer = status.endsWith('needs_response') && !evidence_details?.past_due
  const answerBy = dateOrNull(evidence_details?.due_by)
  const told = { stands, needsAnswer, answerBy } as const
  return [
    { kind: 'dispute', id, intent, amount, currency: currency as Currency, at: dateOf(created), ...told },
  ]
}

function chargedOf(charge: Stripe.Charge): Movement[] {
  const { amount_captured: amount, currency, created, status } = charge
  const id = idOf(charge.payment_intent)
  if (status !== 'succeeded' || amount === 0 || id === null) return []
  const at = dateOf(created)
  return [{ kind: 'charge', id, customer: idOf(charge.customer), amount, currency: currency as Currency, at }]
}

async function listRefunds(ask: Ask, which: Stripe.RefundListParams) {
  const refunds = await ask((stripe) => Array.fromAsync(stripe.refunds.list({ ...which, limit })))
  return refunds.flatMap(refundedOf)
}

async function listDisputes(ask: Ask, which: Stripe.DisputeListParams) {
  const disputes = await ask((stripe) =>
    Array.fromAsync(stripe.disputes.list({ ...which, limit, expand: ['data.charge'] })),
  )
  return disputes.flatMap(disputedOf)
}

export const movementsOf = (ask: Ask): Movements => ({
  async refund({ intent, amount, why, refund: row }, idempotencyKey) {
    try {
      const refund = await ask((stripe) =>
        stripe.refunds.create(
          { payment_intent: intent, amount, metadata: { refund: String(row), why } },
          { idempotencyKey },
        ),
      )
      if (isGone(refund)) return { state: 'refused', message: refund.failure_reason ?? 'failed' }
      return { state: 'done', id: refund.id }
    } catch (error) {
      if (isInvalid(error)) return { state: 'refused', message: (error as Error).message }
      throw error
    }
  },
  refundsOf: (payment_intent) => listRefunds(ask, { payment_intent }),
  disputesOf: (payment_intent) => listDisputes(ask, { payment_intent }),
  async movements(from, to) {
    const created = { gte: secondsOf(from), lt: secondsOf(to) }
    const charges = await ask((stripe) => Array.fromAsync(stripe.charges.list({ created, limit })))
    return [
      ...charges.flatMap(chargedOf),
      ...(await listRefunds(ask, { created })),
      ...(await listDisputes(ask, { created })),
    ]
  },
  async lateNews(from) {
    const created = { gte: secondsOf(from) }
    const failed = (await listRefunds(ask, { created })).filter((refund) => refund.failed)
    return [...failed, ...(await listDisputes(ask, { created }))]
  },
})
