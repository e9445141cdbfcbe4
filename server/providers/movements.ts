import type { Currency } from '#contract/regions.ts'

/** Money that moved at the provider: in by a payment intent, out by a refund of one, or taken by the payer's bank. */
export type Movement = { id: string; amount: number; currency: Currency; at: Date } & (
  | { kind: 'charge'; customer: string | null }
  | {
      kind: 'refund'
      intent: string
      /** The row that asked for it; null where it was made elsewhere. */
      row: number | null
      /** The bank sent it back, or it never left: none of it is with the payer. */
      failed: boolean
    }
  | {
      kind: 'dispute'
      intent: string
      /** Until it is over it is open; a bank that only asks took nothing yet. */
      stands: 'asked' | 'open' | 'won' | 'lost'
      /** Until when the bank takes what we have to say. */
      answerBy: Date | null
    }
)
export type Refunded = Movement & { kind: 'refund' }
export type Disputed = Movement & { kind: 'dispute' }

/** What the provider tells of money that moved already, and refunds of it. */
export interface Movements {
  /** Refunds a payment, whole or in part. */
  refund(
    order: { intent: string; amount: number; why: string; refund: number },
    key: string,
  ): Promise<{ state: 'done'; id: string } | { state: 'refused'; message: string }>
  /** The refunds of one payment, failed ones too. */
  refundsOf(intent: string): Promise<Refunded[]>
  disputesOf(intent: string): Promise<Disputed[]>
  /** Everything that came in and went out in a span of time. */
  movements(from: Date, to: Date): Promise<Movement[]>
  /** What may be told weeks after the money moved: refunds since then that failed, and disputes. */
  lateNews(from: Date): Promise<(Refunded | Disputed)[]>
}
