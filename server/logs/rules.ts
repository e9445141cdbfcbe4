import type { ResendState } from '#contract/logs.ts'
import { RECEIPT } from '../ledger/reads.ts'

interface Kept {
  sentAt: Date | null
  failedAt: Date | null
  error: string | null
  key: string | null
  isErased: boolean
}

/** The ledger entry that a receipt is about. Its mail can be made again after its text was erased. */
export const receiptOf = (key: string | null) =>
  key?.startsWith(RECEIPT) ? Number(key.slice(RECEIPT.length)) : undefined

/** The state of a mail, whose text is erased once it was sent. */
export function resendState({ sentAt, failedAt, error, key, isErased }: Kept): ResendState {
  const resendable = !isErased || receiptOf(key) !== undefined
  if (sentAt) return { state: 'sent', error: null, resendable }
  return failedAt ? { state: 'given_up', error, resendable } : { state: 'waiting', error, resendable: false }
}
