import type { Input } from '#contract/call.ts'
import * as calls from '#contract/payments.ts'
import { sandboxCard, sandboxChallenge } from '#contract/sandbox.ts'
import { api } from '../lib/api.ts'
import { refusalOf, useForForm } from '../lib/for-form.ts'
import { query } from '../lib/queries.ts'
import { say, sentence } from '../ui/say.ts'

const NOT_REACHED = sentence('We couldn’t reach VetChat, so nothing was saved. Please try again.')

/** After a failed load, it is only loaded again when somebody presses Try again. */
export const myPaymentMethod = { ...query(calls.myPaymentMethod, {}), retryOnMount: false }

export const useUpdatePaymentMethod = () =>
  useForForm(calls.updatePaymentMethod, {
    invalidates: [calls.myPaymentMethod],
    unanswered: say(NOT_REACHED),
  })

/** Answers the bank's question in our own dialog, while no provider is configured. */
export const answerChallenge = (client_secret: string, succeed: boolean) =>
  api(sandboxChallenge, { client_secret, succeed })

/** Exchanges a card number for a token, as the provider's script would. */
export const cardToken = (card: Input<typeof sandboxCard>) =>
  api(sandboxCard, card).catch((error: unknown) => {
    throw refusalOf(error, say(NOT_REACHED))
  })
