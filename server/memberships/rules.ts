import { GRACE_DAYS, type Subscription } from '#contract/memberships.ts'
import { discounted } from '#contract/prices.ts'
import type { Provided } from '../providers/payments.ts'

const DAY = 86_400_000
/** What the provider calls a subscription that nobody pays for any more. */
const OVER = ['canceled', 'unpaid', 'incomplete_expired']
const UNPAID = ['past_due', 'unpaid', 'incomplete']

export const graceEnd = (pastDueSince: Date) => new Date(pastDueSince.getTime() + GRACE_DAYS * DAY)

/** So many days after a payment failed its member hears of it again, the first time being the moment itself. */
export const TOLD_AGAIN_DAYS = [3, 6] as const
export type ToldAgain = (typeof TOLD_AGAIN_DAYS)[number]

interface Priced {
  price: number
  /** What a coupon takes off each payment before that moment. */
  discount: { percentOff: number | null; amountOff: number | null; until: string } | null
}

/** What a payment costs that is due at a moment. */
export const priceAt = ({ price, discount }: Priced, due: Date) =>
  discount && due < new Date(discount.until)
    ? discounted(price, { percent_off: discount.percentOff, amount_off: discount.amountOff })
    : price

/** What the next payment costs: the one that failed, where one did. */
export const nextPrice = (row: Priced & { currentPeriodEnd: Date | null; pastDueSince: Date | null }) => {
  const due = row.pastDueSince ?? row.currentPeriodEnd
  return due ? priceAt(row, due) : row.price
}

/** A membership that a partner sold is a partner's to change. */
export const isPartners = ({ source, subs_id }: Pick<Subscription, 'source' | 'subs_id'>) =>
  source !== 'vetchat' || subs_id?.startsWith('ps_') === true

/**
 * A membership's row for what the provider has now, whatever was heard of it before. An unpaid one is over the
 * moment the provider gives up; one that was cancelled is over at its period's end, told or not.
 */
export function asProvided(
  provided: Provided,
  before: { pastDueSince: Date | null; endedAt: Date | null },
  now: Date,
) {
  const { status, currentPeriodEnd, cancelAt } = provided
  const ranOut = cancelAt !== null && cancelAt <= now
  const endedAt = ranOut
    ? cancelAt
    : OVER.includes(status)
      ? (provided.endedAt ?? before.endedAt ?? now)
      : null
  return {
    status: ranOut ? 'canceled' : status,
    currentPeriodEnd,
    end: endedAt ?? cancelAt,
    endedAt,
    pastDueSince: endedAt === null && UNPAID.includes(status) ? (before.pastDueSince ?? now) : null,
  }
}
