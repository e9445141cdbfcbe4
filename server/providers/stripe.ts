import type Stripe from 'stripe'
import { fail } from '#contract/errors.ts'
import type { Env } from '../env.ts'
import type { Payments } from './payments.ts'
import {
  aboutOf,
  type Ask,
  orRefused,
  checkingAnswers,
  dateOf,
  intentFrom,
  reached,
  unlessInvalid,
  unlessMissing,
} from './stripe-answers.ts'
import { cardsOf } from './stripe-cards.ts'
import { movementsOf } from './stripe-movements.ts'
import { openSandbox } from './stripe-sandbox/sandbox.ts'
import type { Place } from './stripe-sandbox/shop.ts'
import { subscriptionsOf } from './stripe-subscriptions.ts'

/** A provider that hangs counts as out of reach after half a minute: this long for each try with the same key. */
const TIMEOUT_MS = 10_000
const RETRIES = 2
const SIGNATURE_LASTS_S = 300

export function openPayments(env: Pick<Env, 'stripe' | 'sandbox' | 'isIdle'>, place: Place): Payments {
  const isOff = env.isIdle || (!env.stripe && env.sandbox === 'off')
  const sandbox = env.stripe || isOff ? null : openSandbox(place)
  let opened: Promise<Stripe> | undefined

  /** Loads the SDK at its first use, so that a process that sells nothing stays small. */
  async function open() {
    if (isOff) fail('PAYMENTS_OFF')
    const { default: Sdk } = await import('stripe')
    return new Sdk(env.stripe?.secretKey ?? 'sk_test_sandbox', {
      maxNetworkRetries: RETRIES,
      timeout: TIMEOUT_MS,
      telemetry: false,
      httpClient: checkingAnswers(sandbox ? sandbox.httpClient(Sdk) : Sdk.createNodeHttpClient()),
    })
  }
  const provider = () => (opened ??= open())
  const ask: Ask = async (work) => reached(work(await provider()))

  return {
    publishableKey: env.stripe?.publishableKey ?? null,
    isOff,
    sandbox,
    ...cardsOf(ask),
    ...subscriptionsOf(ask),
    ...movementsOf(ask),
    async charge({ customer, card, amount, currency, purchase, what }, idempotencyKey) {
      return orRefused(async () => {
        const asked = await ask((stripe) =>
          stripe.paymentIntents.create(
            {
              customer,
              payment_method: card,
              amount,
              currency,
              description: what,
              allowed_payment_method_types: ['card'],
              confirm: true,
              use_stripe_sdk: true,
              metadata: { purchase: String(purchase) },
            },
            { idempotencyKey },
          ),
        )
        // A repeated answer has the state of that time, so we ask for the current one.
        const intent =
          asked.status === 'succeeded'
            ? intentFrom(asked)
            : ((await this.intent(asked.id)) ?? intentFrom(asked))
        return { state: 'asked', intent }
      })
    },
    async intent(id) {
      const intent = await ask((stripe) => stripe.paymentIntents.retrieve(id)).catch(unlessMissing)
      return intent && intentFrom(intent)
    },
    async intentOf(customer, purchase) {
      const { data } = await ask((stripe) => stripe.paymentIntents.list({ customer, limit: 100 }))
      return data.find(({ metadata }) => metadata['purchase'] === String(purchase))?.id ?? null
    },
    async cancelIntent(id, idempotencyKey) {
      await ask((stripe) => stripe.paymentIntents.cancel(id, {}, { idempotencyKey })).catch(unlessInvalid)
    },
    async eventOf(body, signature) {
      if (isOff) return null
      const stripe = await provider()
      const secret = env.stripe?.webhookSecret ?? sandbox!.webhookSecret
      const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1])
      // The SDK checks only for timestamps that have expired, not for those in the future.
      if (signedAt * 1000 > place.now().getTime() + SIGNATURE_LASTS_S * 1000) return null
      try {
        const event = await stripe.webhooks.constructEventAsync(
          body,
          signature,
          secret,
          SIGNATURE_LASTS_S,
          undefined,
          place.now().getTime(),
        )
        const about = aboutOf(event.data.object as unknown as Record<string, unknown>)
        return { id: event.id, type: event.type, at: dateOf(event.created), ...about }
      } catch {
        return null
      }
    },
  }
}
