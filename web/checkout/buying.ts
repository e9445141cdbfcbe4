import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import type { Output } from '#contract/call.ts'
import type { newUserConsultation, payForConsult } from '#contract/checkout.ts'
import { CONSULT_TYPES, listConsultations } from '#contract/consultations.ts'
import { sentenceOf } from '#contract/errors.ts'
import { queueStatus } from '#contract/queue.ts'
import type { Photo } from '../consultations/photo-draft.ts'
import { roomOf } from '../lib/room-address.ts'
import { tellAnalytics } from '../lib/analytics.ts'
import type { ApiError } from '../lib/api.ts'
import { refusalOf } from '../lib/for-form.ts'
import { canStore, NO_STORAGE } from '../lib/no-storage.ts'
import { keepSingleToken, singleToken } from '../lib/session.ts'
import type { CardHandle } from '../payments/card-handle.ts'
import { NOT_CONFIRMED, NotConfirmed } from '../purchases/send-until-paid.ts'
import { CARD_REFUSED, COUPON_REFUSED, usePurchase } from '../purchases/purchase.ts'
import { leaveDraft } from '../ui/form-draft.ts'
import type { Refusal } from '../ui/form.tsx'
import { say } from '../ui/say.ts'
import type { Bill } from './bill.tsx'
import { answerOtherTabs, askOtherTabs, type SentConsult, keep } from './sent-consult.ts'
import {
  asTyped,
  type ConsultType,
  payInput,
  type PurchaseForm,
  type PurchaseTyped,
} from './purchase-rules.ts'
import { useBegin, usePayForConsult } from './queries.ts'

/** The same consult is already open, so nothing was charged. */
interface AlreadyOpen {
  open: { id: number; type: number }
}

const paidBy = ({ purchase, customer }: Output<typeof payForConsult>) => ({
  purchase,
  customer_id: customer.id,
})

/** Another device or tab paid for the same consult. */
const PAID = ['CONSULT_PAID_ALREADY', 'CONSULT_PAID_TWICE']
const AWAY = ['NOBODY_ON_DUTY', 'CONSULT_CLOSED_HOURS']

interface Notice {
  title: string
  says?: string
}

/** The bank's own words about the card follow our sentence. */
function noticeOf({ status, code, message }: ApiError): Notice {
  if (code === 'COUPON_INVALID') return { title: say(message), says: say(COUPON_REFUSED) }
  if (status !== 402) return { title: say(message) }
  const says = say('Nothing was charged. Another card may work.')
  return code === 'CARD_REFUSED'
    ? { title: say(sentenceOf('PAYMENT_FAILED')), says: `${say(message)} ${says}` }
    : { title: say(message), says }
}

function tellBought({ input: { consult, amount, currency } }: SentConsult) {
  const isVideo = consult === CONSULT_TYPES.video
  const path = `/${isVideo ? 'video' : 'chat'}-purchase`
  const what = { path, item: 'consult', item_name: isVideo ? 'video' : 'text' }
  tellAnalytics({ event: 'purchase', ...what, value: amount, currency })
  tellAnalytics({ event: 'consult', ...what })
}

async function storePhotos(consultation: number, photos: Photo[]) {
  const { handOverPhotos } = await import('../consultations/photo-draft.ts')
  await handOverPhotos('purchase', consultation, photos)
}

/** Buys one consult, for people without a membership. */
export function useBuying({
  form,
  type,
  bill,
  card,
  photos,
  onPrice,
}: {
  form: PurchaseForm
  type: ConsultType
  bill: Bill
  card: RefObject<CardHandle | null>
  photos: Photo[]
  /** The server's price differs from ours. */
  onPrice: (amount: number) => void
}) {
  const client = useQueryClient()
  const send = usePayForConsult()
  const begin = useBegin()
  const [news, setNews] = useState('')
  useEffect(() => answerOtherTabs(), [])
  /** If another tab is buying it or has just bought it, the page loads again, and finds the consult. */
  async function joinOtherTab() {
    if ((await askOtherTabs()) ?? singleToken()) location.assign('')
  }

  const { submit, ...purchase } = usePurchase({
    place: 'purchase:consult',
    draft: 'purchase',
    card,
    send: (sent: SentConsult) => send(sent),
    human: ({ input }) => (input.amount === 0 ? 'pay' : undefined),
    async buy(sent, steps): Promise<Output<typeof newUserConsultation> | AlreadyOpen> {
      const answer = sent.paid ? undefined : await steps.pay(sent)
      if (answer?.open) return { open: answer.open }
      const paid = sent.paid ?? paidBy(answer!)
      keep({ ...sent, paid })
      const { user, details, consult, coupon_code, agreed, terms } = sent.input
      const bought = { ...user, ...details!, ...paid, consult_type: consult, coupon_code, agreed, terms }
      return steps.ask(() => begin(bought), 'opening')
    },
    onBought(sent, goods) {
      // Back leads to what is open, not to the form for another pet. The page stays as it is until the buyer leaves it.
      history.replaceState(history.state, '', location.pathname)
      history.scrollRestoration = 'manual'
      if ('open' in goods) return location.assign(roomOf(goods.open))
      const { consultation, token } = goods
      tellBought(sent)
      // The buyer needn't type it again if they join. We ask for consent again.
      const asked = { issue: undefined, agreed: undefined, shares: undefined, news: undefined }
      leaveDraft('joining', { ...form.hook.getValues(), ...asked })
      keepSingleToken(token, consultation.id)
      const room = roomOf({ id: consultation.id, type: Number(sent.input.consult) })
      // The buyer enters the room with or without the photos.
      storePhotos(consultation.id, photos)
        .catch(reportError)
        .finally(() => location.assign(room))
    },
    refusedBy(error, isTyped) {
      if (error instanceof NotConfirmed) {
        const says = say('Try again, or use another card.')
        return { notice: { title: say(NOT_CONFIRMED), says }, startsAfresh: true }
      }
      if (isTyped && Object.keys(error.fields).length > 0)
        return { fields: asTyped(refusalOf(error) as Refusal, form.hook.getValues()) }
      void bill.lookAgain()
      if (error.code === 'price_changed') {
        setNews(error.message)
        onPrice((error.body['price'] as { amount: number }).amount)
        return {}
      }
      if (PAID.includes(error.code ?? '')) void joinOtherTab()
      const isAway = AWAY.includes(error.code ?? '')
      if (error.code === 'CONSULTS_OPEN')
        void client.invalidateQueries({ queryKey: [listConsultations.path] })
      if (isAway) void client.invalidateQueries({ queryKey: [queueStatus.path] })
      return { notice: noticeOf(error), startsAfresh: !isAway }
    },
    cardRefused: (errors): Notice | undefined =>
      errors.length > 0
        ? { title: say(CARD_REFUSED), says: errors.map((error) => say(error)).join('\n') }
        : undefined,
    resumes: () => true,
    find: askOtherTabs,
  })

  return {
    ...purchase,
    news,
    submit(typed: PurchaseTyped) {
      setNews('')
      // Without storage, the browser couldn't open the room afterwards.
      if (!canStore()) {
        purchase.setRefused({ title: say('Nothing was charged'), says: say(NO_STORAGE) })
        throw { errors: [] } satisfies Refusal
      }
      const { pays: amount, currency, code: coupon } = bill
      return submit(amount > 0, (token) => ({
        input: payInput(typed, { type, amount, currency, coupon, token }),
      }))
    },
  }
}
