import { ApiError } from '../lib/api.ts'
import type { Challenged } from '../payments/challenge-dialog.tsx'
import { sentence } from '../ui/say.ts'
import type { SentPurchase } from './sent-purchase.ts'

/** What every call that charges may also receive. */
export interface Paying {
  /** The purchase to continue, once the bank has asked its customer. */
  purchase?: string | null | undefined
  userConfirmation?: string | null | undefined
}

/** The buyer didn't confirm the payment with their bank. */
export class NotConfirmed extends Error {}
export const NOT_CONFIRMED = sentence('Your bank didn’t confirm the payment, so nothing was charged.')

interface Open {
  status: 'requires_action' | 'processing'
  purchase: string
  client_secret?: string | undefined
}
export type Paid<Answer> = Exclude<Answer, Open>
const isOpen = (answer: object): answer is Open => 'status' in answer && answer.status !== 'succeeded'

interface Actions<Sent, Answer> {
  send: (sent: Sent) => Promise<Answer>
  /** Shows the bank's question. */
  challenge: (clientSecret: string) => Promise<Challenged>
  /** Waits while the bank processes the payment. */
  wait?: () => Promise<void>
}

/** Sends a purchase until the bank has decided, and returns the final answer. */
export async function sendUntilPaid<Sent extends SentPurchase<Paying>, Answer extends object>(
  sent: Sent,
  actions: Actions<Sent, Answer>,
  isRefused = false,
): Promise<Paid<Answer>> {
  const answer = await actions.send(sent).catch((error: unknown) => {
    // The buyer closed the bank's question, so the bank's refusal would only repeat that.
    throw isRefused && error instanceof ApiError && error.status === 402 ? new NotConfirmed() : error
  })
  if (!isOpen(answer)) return answer as Paid<Answer>
  if (isRefused) throw new NotConfirmed()
  const { status, purchase, client_secret = '' } = answer
  const next = { ...sent, key: crypto.randomUUID(), input: { ...sent.input, purchase } }
  if (status === 'processing') {
    await actions.wait?.()
    return sendUntilPaid(next, actions)
  }
  // Send it again even after a failed question: only the bank knows the outcome.
  return sendUntilPaid(next, actions, (await actions.challenge(client_secret)) === 'failed')
}
