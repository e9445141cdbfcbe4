import { type RefObject, useRef } from 'react'
import type { User } from '#contract/accounts.ts'
import { sentenceOf } from '#contract/errors.ts'
import { joiningAction } from '#contract/human.ts'
import type { Output } from '#contract/call.ts'
import type { subscribe } from '#contract/joining.ts'
import { tellAnalytics } from '../lib/analytics.ts'
import { refusalOf } from '../lib/for-form.ts'
import type { CardHandle } from '../payments/card-handle.ts'
import { NOT_CONFIRMED, NotConfirmed } from '../purchases/send-until-paid.ts'
import type { SentPurchase } from '../purchases/sent-purchase.ts'
import { CARD_REFUSED, COUPON_REFUSED, usePurchase } from '../purchases/purchase.ts'
import { leaveDraft } from '../ui/form-draft.ts'
import type { Refusal } from '../ui/form.tsx'
import { say } from '../ui/say.ts'
import {
  asTyped,
  type JoiningForm,
  type JoinInput,
  joinInput,
  type JoiningTyped,
  type UpgradeInput,
  upgradeInput,
} from './joining-rules.ts'
import type { Deal } from './plans.tsx'
import { useLookAgain, useSubscribe, useUpgrade } from './queries.ts'

/** Errors about the card or the payment, which reset the card fields. */
const OF_PAYMENT = 402

/** New people type their password again, because we never store it. */
export interface SentMembership extends SentPurchase<JoinInput | UpgradeInput> {
  /** The price as the button showed it. */
  pays: string
}
export const isJoin = (input: SentMembership['input']): input is JoinInput => 'email' in input

interface Refused {
  /** The sentences in the dialog. Without any, it stays closed. */
  says: string[]
  hasAccount?: boolean
}

/** Buys a membership, for new people and for owners without one. */
export function useJoining({
  user,
  form,
  deal,
  card,
}: {
  /** The signed-in owner; undefined for new people. */
  user: User | undefined
  form: JoiningForm
  deal: Deal
  /** Null when the card on file pays. */
  card: RefObject<CardHandle | null>
}) {
  const join = useSubscribe()
  const upgrade = useUpgrade()
  const lookAgain = useLookAgain()
  const password = useRef('')

  const { submit, tryAgain, setRefused, ...purchase } = usePurchase({
    place: user ? 'purchase:upgrade' : 'purchase:join',
    draft: form.draft!,
    card,
    send: ({ key, input }: SentMembership): Promise<Output<typeof subscribe>> =>
      isJoin(input)
        ? join({ key, input: { ...input, password: password.current } })
        : upgrade({ key, input }),
    human: ({ input }) => joiningAction(input.plan === 'monthly' ? 'monthly' : 'annual'),
    buy: (sent, { pay }) => pay(sent),
    onBought({ input }) {
      const path = isJoin(input) ? '/subscribe' : '/upgrade'
      tellAnalytics({ event: 'purchase', path, item: 'membership', item_name: input.plan })
      if (isJoin(input)) leaveDraft('login', { email: input.email, isNew: true })
      else location.assign('/myaccount')
    },
    refusedBy(error, isTyped) {
      if (error instanceof NotConfirmed) return { notice: { says: [say(NOT_CONFIRMED)] }, startsAfresh: true }
      const { code, status, fields, errors } = error
      const startsAfresh = status === OF_PAYMENT
      const hasAccount = code === 'EMAIL_HAS_ACCOUNT'
      const beside = isTyped && !startsAfresh ? Object.values(fields) : []
      const ofForm = beside.length > 0 && {
        fields: asTyped(refusalOf(error) as Refusal, form.hook.getValues()),
      }
      if (ofForm && !hasAccount)
        return { ...ofForm, notice: { says: errors.filter((message) => !beside.includes(message)) } }
      if (code === 'ALREADY_A_MEMBER') void lookAgain()
      void deal.lookAgain()
      if (code === 'token_already_used') return { ...ofForm, notice: { says: [] }, startsAfresh }
      const says = errors.length > 0 ? errors : [sentenceOf('PAYMENT_FAILED')]
      const after = startsAfresh
        ? [say('Nothing was charged. Another card may work.')]
        : code === 'COUPON_INVALID'
          ? [say(COUPON_REFUSED)]
          : []
      return { ...ofForm, notice: { says: [...says, ...after], hasAccount }, startsAfresh }
    },
    cardRefused: (errors): Refused => ({
      says: errors.length > 0 ? [say(CARD_REFUSED), ...errors] : [sentenceOf('CARD_MISSING')],
    }),
    resumes: ({ input }) => !isJoin(input),
  })

  return {
    ...purchase,
    /** Closes the dialog. The sentence under the button remains. */
    clear: () => setRefused((before) => before && { ...before, says: [] }),
    submit(typed: JoiningTyped, needsCard: boolean) {
      password.current = typed.password
      return submit(needsCard, (token) => {
        const sold = { plan: deal.plan, promo: deal.promo, coupon: deal.code, token }
        return { input: user ? upgradeInput(typed, sold) : joinInput(typed, sold), pays: deal.says.pays }
      })
    },
    tryAgain(typed: string) {
      // A purchase in progress already has its password.
      if (!purchase.stage) password.current = typed
      tryAgain()
    },
  }
}
