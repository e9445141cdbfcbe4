import { GRACE_DAYS, type Subscription } from '#contract/memberships.ts'
import type { Provided } from '../providers/payments.ts'

const DAY = 86_400_000
/** What the provider calls a subscription that nobody pays for any more. */
const OVER = ['canceled', 'unpaid', 'incomplete_expired']
const UNPAID = ['past_due', 'unpaid', 'incomplete']

export const graceEnd = (pastDueSince: Date) => new Date(pastDueSince.getTime() + GRACE_DAYS * DAY)

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
