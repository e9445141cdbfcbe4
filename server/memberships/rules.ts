import { GRACE_DAYS, type Subscription } from '#contract/memberships.ts'
import { discounted } from '#contract/discounts.ts'
import { addDays } from '#contract/time.ts'
import type { Provided } from '../providers/payments.ts'

/** The provider's statuses of a subscription that has ended. */
const OVER = ['canceled', 'unpaid', 'incomplete_expired']
const UNPAID = ['past_due', 'unpaid', 'incomplete']

export const graceEnd = (pastDueSince: Date) => addDays(pastDueSince, GRACE_DAYS)

/** The days after the first notice of a failed payment on which the member gets another. */
export const REMINDER_DAYS = [3, 6] as const
export type ReminderDay = (typeof REMINDER_DAYS)[number]

interface Priced {
  price: number
  /** A coupon's discount on each payment before `until`. */
  discount: { percentOff: number | null; amountOff: number | null; until: string } | null
}

/** The price of a payment that is due at a given time. */
export const priceAt = ({ price, discount }: Priced, due: Date) =>
  discount && due < new Date(discount.until)
    ? discounted(price, { percent_off: discount.percentOff, amount_off: discount.amountOff })
    : price

/** The price of the next payment, or of the failed one if there is one. */
export const nextPrice = (row: Priced & { currentPeriodEnd: Date | null; pastDueSince: Date | null }) => {
  const due = row.pastDueSince ?? row.currentPeriodEnd
  return due ? priceAt(row, due) : row.price
}

export const isPetStock = ({ subs_id }: Pick<Subscription, 'subs_id'>) => subs_id?.startsWith('ps_') === true

/** Only the partner that sold a membership can change it. */
export const isPartners = (one: Pick<Subscription, 'source' | 'subs_id'>) =>
  one.source !== 'vetchat' || isPetStock(one)

/**
 * Makes our row from what the provider has now, regardless of earlier events. An unpaid membership ends when the
 * provider gives up; a cancelled one ends with its period, even without an event.
 */
export function asProvided(
  provided: Provided,
  before: { pastDueSince: Date | null; endedAt: Date | null },
  now: Date,
) {
  const { status, currentPeriodEnd, cancelAt } = provided
  const ranOut = cancelAt !== null && cancelAt <= now
  const over = OVER.includes(status) ? (provided.endedAt ?? before.endedAt ?? now) : null
  const endedAt = ranOut ? cancelAt : over
  return {
    status: ranOut ? 'canceled' : status,
    currentPeriodEnd,
    end: endedAt ?? cancelAt,
    endedAt,
    pastDueSince: endedAt === null && UNPAID.includes(status) ? (before.pastDueSince ?? now) : null,
  }
}
