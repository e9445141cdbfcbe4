import type { Currency } from '#contract/regions.ts'
import { callFromIsland } from './island-call.ts'
import { choices } from './session.ts'

interface Count {
  event: 'page' | 'purchase' | 'consult'
  /** The address as its pattern, without codes and ids. */
  path: string
  item?: string
  item_name?: string
  value?: number
  currency?: Currency
}

const countsVisits = () => document.documentElement.dataset['analytics'] === 'true'

/** Sends nothing before the visitor agrees, or when no sink is configured. */
export function tellAnalytics(count: Count) {
  if (countsVisits() && choices()['consent'] === 'yes') void callFromIsland('/analytics', count)
}

/** Whether a visitor still has to answer the consent bar. Anything else that opens waits for it. */
export const asksConsent = () => countsVisits() && choices()['consent'] === undefined
