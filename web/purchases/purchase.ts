import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { sentenceOf } from '#contract/errors.ts'
import type { HumanAction } from '#contract/human.ts'
import { MINUTE } from '#contract/time.ts'
import { ApiError, solveHuman } from '../lib/api.ts'
import { NO_ANSWER } from '../lib/for-form.ts'
import { listen } from '../ui/listen.ts'
import type { CardHandle } from '../payments/card-handle.ts'
import { useChallenge } from '../payments/challenge.ts'
import { clearDraft } from '../ui/form-draft.ts'
import type { Refusal } from '../ui/form.tsx'
import { say, sentence } from '../ui/say.ts'
import { sendUntilPaid, NotConfirmed, type Paid, type Paying } from './send-until-paid.ts'
import { keptAt, type SentPurchase, type Place } from './sent-purchase.ts'
import { AGAIN_MS, useRetry } from './retry.ts'

/** How long the card fields stay hidden after a failed payment. */
const RESET_MS = 5000
/** An older purchase continues only when the buyer presses the button. */
const RESUMES_FOR_MS = 15 * MINUTE

/** The page shows the error, so the form shows none. */
const SILENT: Refusal = { errors: [] }
export const CARD_REFUSED = sentence(sentenceOf('CARD_DETAILS_WRONG'))
/** A coupon is looked up before we know the buyer's email, so it may have been shown as applied. */
export const COUPON_REFUSED = sentence(
  'Nothing was charged. The coupon may be used up or expired, or belong to another email. Use that email, or remove the coupon.',
)

/** What we are waiting for: an answer, the bank, the network, or what was bought. */
export type Stage = 'paying' | 'bank' | 'silence' | 'opening'

interface Steps<Sent, Answer> {
  /** Pays despite lost answers and the bank's questions. Its key prevents a second charge. */
  pay: (sent: Sent) => Promise<Paid<Answer>>
  /** Retries until there is an answer. */
  ask: <T>(call: () => Promise<T>, stage: Stage) => Promise<T>
}

interface Refused<Notice> {
  notice?: Notice
  /** Resets the card fields. */
  startsAfresh?: boolean
  /** Errors for the form's fields. */
  fields?: Refusal
}

interface Options<Sent, Answer, Goods, Notice> {
  place: Place
  draft: string
  /** Null when the card on file pays. */
  card: RefObject<CardHandle | null>
  send: (sent: Sent) => Promise<Answer>
  /** The human check that the server always asks for, solved before sending; undefined if the server may not ask. */
  human: (sent: Sent) => HumanAction | undefined
  /** Pays and fetches what was bought. */
  buy: (sent: Sent, steps: Steps<Sent, Answer>) => Promise<Goods>
  onBought: (sent: Sent, goods: Goods) => void
  /** What to show after a refusal. `isTyped`: the form was just sent, so its fields can show errors. */
  refusedBy: (error: ApiError | NotConfirmed, isTyped: boolean) => Refused<Notice>
  /** What to show if the card gave no token. `errors` are the card fields' own sentences. */
  cardRefused: (errors: string[]) => Notice | undefined
  /** Whether it may continue automatically after a reload. */
  resumes: (sent: Sent) => boolean
  /** Where else to look when this tab has no unfinished purchase. */
  find?: () => Promise<Sent | undefined>
}

/** Runs a purchase from the press of the button to its end, even across reloads. */
export function usePurchase<
  Sent extends SentPurchase<Paying> & { paid?: unknown },
  Answer extends object,
  Goods,
  Notice,
>({
  place,
  draft,
  card,
  send,
  human,
  buy,
  onBought,
  refusedBy,
  cardRefused,
  resumes,
  find = () => Promise.resolve(undefined),
}: Options<Sent, Answer, Goods, Notice>) {
  const { kept, keep } = keptAt<Sent>(place)
  const challenge = useChallenge()
  const [stage, setStage] = useState<Stage>()
  const [refused, setRefused] = useState<Notice>()
  const [resets, setResets] = useState(false)
  /** A purchase that replaces the form: found after a reload, unanswered, or paid but stuck. */
  const [found, setFound] = useState<Sent>()
  const [stuck, setStuck] = useState<string>()
  const [bought, setBought] = useState<Sent>()
  /** There was no connection, so nothing was sent. */
  const [unreached, setUnreached] = useState(false)
  const going = useRef(false)
  const { pause, untilAnswered, tryNow } = useRetry({ onSilence: () => waitFor('silence') })

  // The browser may show this page again as it was left, and its form would sell the same thing twice.
  useEffect(() => {
    if (!bought) return
    return listen(window, 'pageshow', ({ persisted }: PageTransitionEvent) => persisted && location.reload())
  }, [bought])

  function waitFor(what: Stage) {
    setStage(what)
    setFound(kept())
  }

  async function ask<T>(call: () => Promise<T>, stage: Stage = 'paying') {
    setStage(stage)
    const answer = await untilAnswered(call)
    setStage(stage)
    return answer
  }

  /** The human check isn't part of the purchase, so the key stays the same. */
  async function sendChecked(sent: Sent): Promise<Answer> {
    const action = sent.input.purchase ? undefined : human(sent)
    keep(sent)
    return ask(async () => {
      if (!action) return send(sent)
      const userConfirmation = await solveHuman(action)
      return send({ ...sent, input: { ...sent.input, userConfirmation } })
    })
  }

  async function wait() {
    waitFor('bank')
    await pause(AGAIN_MS)
  }

  async function go(sent: Sent, isTyped: boolean) {
    if (going.current) throw SILENT
    going.current = true
    setRefused(undefined)
    setStuck(undefined)
    keep(sent)
    try {
      const pay = (sent: Sent) => sendUntilPaid(sent, { send: sendChecked, challenge, wait })
      const goods = await buy(sent, { pay, ask })
      keep(undefined)
      clearDraft(draft)
      setBought(sent)
      onBought(sent, goods)
    } catch (error) {
      setStage(undefined)
      const held = kept()
      if (held?.paid) {
        setFound(held)
        setStuck(say(error instanceof ApiError ? error.message : sentenceOf('UNEXPECTED')))
        throw SILENT
      }
      keep(undefined)
      setFound(undefined)
      if (!(error instanceof ApiError || error instanceof NotConfirmed)) throw error
      const { notice, startsAfresh = false, fields = SILENT } = refusedBy(error, isTyped)
      setRefused(notice)
      if (startsAfresh) {
        setResets(true)
        setTimeout(setResets, RESET_MS, false)
      }
      throw fields
    } finally {
      going.current = false
    }
  }

  function stayHere(): never {
    setUnreached(true)
    throw SILENT
  }

  async function cardToken() {
    const token = await card.current?.token().catch(({ errors = [], code }: Refusal) => {
      if (code === NO_ANSWER) stayHere()
      if (errors.length > 0) setRefused(cardRefused(errors))
      throw SILENT
    })
    if (token !== undefined) return token
    setRefused(cardRefused([]))
    throw SILENT
  }

  const resume = (sent: Sent) => void go(sent, false).catch((error) => error !== SILENT && reportError(error))
  const resumeFound = useEffectEvent((sent: Sent | undefined) => {
    if (!sent || going.current) return
    setFound(sent)
    if (resumes(sent) && Date.now() - sent.at < RESUMES_FOR_MS) resume(sent)
  })
  const look = useEffectEvent(async () => kept() ?? find())
  useEffect(() => void look().then((sent) => resumeFound(sent)), [place])

  return {
    stage,
    stuck,
    found,
    bought,
    refused,
    setRefused,
    unreached,
    resets,
    busy: stage !== undefined || bought !== undefined,
    async submit(needsCard: boolean, make: (token: string | undefined) => Omit<Sent, 'key' | 'at'>) {
      setRefused(undefined)
      setUnreached(false)
      if (!navigator.onLine) stayHere()
      const made = make(needsCard ? await cardToken() : undefined)
      await go({ ...made, key: crypto.randomUUID(), at: Date.now() } as Sent, true)
    },
    /** Sends the unfinished purchase again, or ends the current wait. */
    tryAgain: () => (stage ? tryNow() : resume(kept() ?? found!)),
    forget() {
      keep(undefined)
      setFound(undefined)
    },
  }
}
