import { money } from '#contract/regions.ts'
import type { Entry } from './queries.ts'

/** Such as "R100 refunded, R350 disputed". */
export const returnedWords = ({
  refunded,
  disputed,
  currency,
}: Pick<Entry, 'refunded' | 'disputed' | 'currency'>) =>
  [
    refunded > 0 && `${money(refunded, currency)} refunded`,
    disputed > 0 && `${money(disputed, currency)} disputed`,
  ]
    .filter(Boolean)
    .join(', ')
