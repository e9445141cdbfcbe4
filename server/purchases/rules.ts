import type { Ctx, World } from '../context.ts'
import { hashOf, macOf, sign, type Secrets } from '../identity/secrets.ts'
import type { Purchase } from './reads.ts'

/** A buyer without an account. */
export interface Buyer {
  firstName: string
  lastName: string
  email: string
  mobile: string
  postcode: string
  address: string
  userClinic: string
  news: boolean
}

/** The outcome of charging, or of checking on a charge. */
export type Charge<Goods> =
  | { state: 'done'; paid: { intent: string; amount: number } | null; goods: Goods | null }
  /** The bank challenges its customer. The id is the payment's at the provider. */
  | { state: 'challenge'; id: string; clientSecret: string }
  /** The bank has not answered yet. */
  | { state: 'processing'; id: string }
  | Refused
  | { state: 'gone' }

export interface Refused {
  state: 'refused'
  message: string
  code?: Exclude<RefusalCode, 'CARD_REFUSED'>
}

/** A buyer who tried a card too often waits for the limit's whole window. */
export const REFUSALS = {
  CARD_REFUSED: {},
  token_already_used: {},
  CARD_CANCELLED_OFTEN: {},
  TOO_MANY_TRIES: { values: { minutes: 60 }, retryAfter: 3600 },
}

export type RefusalCode = keyof typeof REFUSALS

/** What a purchase's row stores once it is delivered. */
export interface Delivered<Order> {
  /** The part of the order that stays. */
  order: Partial<Order>
  userId?: number
  consultationId?: number
  subscriptionId?: number
  stripeSubscription?: string
}

/**
 * One kind of thing that can be bought: how the purchase machine charges, checks and delivers it. Its order has
 * everything that charging and delivering need.
 */
export interface Kind<Order extends object = object, Goods = unknown> {
  kind: Purchase['kind']
  /** The payment's name in the ledger. */
  what: 'consult' | 'membership'
  idColumn: 'stripeIntent' | 'stripeSubscription'
  /** How many milliseconds the buyer has to fetch the purchase before the clock delivers it; null delivers it with the payment. */
  deliversAfter: number | null
  /** Charges the buyer. Repeated with the purchase's keys, it charges once. */
  charge(world: World, purchase: Purchase<Order>): Promise<Charge<Goods>>
  /** Checks on a charge. One that failed or is given up is ended, so it can't be paid later. */
  check(world: World, purchase: Purchase<Order>, id: string, giveUp: boolean): Promise<Charge<Goods>>
  /** Finds the provider's id once its keys have expired; null if nothing was begun. */
  find(world: World, purchase: Purchase<Order>): Promise<string | null>
  /** Whether this buys again what another purchase has just paid for. Runs within the transaction that stores the payment. */
  isTwice?(world: World, purchase: Purchase<Order>): Promise<boolean>
  /** Runs within the transaction that marks the purchase as delivered. */
  deliver(world: World, purchase: Purchase<Order>, goods: Goods | null): Promise<Delivered<Order>>
  /** Runs within the transaction that marks the purchase as failed. */
  release?(world: World, purchase: Purchase<Order>): Promise<void>
}

/** A row's order was written by its kind, so it has that kind's type. */
export const ofKind = <Order extends object>(_: Kind<Order>, row: Purchase) => row as Purchase<Order>

/** A purchase's state. While paying, it waits for the bank's challenge if there is a secret, else for the provider. */
export interface Outcome<Order = object> {
  purchase: Purchase<Order>
  clientSecret: string | null
}

const keyText = (idempotencyKey: string) => `purchase ${idempotencyKey}`

/**
 * Only the paying browser has this token. It's derived from the purchase's key, so the same request gets
 * the same token again, and we don't store it.
 */
export const newPurchaseToken = (secrets: Secrets, idempotencyKey: string) =>
  sign(secrets, keyText(idempotencyKey))

/** The token that a purchase got when it was stored, perhaps with an earlier secret. */
export function purchaseToken(
  secrets: Secrets,
  { idempotencyKey, tokenHash }: Pick<Purchase, 'idempotencyKey' | 'tokenHash'>,
): string {
  const tokens = secrets.map((secret) => macOf(secret, keyText(idempotencyKey)))
  return tokens.find((token) => hashOf(token) === tokenHash) ?? tokens[0]!
}

/** What the page needs to show the bank's challenge. */
export const challengeOf = ({ secrets }: Pick<World, 'secrets'>, { purchase, clientSecret }: Outcome) =>
  clientSecret === null
    ? null
    : {
        status: 'requires_action' as const,
        client_secret: clientSecret,
        purchase: purchaseToken(secrets, purchase),
      }

/** The sender's key, and the hash of what came with it: the same key means the same request. */
export interface Request {
  key: string
  payload: string
}

/** Without a key, a request is recognised by what is used `once`, such as its card's token, and by its whole input. */
export function requestOf(
  { idempotency }: Pick<Ctx, 'idempotency'>,
  who: string,
  sent: object,
  once: string,
): Request {
  const payload = hashOf(JSON.stringify(sent))
  return { key: `${who} ${idempotency?.key ?? `${once} ${payload}`}`, payload }
}
