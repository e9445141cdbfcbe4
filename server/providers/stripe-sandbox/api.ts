import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import { inTurn } from '../../concurrency/in-turn.ts'
import {
  attachTo,
  createCustomer,
  createPaymentMethod,
  detach,
  findCustomer,
  updateCustomer,
} from './customers.ts'
import { createCoupon } from './coupons.ts'
import { fieldsIn, listIn, readForm, textIn, type Fields } from './form.ts'
import { cancelIntent, createIntent, createRefund } from './intents.ts'
import { invalid, Refusal } from './refusal.ts'
import { createSetup } from './setups.ts'
import { expand, listed, shopOf, shown, the, whimOf, type Place, type Shop } from './shop.ts'
import {
  answerOf,
  changing,
  claimKey,
  findAny,
  freeKey,
  keepAnswer,
  takeFaults,
  type Answer,
  type Fault,
  type Where,
} from './store.ts'
import {
  cancelSubscription,
  createProduct,
  createSubscription,
  payInvoice,
  removeCustomer,
  updateSubscription,
  voidInvoice,
} from './subscriptions.ts'

export interface Asked {
  method: string
  /** Includes the query. */
  path: string
  body: string
  key: string | undefined
  /** How long the sender waits for an answer, in milliseconds. */
  timeout: number
}

/** The connection ended before the answer came, or the answer took too long. */
class LostAnswer extends Error {
  readonly code: 'ECONNRESET' | 'ETIMEDOUT'
  constructor(message: string, code: LostAnswer['code']) {
    super(message)
    this.code = code
  }
}

type Run = (shop: Shop, fields: Fields, id: string) => Promise<object>

function route(call: string, takes: string, run: Run) {
  const [method, pathname] = call.split(' ')
  return { call, method, pattern: new URLPattern({ pathname }), takes: takes.split(' '), run }
}
const reading = (name: string, object: string) =>
  route(`GET /v1/${name}/:id`, '', (shop, _, id) => the(shop, object, id))
const listing = (name: string, object: string, by = 'customer', also?: { name: string; path: string }) =>
  route(
    `GET /v1/${name}`,
    `${by} ${also?.name ?? ''} limit starting_after created type status`,
    async (shop, fields) => {
      const status = textIn(fields, 'status')
      const most = Math.min(100, Math.max(1, Number(textIn(fields, 'limit') ?? 10)))
      const value = textIn(fields, by)
      const where: Where = {}
      if (by === 'customer') where.customer = value
      else if (value !== undefined) where.field = [by, value]
      if (status !== undefined && status !== 'all') where.field = ['status', status]
      const named = also && textIn(fields, also.name)
      if (named !== undefined) where.within = [also!.path, named]
      // There may be as many as all sales ever, but an index finds the few of one customer.
      const whose = named === undefined ? null : (await findAny(shop.db, named))?.customer
      const theirs = whose ? { customer: whose } : {}
      const { gte = '0', lt = String(Number.MAX_SAFE_INTEGER) } = fieldsIn(fields, 'created')
      const span = { created: { gte: Number(gte), lt: Number(lt) }, after: textIn(fields, 'starting_after') }
      return listed(shop, object, { ...where, ...theirs, ...span }, most)
    },
  )

/** What we use of Stripe. Anything else is refused. */
const ROUTES = [
  route('POST /v1/customers', 'email name metadata', createCustomer),
  route('GET /v1/customers/:id', '', (shop, _, id) => findCustomer(shop, id)),
  route('POST /v1/customers/:id', 'email name metadata invoice_settings', updateCustomer),
  route('DELETE /v1/customers/:id', '', removeCustomer),
  route('POST /v1/payment_methods', 'type card', createPaymentMethod),
  reading('payment_methods', 'payment_method'),
  listing('payment_methods', 'payment_method'),
  route('POST /v1/payment_methods/:id/attach', 'customer', attachTo),
  route('POST /v1/payment_methods/:id/detach', '', (shop, _, id) => detach(shop, id)),
  route(
    'POST /v1/setup_intents',
    'customer payment_method allowed_payment_method_types confirm usage use_stripe_sdk',
    createSetup,
  ),
  reading('setup_intents', 'setup_intent'),
  route(
    'POST /v1/payment_intents',
    'amount currency customer payment_method allowed_payment_method_types confirm use_stripe_sdk metadata description',
    createIntent,
  ),
  reading('payment_intents', 'payment_intent'),
  listing('payment_intents', 'payment_intent'),
  route('POST /v1/payment_intents/:id/cancel', '', (shop, _, id) => cancelIntent(shop, id)),
  listing('charges', 'charge'),
  route('POST /v1/refunds', 'payment_intent amount metadata', createRefund),
  listing('refunds', 'refund', 'payment_intent'),
  listing('disputes', 'dispute', 'payment_intent'),
  route(
    'POST /v1/coupons',
    'amount_off percent_off currency duration duration_in_months max_redemptions',
    createCoupon,
  ),
  route('POST /v1/products', 'id name', createProduct),
  reading('products', 'product'),
  route('POST /v1/subscriptions', 'customer items discounts payment_behavior metadata', createSubscription),
  reading('subscriptions', 'subscription'),
  listing('subscriptions', 'subscription'),
  route('POST /v1/subscriptions/:id', 'cancel_at_period_end', updateSubscription),
  route('DELETE /v1/subscriptions/:id', '', cancelSubscription),
  listing('invoices', 'invoice', 'customer', {
    name: 'subscription',
    path: 'parent,subscription_details,subscription',
  }),
  route('POST /v1/invoices/:id/pay', '', payInvoice),
  route('POST /v1/invoices/:id/void', '', voidInvoice),
]

/** Faults of requests; the others affect events. */
const OF_REQUESTS = ['lostAnswer', 'error500', 'slow', 'hang'] as const satisfies Fault[]
const OF_BANKS = ['decline', 'challenge'] as const satisfies Fault[]
const ASKS_BANK = /^POST \/v1\/(setup_intents|payment_intents|subscriptions|invoices\/:id\/pay)$/
const SLOW_MS = 2000

export async function answer(place: Place, asked: Asked): Promise<Answer> {
  const [path = '', query = ''] = asked.path.split('?')
  const route = ROUTES.find(
    ({ method, pattern }) => method === asked.method && pattern.test({ pathname: path }),
  )
  if (!route)
    return refused(
      new Refusal(
        404,
        null,
        `Unrecognized request URL (${asked.method}: ${path}). If you are trying to list objects, remove the trailing slash. If you are trying to retrieve an object, make sure you passed a valid (non-empty) identifier in your code.`,
      ),
    )
  const { id = '' } = route.pattern.exec({ pathname: path })!.pathname.groups
  const faults = await takeFaults(
    place.db,
    [`${asked.method} ${path}`, route.call],
    ASKS_BANK.test(route.call) ? [...OF_REQUESTS, ...OF_BANKS] : OF_REQUESTS,
  )
  if (faults.has('error500')) return refused(new Refusal(500, null, 'An unknown error occurred'))
  const fields = readForm(asked.method === 'POST' ? asked.body : query || asked.body)
  const answered = await keyed(place, asked, path, (db) =>
    perform(shopOf(place, db, whimOf(faults)), route, fields, decodeURIComponent(id)),
  )
  if (faults.has('slow')) await pause(SLOW_MS)
  if (faults.has('hang')) {
    await pause(asked.timeout)
    throw new LostAnswer('no answer', 'ETIMEDOUT')
  }
  if (faults.has('lostAnswer')) throw new LostAnswer('socket hang up', 'ECONNRESET')
  return answered
}

async function perform(
  shop: Shop,
  { takes, run }: ReturnType<typeof route>,
  fields: Fields,
  id: string,
): Promise<Answer> {
  try {
    const unknown = Object.keys(fields).find((name) => name !== 'expand' && !takes.includes(name))
    if (unknown !== undefined)
      throw invalid(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown })
    const body = shown(await run(shop, fields, id))
    for (const path of listIn(fields, 'expand')) await expand(shop, body, String(path))
    return { status: 200, body }
  } catch (error) {
    if (error instanceof Refusal) return refused(error)
    throw error
  }
}

const refused = ({ status, error }: Refusal): Answer => ({ status, body: { error } })

/** Makes changes one after another, and a change with a key once. */
async function keyed(
  { db, now }: Place,
  { method, key, body }: Asked,
  path: string,
  work: (db: Db) => Promise<Answer>,
): Promise<Answer> {
  if (method === 'GET') return work(db)
  const change = (inner: (db: Db) => Promise<Answer>) => inTurn('stripe sandbox', () => changing(db, inner))
  if (key === undefined || method === 'DELETE') return change(work)
  const hash = createHash('sha256').update(`${method} ${path}\n${body}`).digest('base64url')
  const claim = await claimKey(db, key, hash, now())
  if (claim.state === 'answered') return claim.answer
  if (claim.state === 'busy')
    return keyError(
      409,
      'idempotency_key_in_use',
      'There is currently another in-progress request using this Idempotent Key.',
    )
  if (claim.state === 'other')
    return keyError(
      400,
      null,
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    )
  try {
    return await change(async (db) => {
      const before = await answerOf(db, key)
      if (before) return before
      const answered = await work(db)
      // A corrected request may use the same key.
      if (answered.status === 400 || answered.status === 404) await freeKey(db, key)
      else await keepAnswer(db, key, answered)
      return answered
    })
  } catch (error) {
    await freeKey(db, key)
    throw error
  }
}

const keyError = (status: number, code: string | null, message: string): Answer => ({
  status,
  body: { error: { type: 'idempotency_error', ...(code && { code }), message } },
})
