import { declined, verdictOnKeeping } from './cards.ts'
import { attach, methodNamed } from './customers.ts'
import { needed, type Fields } from './form.ts'
import { Refusal } from './refusal.ts'
import {
  putAndTell,
  the,
  type Customer,
  type Failing,
  type PaymentMethod,
  type SetupIntent,
  type Shop,
} from './shop.ts'
import { newId, put } from './store.ts'

/** Puts a card on file: straight away, after a challenge, or not at all. */
export async function createSetup(shop: Shop, fields: Fields): Promise<SetupIntent> {
  const { id: customer } = await the<Customer>(shop, 'customer', needed(fields, 'customer'), 'customer')
  const method = await methodNamed(shop, fields)
  needed(fields, 'confirm')
  const id = newId('seti')
  const setup: SetupIntent = {
    id,
    object: 'setup_intent',
    created: shop.at,
    customer,
    client_secret: `${id}_secret_${newId('').slice(1)}`,
    status: 'requires_confirmation',
    payment_method: method.id,
    last_setup_error: null,
  }
  const verdict = verdictOnKeeping(method.sandbox.behaviour, shop.whim)
  if (verdict.says === 'no') {
    const error = declined(verdict.decline)
    await failSetup(shop, setup, error)
    throw new Refusal(402, error.code, error.message)
  }
  if (verdict.says === 'challenge') return put(shop.db, { ...setup, status: 'requires_action' as const })
  return finishSetup(shop, setup, method)
}

const failSetup = (shop: Shop, setup: SetupIntent, error: Failing): Promise<SetupIntent> =>
  putAndTell(
    shop,
    { ...setup, status: 'requires_payment_method' as const, payment_method: null, last_setup_error: error },
    'setup_intent.setup_failed',
  )

async function finishSetup(shop: Shop, setup: SetupIntent, method: PaymentMethod): Promise<SetupIntent> {
  const ready = await put(shop.db, { ...method, sandbox: { ...method.sandbox, setUp: true } })
  if (setup.customer) await attach(shop, ready, setup.customer)
  return putAndTell(shop, { ...setup, status: 'succeeded' as const }, 'setup_intent.succeeded')
}

/** The customer passed or failed the bank's challenge. */
export async function answerSetup(shop: Shop, setup: SetupIntent, succeed: boolean): Promise<SetupIntent> {
  if (setup.status !== 'requires_action') return setup
  const method = await the<PaymentMethod>(shop, 'payment_method', setup.payment_method!)
  if (succeed) return finishSetup(shop, setup, method)
  return failSetup(shop, setup, {
    code: 'setup_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  })
}
