import { ApiError } from '../lib/api.ts'
import type { Challenged } from '../payments/challenge-dialog.tsx'
import { sentence } from '../ui/say.ts'
import type { InHand } from './in-hand.ts'

/** What every call that takes money may be told beside what is bought. */
export interface Paying {
  /** Names what was begun, after the bank asked its customer. */
  purchase?: string | null | undefined
  userConfirmation?: string | null | undefined
}

/** The bank's customer was asked and did not confirm. */
export class NotConfirmed extends Error {}
export const NOT_CONFIRMED = sentence('Your bank didn’t confirm the payment, so nothing was charged.')

/** Without an answer nobody knows what became of it. */
export const isSilence = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500)

interface Open {
  status: 'requires_action' | 'processing'
  purchase: string
  client_secret?: string | undefined
}
/** What is answered in the end. */
export type Paid<Answer> = Exclude<Answer, Open>
const isOpen = (answer: object): answer is Open => 'status' in answer && answer.status !== 'succeeded'

interface Way<Hand, Answer> {
  send: (hand: Hand) => Promise<Answer>
  /** The bank asks its customer. */
  challenge: (clientSecret: string) => Promise<Challenged>
  /** The bank is still at work. */
  wait?: () => Promise<void>
}

/** Sends a purchase until its bank has had its say, and answers what was answered then. */
export async function carry<Hand extends InHand<Paying>, Answer extends object>(
  hand: Hand,
  way: Way<Hand, Answer>,
  isRefused = false,
): Promise<Paid<Answer>> {
  const answer = await way.send(hand)
  if (!isOpen(answer)) return answer as Paid<Answer>
  if (isRefused) throw new NotConfirmed()
  const { status, purchase, client_secret = '' } = answer
  const next = { ...hand, key: crypto.randomUUID(), input: { ...hand.input, purchase } }
  if (status === 'processing') {
    await way.wait?.()
    return carry(next, way)
  }
  // Also after a refusal the bank is asked, which alone knows.
  return carry(next, way, (await way.challenge(client_secret)) === 'failed')
}
