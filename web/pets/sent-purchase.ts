import { keptAt } from '../purchases/sent-purchase.ts'
import type { Purchase } from './queries.ts'

/** A purchase that was sent and got no answer. */
export const { kept: unanswered, keep } = keptAt<Purchase>('purchase:pet')
