import type Stripe from 'stripe'
import { answer } from './api.ts'
import type { TypedCard } from './cards.ts'
import { jobsOf, webhookSecret, type Deliver } from './clockwork.ts'
import { createToken } from './customers.ts'
import { Refusal } from './refusal.ts'
import { answerSetup } from './setups.ts'
import { shopOf, type PaymentIntent, type Place, type SetupIntent } from './shop.ts'
import { armFault, changing, findAny, newId, type Fault } from './store.ts'
import { answerPayment } from './subscriptions.ts'

/** Makes a token from a typed card, as the provider's own script does. */
async function tokenOf(place: Place, card: TypedCard): Promise<{ token: string } | { refused: string }> {
  try {
    return { token: (await createToken(shopOf(place, place.db), card)).id }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message }
    throw error
  }
}

/** The intent's new status; null if no challenge has this secret. */
async function answerChallenge(place: Place, clientSecret: string, succeed: boolean): Promise<string | null> {
  const [id = ''] = clientSecret.split('_secret_')
  return changing(place.db, async (db) => {
    const intent = (await findAny(db, id)) as PaymentIntent | SetupIntent | undefined
    if (!intent || intent.client_secret !== clientSecret) return null
    const shop = shopOf(place, db)
    const answered =
      intent.object === 'setup_intent'
        ? await answerSetup(shop, intent, succeed)
        : await answerPayment(shop, intent, succeed)
    return answered.status
  })
}

export const openSandbox = (place: Place) => ({
  webhookSecret: webhookSecret(place.secret),
  /** Replaces the SDK's network connection. */
  httpClient: (sdk: typeof Stripe) => clientOf(sdk, place),
  token: (card: TypedCard) => tokenOf(place, card),
  answerChallenge: (clientSecret: string, succeed: boolean) => answerChallenge(place, clientSecret, succeed),
  arm: (call: string, fault: Fault, times: number) => armFault(place.db, call, fault, times),
  /** The provider's own jobs: renewals, and events to our endpoint. */
  jobs: (deliver: Deliver) => jobsOf(place, deliver),
})
export type PaymentSandbox = ReturnType<typeof openSandbox>

function clientOf(sdk: typeof Stripe, place: Place): Stripe.HttpClient {
  class SandboxResponse extends sdk.HttpClientResponse {
    readonly text: string
    constructor(status: number, text: string) {
      super(status, { 'content-type': 'application/json', 'request-id': newId('req') })
      this.text = text
    }
    override getRawResponse = () => ({})
    override toJSON = () => Promise.resolve(JSON.parse(this.text) as unknown)
  }
  return new (class extends sdk.HttpClient {
    override getClientName = () => 'sandbox'
    override async makeRequest(
      _host: string,
      _port: string,
      path: string,
      method: string,
      headers: Record<string, unknown>,
      body: string,
      _protocol: string,
      timeout: number,
    ) {
      const key = headers['Idempotency-Key'] as string | undefined
      const { status, body: said } = await answer(place, { method, path, body: body ?? '', key, timeout })
      // A copy, as a network would deliver.
      return new SandboxResponse(status, JSON.stringify(said))
    }
  })()
}
