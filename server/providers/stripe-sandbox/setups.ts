import { declined, verdictOnKeeping, type Decline } from './cards.ts'
import { attach, methodNamed } from './customers.ts'
import { needed, textIn, type Fields } from './form.ts'
import { Refusal } from './refusal.ts'
import {
  basics,
  putAndTell,
  shown,
  the,
  type Customer,
  type Failing,
  type PaymentMethod,
  type SetupIntent,
  type Shop,
} from './shop.ts'
import { newId, put } from './store.ts'

export const NEXT_ACTION = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'stripe_3ds2_fingerprint' } }

/** Puts a card on file: straight away, after a challenge, or not at all. */
export async function createSetup(shop: Shop, fields: Fields): Promise<SetupIntent> {
  const { id: customer } = await the<Customer>(shop, 'customer', needed(fields, 'customer'), 'customer')
  const method = await methodNamed(shop, fields)
  needed(fields, 'confirm')
  const id = newId('seti')
  const setup = await put(shop.db, {
    id,
    object: 'setup_intent',
    ...basics(shop),
    customer,
    client_secret: `${id}_secret_${newId('').slice(1)}`,
    status: 'requires_confirmation',
    payment_method: method.id,
    payment_method_types: ['card'],
    usage: textIn(fields, 'usage') ?? 'off_session',
    metadata: {},
    last_setup_error: null,
    next_action: null,
    latest_attempt: null,
  } as SetupIntent)
  const verdict = verdictOnKeeping(method.sandbox.behaviour, shop.whim)
  if (verdict.says === 'no') throw await refuseSetup(shop, setup, method, verdict.decline)
  if (verdict.says === 'challenge')
    return put(shop.db, { ...setup, status: 'requires_action' as const, next_action: NEXT_ACTION })
  return finishSetup(shop, setup, method)
}

const failSetup = (shop: Shop, setup: SetupIntent, error: Failing): Promise<SetupIntent> =>
  putAndTell(
    shop,
    {
      ...setup,
      status: 'requires_payment_method' as const,
      payment_method: null,
      next_action: null,
      last_setup_error: error,
    },
    'setup_intent.setup_failed',
  )

async function refuseSetup(shop: Shop, setup: SetupIntent, method: PaymentMethod, decline: Decline) {
  const error = { ...declined(decline), payment_method: shown(method) }
  const refused = await failSetup(shop, setup, error)
  return new Refusal(402, error.code, error.message, { ...error, setup_intent: shown(refused) })
}

async function finishSetup(shop: Shop, setup: SetupIntent, method: PaymentMethod): Promise<SetupIntent> {
  const ready = await put(shop.db, { ...method, sandbox: { ...method.sandbox, setUp: true } })
  if (setup.customer) await attach(shop, ready, setup.customer)
  const done = { status: 'succeeded' as const, next_action: null, last_setup_error: null }
  return putAndTell(shop, { ...setup, ...done }, 'setup_intent.succeeded')
}

/** The customer passed or failed the bank's challenge. */
export async function answerSetup(shop: Shop, setup: SetupIntent, succeed: boolean): Promise<SetupIntent> {
  if (setup.status !== 'requires_action') return setup
  const method = await the<PaymentMethod>(shop, 'payment_method', setup.payment_method!)
  if (succeed) return finishSetup(shop, setup, method)
  return failSetup(shop, setup, {
    type: 'invalid_request_error',
    code: 'setup_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  })
}
