import { handAt } from '../payments/in-hand.tsx'
import type { Purchase } from './queries.ts'

/** What was sent and never answered. */
export const { inHand: unanswered, keep } = handAt<Purchase>('purchase:pet')
