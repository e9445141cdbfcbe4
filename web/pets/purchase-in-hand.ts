import { handAt } from '../purchases/in-hand.ts'
import type { Purchase } from './queries.ts'

/** What was sent and never answered. */
export const { inHand: unanswered, keep } = handAt<Purchase>('purchase:pet')
