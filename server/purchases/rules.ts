import { createHash, createHmac } from 'node:crypto'
import type { World } from '../context.ts'
import type { Purchase } from './reads.ts'

/** What asking for the money, or looking what became of it, came to. */
export type Asked<Goods> =
  | { state: 'done'; paid: { intent: string; amount: number } | null; goods: Goods | null }
  /** A bank wants to hear from its customer; the id names what was begun at the provider. */
  | { state: 'challenge'; id: string; clientSecret: string }
  /** The bank has not answered yet. */
  | { state: 'processing'; id: string }
  | { state: 'refused'; message: string; code?: 'token_already_used' | 'TOO_MANY_TRIES' }
  | { state: 'gone' }

/** What the row of a purchase says from its delivery on. */
export interface Delivered {
  order: object
  userId?: number
  consultationId?: number
  subscriptionId?: number
  stripeSubscription?: string
}

/** One sort of thing that can be bought. The engine asks, looks and delivers by it, whatever it is. */
export interface Kind<Goods = unknown> {
  kind: Purchase['kind']
  /** What the ledger calls its payment. */
  what: 'consult' | 'membership'
  /** The column for the provider's name of what was begun. */
  begun: 'stripeIntent' | 'stripeSubscription'
  /** So many milliseconds the buyer has to fetch what was paid for before the clock delivers it; null: with the payment. */
  waits: number | null
  /** Asks for the money. Asked again with the purchase's keys it is charged once. */
  ask(world: World, purchase: Purchase): Promise<Asked<Goods>>
  /** What became of what was begun. One that failed, or is given up, is ended so that it can not be paid later. */
  look(world: World, purchase: Purchase, id: string, giveUp: boolean): Promise<Asked<Goods>>
  /** The provider's name of what was begun, once its keys are forgotten; null where nothing was. */
  lookFor(world: World, purchase: Purchase): Promise<string | null>
  /** Within the transaction in which it counts as delivered. */
  deliver(world: World, purchase: Purchase, goods: Goods | null): Promise<Delivered>
  /** Within the transaction in which it came to nothing. */
  release?(world: World, purchase: Purchase): Promise<void>
}

/** Where a purchase stands; still paying, it waits for its buyer's bank where there is a secret, else for its answer. */
export interface Outcome {
  purchase: Purchase
  clientSecret: string | null
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * What only the paying browser holds. It comes out of the purchase's own key, so that the same request can be given
 * the same one again, and stands nowhere.
 */
export const purchaseToken = (secret: Uint8Array, idempotencyKey: string) =>
  createHmac('sha256', secret).update(`purchase ${idempotencyKey}`).digest('base64url')
