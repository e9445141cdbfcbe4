import type { Input } from '#contract/call.ts'
import * as calls from '#contract/payments.ts'
import { sandboxCard, sandboxChallenge } from '#contract/sandbox.ts'
import { api } from '../lib/api.ts'
import { refusalOf, useForForm } from '../lib/for-form.ts'
import { query } from '../lib/queries.ts'
import { say, sentence } from '../ui/say.ts'

const NOT_REACHED = sentence('We couldn’t reach VetChat, so nothing was saved. Please try again.')

/** What failed waits for its Try again. */
export const myPaymentMethod = { ...query(calls.myPaymentMethod, {}), retryOnMount: false }

export const useUpdatePaymentMethod = () =>
  useForForm(calls.updatePaymentMethod, {
    invalidates: [calls.myPaymentMethod],
    unanswered: say(NOT_REACHED),
  })

/** A bank's customer answers its question; while no provider is set, in our own dialog. */
export const answerChallenge = (client_secret: string, succeed: boolean) =>
  api(sandboxChallenge, { client_secret, succeed })

/** Gives a card's number away for a token, as the provider's own script would. */
export const cardToken = (card: Input<typeof sandboxCard>) =>
  api(sandboxCard, card).catch((error: unknown) => {
    throw refusalOf(error, say(NOT_REACHED))
  })
