import { useState } from 'react'
import type { Output } from '#contract/call.ts'
import { joiningAction } from '#contract/human.ts'
import type { subscribe } from '#contract/joining.ts'
import { usePatience } from '../purchases/patience.ts'
import { NotConfirmed } from '../checkout/settling.ts'
import { ApiError } from '../lib/api.ts'
import { useChallenge } from '../payments/challenge.ts'
import { type InHand, isJoin, keep, type Place } from './in-hand.ts'
import { useSubscribe, useUpgrade } from './queries.ts'

/** How often a check that was not taken is solved anew. */
const CHECKS = 2

/** Carries one purchase to its end, whatever happens on the way: the same again is never charged twice. */
export function useSettle(place: Place, { onSilence }: { onSilence: () => void }) {
  const join = useSubscribe()
  const upgrade = useUpgrade()
  const challenge = useChallenge()
  const [stage, setStage] = useState<'paying' | 'silence'>()
  const { untilAnswered, tryNow } = usePatience({
    onSilence() {
      setStage('silence')
      onSilence()
    },
  })

  const solved = (hand: InHand) =>
    untilAnswered(async () => {
      const { solveHuman } = await import('../lib/human.ts')
      const plan = hand.input.plan === 'monthly' ? 'monthly' : 'annual'
      const userConfirmation = await solveHuman(joiningAction(plan))
      return { ...hand, input: { ...hand.input, userConfirmation } }
    })

  /** The server wants to see that a person is there. What that takes is no part of the purchase: its key stays. */
  async function sendChecked(
    first: InHand,
    password: string,
    checks = CHECKS,
  ): Promise<Output<typeof subscribe>> {
    const hand = first.input.userConfirmation || first.input.purchase ? first : await solved(first)
    keep(place, hand)
    const { key, input } = hand
    try {
      return await untilAnswered<Output<typeof subscribe>>(() =>
        isJoin(input) ? join({ key, input: { ...input, password } }) : upgrade({ key, input }),
      )
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'HUMAN_CHECK' || checks === 0) throw error
      return sendChecked(await solved(hand), password, checks - 1)
    }
  }

  async function untilJoined(hand: InHand, password: string, isRefused = false): Promise<void> {
    keep(place, hand)
    const answer = await sendChecked(hand, password)
    if (!('status' in answer)) return
    if (isRefused) throw new NotConfirmed()
    const next = { ...hand, key: crypto.randomUUID(), input: { ...hand.input, purchase: answer.purchase } }
    // Also after a refusal the bank is asked, which alone knows.
    return untilJoined(next, password, (await challenge(answer.client_secret)) === 'failed')
  }

  async function settle(hand: InHand, password: string) {
    setStage('paying')
    try {
      await untilJoined(hand, password)
    } finally {
      setStage(undefined)
    }
  }

  return { stage, settle, tryNow }
}
