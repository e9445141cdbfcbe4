import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { User } from '#contract/accounts.ts'
import { words } from '#contract/errors.ts'
import { NotConfirmed } from '../checkout/settling.ts'
import { tellAnalytics } from '../lib/analytics.ts'
import { ApiError } from '../lib/api.ts'
import { refusalOf } from '../lib/for-form.ts'
import type { CardHandle } from '../payments/card-handle.ts'
import { clearDraft, leaveDraft } from '../ui/form-draft.ts'
import type { Refusal } from '../ui/form.tsx'
import { say, sentence } from '../ui/say.ts'
import { type InHand, inHand, isJoin, keep } from './in-hand.ts'
import { asTyped, joinInput, type JoiningTyped, upgradeInput } from './joining-typed.ts'
import type { Deal } from './plans.tsx'
import { useLookAgain } from './queries.ts'
import { useSettle } from './settling.ts'

/** How long the card's fields are away after a payment failed. */
const RESET_MS = 5000
/** What was sent longer ago goes on only when it is pressed for. */
const GOES_ON_MS = 15 * 60_000
/** Long enough to read that it worked. */
const THEN_LOGIN_MS = 3000

export const DRAFT = 'joining'
const SILENT: Refusal = { errors: [] }
const NOT_CONFIRMED = sentence('Your bank did not confirm the payment, so nothing was charged.')
const CARD_REFUSED = sentence('Failed to validate provided card details, try again.')
/** About the card or the payment: its fields start afresh. */
const OF_PAYMENT = 402

interface Refused {
  /** Under the button. */
  retry: string
  /** In the dialog. */
  says: string[]
  hasAccount: boolean
}

/** The press of the button and all that can come of it, also after a reload. */
export function useJoining({
  user,
  deal,
  card,
  leave,
}: {
  /** Who has an account; undefined for who is new. */
  user: User | undefined
  deal: Deal
  /** Null where the card on file pays. */
  card: RefObject<CardHandle | null>
  leave: (path: string) => void
}) {
  const place = user ? 'purchase:upgrade' : 'purchase:join'
  const lookAgain = useLookAgain()
  const [refused, setRefused] = useState<Refused>()
  const [resets, setResets] = useState(false)
  /** Stands in place of the form: found after a reload, or without an answer. */
  const [found, setFound] = useState<InHand>()
  const [joined, setJoined] = useState<InHand>()
  const { stage, settle, tryNow } = useSettle(place, { onSilence: () => setFound(inHand(place)) })
  const going = useRef(false)

  useEffect(() => {
    if (!resets) return
    const timer = setTimeout(setResets, RESET_MS, false)
    return () => clearTimeout(timer)
  }, [resets])
  const goToLogin = useEffectEvent(() => leave('/login'))
  const isNew = joined !== undefined && isJoin(joined.input)
  useEffect(() => {
    if (!isNew) return
    const timer = setTimeout(goToLogin, THEN_LOGIN_MS)
    return () => clearTimeout(timer)
  }, [isNew])

  const refuse = (says: string[], hasAccount = false) =>
    setRefused({ retry: words('MEMBERSHIP_NOT_CREATED'), says, hasAccount })

  function hear(error: ApiError) {
    const { code, status, errors } = error
    if (status === OF_PAYMENT) setResets(true)
    if (code === 'ALREADY_A_MEMBER') void lookAgain()
    refuse(
      code === 'token_already_used' ? [] : errors.length > 0 ? errors : [words('PAYMENT_FAILED')],
      code === 'EMAIL_HAS_ACCOUNT',
    )
    void deal.lookAgain()
  }

  /** Carries it to the membership. Throws what the fields of the form have to say. */
  async function go(hand: InHand, password: string) {
    if (going.current) throw SILENT
    going.current = true
    setRefused(undefined)
    try {
      await settle(hand, password)
      const item = { item: 'membership', item_name: hand.input.plan }
      tellAnalytics({ event: 'purchase', path: isJoin(hand.input) ? '/subscribe' : '/upgrade', ...item })
      keep(place, undefined)
      clearDraft(DRAFT)
      setJoined(hand)
      if (isJoin(hand.input)) leaveDraft('login', { email: hand.input.email })
      else leave('/myaccount')
    } catch (error) {
      keep(place, undefined)
      setFound(undefined)
      if (error instanceof NotConfirmed) {
        setResets(true)
        refuse([say(NOT_CONFIRMED)])
      } else if (!(error instanceof ApiError)) throw error
      else {
        const { status, code, fields, errors } = error
        const ofFields = Object.keys(fields).length > 0 && !found && status !== OF_PAYMENT
        const isSaid = ofFields && code !== 'EMAIL_HAS_ACCOUNT'
        if (isSaid) refuse(errors.filter((message) => !Object.values(fields).includes(message)))
        else hear(error)
        if (ofFields) throw refusalOf(error)
      }
      throw SILENT
    } finally {
      going.current = false
    }
  }

  async function cardToken() {
    try {
      return await card.current?.token()
    } catch (error) {
      const { errors = [] } = error as Refusal
      if (errors.length > 0) refuse([say(CARD_REFUSED), ...errors])
      throw SILENT
    }
  }

  async function submit(typed: JoiningTyped, needsCard: boolean) {
    setRefused(undefined)
    const token = needsCard ? await cardToken() : undefined
    if (needsCard && token === undefined) {
      refuse([words('CARD_MISSING')])
      throw SILENT
    }
    const { plan, promo, code: coupon } = deal
    const sold = { plan, promo, coupon, token }
    const input = user ? upgradeInput(typed, sold) : joinInput(typed, sold)
    const hand = { key: crypto.randomUUID(), input, pays: deal.says.pays, at: Date.now() }
    try {
      await go(hand, typed.password)
    } catch (error) {
      throw error === SILENT ? error : asTyped(error as Refusal, typed)
    }
  }

  const finish = (hand: InHand, password: string) =>
    void go(hand, password).catch((error) => error !== SILENT && reportError(error))
  const goOnWith = useEffectEvent((hand: InHand) => {
    setFound(hand)
    if (!isJoin(hand.input) && Date.now() - hand.at < GOES_ON_MS) finish(hand, '')
  })
  useEffect(() => {
    void Promise.resolve(inHand(place)).then((held) => held && goOnWith(held))
  }, [place])

  return {
    submit,
    refused,
    /** The dialog was read; what stands under the button stays. */
    clear: () => setRefused((before) => before && { ...before, says: [] }),
    resets,
    busy: stage !== undefined || joined !== undefined,
    joined,
    unfinished: found && {
      hand: found,
      stage,
      onTry: (password: string) => (stage ? tryNow() : finish(found, password)),
      onForget() {
        keep(place, undefined)
        setFound(undefined)
      },
    },
  }
}
