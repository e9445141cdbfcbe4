import type { Currency } from '#contract/regions.ts'
import { send } from './send.ts'
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

/** Nothing is sent before the visitor agrees, nor where no place for it is configured. */
export function tellAnalytics(count: Count) {
  const asked = document.documentElement.dataset['analytics'] === 'true'
  if (asked && choices()['consent'] === 'yes') void send('/analytics', count)
}
