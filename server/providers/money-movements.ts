import type { Currency } from '#contract/regions.ts'

/** Money that moved at the provider: in by a payment intent, out by a refund of one, or taken by the payer's bank. */
export type Movement = { id: string; amount: number; currency: Currency; at: Date } & (
  | { kind: 'charge'; customer: string | null }
  | {
      kind: 'refund'
      intent: string
      /** Our refund's row; null if it was made elsewhere. */
      row: number | null
      /** The bank returned it or it was never sent, so the payer doesn't have the money. */
      failed: boolean
    }
  | {
      kind: 'dispute'
      intent: string
      /** Open until it is decided; an inquiry by the bank takes no money yet. */
      stands: 'asked' | 'open' | 'won' | 'lost'
      /** Whether the bank waits for our evidence, and until when it accepts it. */
      needsAnswer: boolean
      answerBy: Date | null
    }
)
export type Refunded = Movement & { kind: 'refund' }
export type Disputed = Movement & { kind: 'dispute' }

/** The provider's record of money that has moved, and refunds. */
export interface Movements {
  refund(
    order: { intent: string; amount: number; why: string; refund: number },
    key: string,
  ): Promise<{ state: 'done'; id: string } | { state: 'refused'; message: string }>
  refundsOf(intent: string): Promise<Refunded[]>
  disputesOf(intent: string): Promise<Disputed[]>
  /** Everything that came in and went out in a span of time. */
  movements(from: Date, to: Date): Promise<Movement[]>
  /** What may happen weeks after the money moved: failed refunds, and disputes. */
  lateNews(from: Date): Promise<(Refunded | Disputed)[]>
}
