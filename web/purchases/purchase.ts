import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { words } from '#contract/errors.ts'
import type { HumanAction } from '#contract/human.ts'
import { ApiError } from '../lib/api.ts'
import type { CardHandle } from '../payments/card-handle.ts'
import { useChallenge } from '../payments/challenge.ts'
import { clearDraft } from '../ui/form-draft.ts'
import type { Refusal } from '../ui/form.tsx'
import { say, sentence } from '../ui/say.ts'
import { carry, NotConfirmed, type Paid, type Paying } from './carry.ts'
import { handAt, type InHand, type Place } from './in-hand.ts'
import { AGAIN_MS, usePatience } from './patience.ts'

/** How long the card's fields are away after a payment failed. */
const RESET_MS = 5000
/** What was sent longer ago goes on only when it is pressed for. */
const GOES_ON_MS = 15 * 60_000
/** How often a check that was not taken is solved anew. */
const CHECKS = 2

/** The page says what is wrong, so the form has nothing to say. */
const SILENT: Refusal = { errors: [] }
export const CARD_REFUSED = sentence(words('CARD_DETAILS_WRONG'))

/** What is being waited for: an answer, the bank, the network, or what was paid for. */
export type Stage = 'paying' | 'bank' | 'silence' | 'opening'

interface Steps<Hand, Answer> {
  /** Pays, whatever happens on the way: the same again is never charged twice. */
  pay: (hand: Hand) => Promise<Paid<Answer>>
  /** Asks until there is an answer. */
  ask: <T>(call: () => Promise<T>, stage: Stage) => Promise<T>
}

interface Refused<Said> {
  /** What the page says. */
  said?: Said
  /** The card's fields start afresh. */
  startsAfresh?: boolean
  /** What the fields of the form say. */
  fields?: Refusal
}

interface Options<Hand, Answer, Goods, Said> {
  place: Place
  draft: string
  /** Null where the card on file pays. */
  card: RefObject<CardHandle | null>
  send: (hand: Hand) => Promise<Answer>
  /** What a person shows that they are there for; sought out before the server asks for it where it always does. */
  human: { action: (hand: Hand) => HumanAction; always: boolean }
  /** Pays and brings what was bought. */
  bring: (hand: Hand, steps: Steps<Hand, Answer>) => Promise<Goods>
  onBought: (hand: Hand, goods: Goods) => void
  /** What comes of a refusal. `isTyped`: the form was just sent, and its fields can say what is wrong with them. */
  refusedBy: (error: ApiError | NotConfirmed, isTyped: boolean) => Refused<Said>
  /** The same of a card that gave no token, in its own words if it has some. */
  cardRefused: (errors: string[]) => Said | undefined
  /** Whether it may go on without a press after a reload. */
  goesOn: (hand: Hand) => boolean
  /** Looks elsewhere where this tab has nothing in hand. */
  find?: () => Promise<Hand | undefined>
}

/** The press of the button and all that can come of it, also after a reload. */
export function usePurchase<
  Hand extends InHand<Paying> & { paid?: unknown },
  Answer extends object,
  Goods,
  Said,
>({
  place,
  draft,
  card,
  send,
  human,
  bring,
  onBought,
  refusedBy,
  cardRefused,
  goesOn,
  find = () => Promise.resolve(undefined),
}: Options<Hand, Answer, Goods, Said>) {
  const { inHand, keep } = handAt<Hand>(place)
  const challenge = useChallenge()
  const [stage, setStage] = useState<Stage>()
  const [refused, setRefused] = useState<Said>()
  const [resets, setResets] = useState(false)
  /** Stands in place of the form: found after a reload, without an answer, or paid and stuck. */
  const [found, setFound] = useState<Hand>()
  const [stuck, setStuck] = useState<string>()
  const [bought, setBought] = useState<Hand>()
  const going = useRef(false)
  const { pause, untilAnswered, tryNow } = usePatience({ onSilence: () => goOnAlone('silence') })

  useEffect(() => {
    if (!resets) return
    const timer = setTimeout(setResets, RESET_MS, false)
    return () => clearTimeout(timer)
  }, [resets])

  function goOnAlone(what: Stage) {
    setStage(what)
    setFound(inHand())
  }

  async function ask<T>(call: () => Promise<T>, stage: Stage = 'paying') {
    setStage(stage)
    const answer = await untilAnswered(call)
    setStage(stage)
    return answer
  }

  const checked = (hand: Hand): Promise<Hand> =>
    ask(async () => {
      const { solveHuman } = await import('../lib/human.ts')
      const userConfirmation = await solveHuman(human.action(hand))
      return { ...hand, input: { ...hand.input, userConfirmation } }
    })

  /** That a person is there is no part of the purchase, so its key stays. */
  async function sendChecked(first: Hand, checks = CHECKS): Promise<Answer> {
    const { userConfirmation, purchase } = first.input
    const hand = human.always && !userConfirmation && !purchase ? await checked(first) : first
    keep(hand)
    try {
      return await ask(() => send(hand))
    } catch (error) {
      if (checks === 0 || !(error instanceof ApiError) || error.code !== 'HUMAN_CHECK') throw error
      return sendChecked(await checked(hand), checks - 1)
    }
  }

  async function wait() {
    goOnAlone('bank')
    await pause(AGAIN_MS)
  }

  async function go(hand: Hand, isTyped: boolean) {
    if (going.current) throw SILENT
    going.current = true
    setRefused(undefined)
    setStuck(undefined)
    keep(hand)
    try {
      const pay = (hand: Hand) => carry(hand, { send: sendChecked, challenge, wait })
      const goods = await bring(hand, { pay, ask })
      keep(undefined)
      clearDraft(draft)
      setBought(hand)
      onBought(hand, goods)
    } catch (error) {
      setStage(undefined)
      const held = inHand()
      if (held?.paid) {
        setFound(held)
        setStuck(say(error instanceof ApiError ? error.message : words('UNEXPECTED')))
        throw SILENT
      }
      keep(undefined)
      setFound(undefined)
      if (!(error instanceof ApiError || error instanceof NotConfirmed)) throw error
      const { said, startsAfresh = false, fields = SILENT } = refusedBy(error, isTyped)
      setRefused(said)
      setResets(startsAfresh)
      throw fields
    } finally {
      going.current = false
    }
  }

  async function cardToken() {
    const token = await card.current?.token().catch(({ errors = [] }: Refusal) => {
      if (errors.length > 0) setRefused(cardRefused(errors))
      throw SILENT
    })
    if (token !== undefined) return token
    setRefused(cardRefused([]))
    throw SILENT
  }

  const resume = (hand: Hand) => void go(hand, false).catch((error) => error !== SILENT && reportError(error))
  const goOnWith = useEffectEvent((hand: Hand | undefined) => {
    if (!hand || going.current) return
    setFound(hand)
    if (goesOn(hand) && Date.now() - hand.at < GOES_ON_MS) resume(hand)
  })
  const look = useEffectEvent(() => {
    const hand = inHand()
    return hand ? Promise.resolve(hand) : find()
  })
  useEffect(() => void look().then((hand) => goOnWith(hand)), [place])

  return {
    stage,
    stuck,
    found,
    bought,
    refused,
    setRefused,
    resets,
    busy: stage !== undefined || bought !== undefined,
    async submit(needsCard: boolean, make: (token: string | undefined) => Omit<Hand, 'key' | 'at'>) {
      setRefused(undefined)
      const made = make(needsCard ? await cardToken() : undefined)
      await go({ ...made, key: crypto.randomUUID(), at: Date.now() } as Hand, true)
    },
    /** Sends what is in hand again, or sooner. */
    tryAgain: () => (stage ? tryNow() : resume(inHand() ?? found!)),
    forget() {
      keep(undefined)
      setFound(undefined)
    },
  }
}
