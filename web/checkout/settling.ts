import { useState } from 'react'
import type { Output } from '#contract/call.ts'
import type { newUserConsultation } from '#contract/checkout.ts'
import { ApiError } from '../lib/api.ts'
import { useChallenge } from '../payments/challenge.ts'
import { type InHand, keep } from './in-hand.ts'
import { AGAIN_MS, usePatience } from '../purchases/patience.ts'
import { useBegin, usePay } from './queries.ts'

/** What is being waited for: an answer, the bank, the network, or the consult that is paid. */
export type Stage = 'paying' | 'bank' | 'silence' | 'opening'

/** The bank's customer was asked and did not confirm. */
export class NotConfirmed extends Error {}

/**
 * Carries one purchase to its end, whatever happens on the way: the same again is never charged twice. Tells when it
 * goes on without anybody's doing.
 */
export function useSettle({ onAlone }: { onAlone: () => void }) {
  const pay = usePay()
  const begin = useBegin()
  const challenge = useChallenge()
  const [stage, setStage] = useState<Stage>()
  const { pause, untilAnswered: untilAny, tryNow } = usePatience({ onSilence: () => alone('silence') })
  const untilAnswered = async <T>(ask: () => Promise<T>, then: Stage) => {
    const answer = await untilAny(ask)
    setStage(then)
    return answer
  }
  function alone(what: Stage) {
    setStage(what)
    onAlone()
  }

  /** The check that a person is there is asked for by the server, and only then. */
  async function payChecked(hand: InHand) {
    try {
      return await untilAnswered(() => pay(hand), 'paying')
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'HUMAN_CHECK') throw error
      const { solveHuman } = await import('../lib/human.ts')
      const userConfirmation = await untilAnswered<string>(() => solveHuman('pay'), 'paying')
      const checked = { ...hand, key: crypto.randomUUID(), input: { ...hand.input, userConfirmation } }
      keep(checked)
      return untilAnswered(() => pay(checked), 'paying')
    }
  }

  async function untilPaid(hand: InHand, refusedByBank = false): Promise<InHand> {
    keep(hand)
    if (hand.paid) return hand
    const { status, purchase, customer, client_secret = '' } = await payChecked(hand)
    if (status === 'succeeded') return untilPaid({ ...hand, paid: { purchase, customer_id: customer.id } })
    if (refusedByBank) throw new NotConfirmed()
    const next = { ...hand, key: crypto.randomUUID(), input: { ...hand.input, purchase } }
    // Also after a refusal the bank is asked, which alone knows.
    if (status === 'requires_action') return untilPaid(next, (await challenge(client_secret)) === 'failed')
    alone('bank')
    await pause(AGAIN_MS)
    return untilPaid(next)
  }

  /** Answers the consult that was paid for, or throws what was refused. */
  async function settle(first: InHand): Promise<Output<typeof newUserConsultation>> {
    setStage('paying')
    try {
      const hand = await untilPaid(first)
      setStage('opening')
      const { user, details, consult, coupon_code, agreed, terms } = hand.input
      return await untilAnswered(
        () =>
          begin({ ...user, ...details!, ...hand.paid!, consult_type: consult, coupon_code, agreed, terms }),
        'opening',
      )
    } catch (error) {
      setStage(undefined)
      throw error
    }
  }

  return { stage, settle, tryNow }
}
