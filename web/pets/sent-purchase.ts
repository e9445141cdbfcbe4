import { keptAt } from '../purchases/sent-purchase.ts'
import type { Purchase } from './queries.ts'

/** What was sent and never answered. */
export const { kept: unanswered, keep } = keptAt<Purchase>('purchase:pet')
