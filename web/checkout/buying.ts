import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { lineStatus } from '#contract/queue.ts'
import { words } from '#contract/errors.ts'
import { tellAnalytics } from '../lib/analytics.ts'
import { ApiError } from '../lib/api.ts'
import { refusalOf } from '../lib/for-form.ts'
import { keepSingleToken } from '../lib/session.ts'
import type { CardHandle } from '../payments/card-handle.ts'
import { clearDraft } from '../ui/form-draft.ts'
import type { Refusal } from '../ui/form.tsx'
import { say, sentence } from '../ui/say.ts'
import type { Bill } from './bill.tsx'
import { answerOtherTabs, askOtherTabs, type InHand, inHand, keep } from './in-hand.ts'
import type { PurchaseForm } from './buying-form.tsx'
import { asTyped, type ConsultType, payInput, type PurchaseTyped, VIDEO } from './purchase-typed.ts'
import { NotConfirmed, useSettle } from './settling.ts'

/** How long the card's fields are away after a payment failed. */
const RESET_MS = 5000
/** What was sent longer ago goes on only when it is pressed for. */
const GOES_ON_MS = 15 * 60_000

const SILENT: Refusal = { errors: [] }
const CARD_REFUSED = sentence('Failed to validate provided card details, try again.')
const NOT_CONFIRMED = sentence('Your bank did not confirm the payment, so nothing was charged.')

interface Refused {
  title: string
  says?: string
}

/** What the bank says of a card stands behind what it means here. */
function refusedBy({ status, code, message }: ApiError): Refused {
  if (status !== 402) return { title: say(message) }
  const says = say('Nothing was charged. Try again, or use another card.')
  return code === 'CARD_REFUSED'
    ? { title: say(words('PAYMENT_FAILED')), says: `${say(message)} ${says}` }
    : { title: say(message), says }
}

/** That one was bought, and that a consult begins. */
function tellBought({ input: { consult, amount, currency } }: InHand) {
  const type = consult === VIDEO ? 'video' : 'text'
  const path = `/${consult === VIDEO ? 'video' : 'chat'}-purchase`
  const paid = { value: Number(amount), currency }
  tellAnalytics({ event: 'purchase', path, item: 'consult', item_name: type, ...paid })
  tellAnalytics({ event: 'consult', path, item: 'consult', item_name: type })
}

/** The press of the button and all that can come of it, also after a reload. */
export function useBuying({
  form,
  type,
  bill,
  card,
  onPrice,
  leave,
}: {
  form: PurchaseForm
  type: ConsultType
  bill: Bill
  card: RefObject<CardHandle | null>
  /** The server's price is another one. */
  onPrice: (amount: number) => void
  leave: (path: string) => void
}) {
  const client = useQueryClient()
  const [refused, setRefused] = useState<Refused>()
  const [news, setNews] = useState('')
  const [resets, setResets] = useState(false)
  /** Stands in place of the form: found after a reload, without an answer, or paid and stuck. */
  const [found, setFound] = useState<InHand>()
  const { stage, settle, tryNow } = useSettle({ onAlone: () => setFound(inHand()) })
  const [stuck, setStuck] = useState<string>()
  const [leaves, setLeaves] = useState(false)
  const going = useRef(false)

  useEffect(() => {
    if (!resets) return
    const timer = setTimeout(setResets, RESET_MS, false)
    return () => clearTimeout(timer)
  }, [resets])

  function notNow(error: ApiError) {
    if (error.code === 'price_changed') {
      setNews(error.message)
      onPrice((error.body['price'] as { amount: number }).amount)
      void bill.lookAgain()
      return
    }
    if (['NOBODY_ON_DUTY', 'CONSULT_CLOSED_HOURS'].includes(error.code ?? ''))
      void client.invalidateQueries({ queryKey: [lineStatus.path] })
    else setResets(true)
    setRefused(refusedBy(error))
  }

  /** Carries it to the consult. Throws what the fields of the form have to say. */
  async function go(hand: InHand) {
    if (going.current) throw SILENT
    going.current = true
    setRefused(undefined)
    setNews('')
    setStuck(undefined)
    try {
      const { consultation, token } = await settle(hand)
      setLeaves(true)
      tellBought(hand)
      keepSingleToken(token)
      keep(undefined)
      clearDraft('purchase')
      leave(`/${hand.input.consult === VIDEO ? 'video' : 'text'}-chat/${consultation.id}`)
    } catch (error) {
      const paid = inHand()?.paid && inHand()
      if (paid) {
        setFound(paid)
        setStuck(say(error instanceof ApiError ? error.message : words('UNEXPECTED')))
        throw SILENT
      }
      keep(undefined)
      setFound(undefined)
      if (error instanceof NotConfirmed) {
        setResets(true)
        setRefused({ title: say(NOT_CONFIRMED), says: say('Try again, or use another card.') })
      } else if (!(error instanceof ApiError)) throw error
      else if (Object.keys(error.fields).length > 0 && !found) throw refusalOf(error)
      else notNow(error)
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
      if (errors.length > 0)
        setRefused({ title: say(CARD_REFUSED), says: errors.map((error) => say(error)).join('\n') })
      throw SILENT
    }
  }

  async function submit(typed: PurchaseTyped) {
    setRefused(undefined)
    const token = bill.pays > 0 ? await cardToken() : undefined
    if (bill.pays > 0 && token === undefined) throw SILENT
    const input = payInput(typed, {
      type,
      amount: bill.pays,
      currency: bill.currency,
      coupon: bill.code,
      token,
    })
    try {
      await go({ key: crypto.randomUUID(), input, at: Date.now() })
    } catch (error) {
      throw error === SILENT ? error : asTyped(error as Refusal, typed)
    }
  }

  const resume = (hand: InHand) => void go(hand).catch((error) => error !== SILENT && reportError(error))
  const goOnWith = useEffectEvent((hand: InHand | undefined) => {
    if (!hand || going.current) return
    setFound(hand)
    if (Date.now() - hand.at < GOES_ON_MS) resume(hand)
  })
  useEffect(() => {
    const held = inHand()
    void (held ? Promise.resolve(held) : askOtherTabs()).then((hand) => goOnWith(hand))
    return answerOtherTabs()
  }, [])

  return {
    submit,
    refused,
    news,
    resets,
    busy: form.busy || stage !== undefined || leaves,
    finishing: found && {
      hand: found,
      stage,
      stuck,
      onTry: () => (stage ? tryNow() : resume(inHand() ?? found)),
    },
  }
}
