import { randomBytes } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { REGIONS } from '#contract/regions.ts'
import { addMinutes, secondsOf } from '#contract/time.ts'
import { record } from '../../identity/audit.ts'
import { hashOf } from '../../identity/secrets.ts'
import type { Charge, PaymentIntent, Refund } from '../../providers/stripe-sandbox/shop.ts'
import type { Thing } from '../../providers/stripe-sandbox/store.ts'
import type { Db } from '../client.ts'
import { columnsOf } from '../columns-of.ts'
import { consultations, ledger, purchases, refunds, users } from '../schema.ts'
import { BOUGHT_ALONE } from './consults.ts'
import { emailOf, type PersonName } from './people.ts'

const { currency, prices } = REGIONS.za

/** What every purchase of the demo has in common. */
export const paidPurchase = (kind: 'consult' | 'membership', owner: PersonName, at: Date) => ({
  kind,
  state: 'delivered' as const,
  email: emailOf(owner),
  region: 'za' as const,
  currency,
  tokenHash: hashOf(randomBytes(16).toString('hex')),
  idempotencyKey: `demo-${kind}-${owner}`,
  payloadHash: hashOf(owner),
  stripeCustomer: `cus_demo_${owner}`,
  createdAt: at,
  paidAt: at,
  deliveredAt: at,
})

/** The demo's payments: memberships, and a partly refunded consult that owner@ bought before joining. */
export async function fillPaid(db: Db): Promise<void> {
  const [consult] = await db
    .select(columnsOf(consultations, 'id', 'start', 'userId', 'end'))
    .from(consultations)
    .where(eq(consultations.petIssue, BOUGHT_ALONE))
  const joined = await chargesOfMembers(db)
  // Receipts are numbered in the order in which the money came in.
  await db.insert(ledger).values(joined.filter(({ at }) => at <= consult!.start))
  await fillConsult(db, consult!)
  await db.insert(ledger).values(joined.filter(({ at }) => at > consult!.start))
}

async function chargesOfMembers(db: Db) {
  const memberships = await db
    .select()
    .from(purchases)
    .where(eq(purchases.kind, 'membership'))
    .orderBy(purchases.paidAt)
  return memberships.map(({ id, paidAt, amount, currency, region, userId, subscriptionId }) => ({
    at: paidAt!,
    kind: 'charge' as const,
    amount,
    currency,
    region,
    what: 'membership' as const,
    userId,
    purchaseId: id,
    subscriptionId,
    stripeId: `pi_demo_${id}`,
  }))
}

type Consult = Pick<typeof consultations.$inferSelect, 'id' | 'start' | 'userId' | 'end'>

async function fillConsult(db: Db, { id: consultationId, start: at, userId, end }: Consult) {
  const [bought] = await db
    .insert(purchases)
    .values({
      ...paidPurchase('consult', 'owner', at),
      userId,
      amount: prices.consult,
      order: {},
      stripeIntent: 'pi_demo_consult',
      consultationId,
    })
    .returning({ id: purchases.id })
  const row = {
    currency,
    region: 'za',
    what: 'consult',
    userId,
    purchaseId: bought!.id,
    consultationId,
  } as const
  const [charge] = await db
    .insert(ledger)
    .values({ ...row, at, kind: 'charge', amount: prices.consult, stripeId: 'pi_demo_consult' })
    .returning({ id: ledger.id })
  const [admin] = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, emailOf('admin')))
  const back = { chargeId: charge!.id, at: addMinutes(end!, 30) }
  const amount = prices.consult / 3
  const reason = 'The connection dropped twice, and you had to wait.'
  await db.insert(refunds).values({
    chargeId: back.chargeId,
    amount,
    why: 'by_us',
    reason,
    byUserId: admin!.id,
    idempotencyKey: 'demo-refund-owner',
    stripeRefund: 're_demo_consult',
    createdAt: back.at,
    doneAt: back.at,
  })
  await db
    .insert(ledger)
    .values({ ...row, ...back, kind: 'refund', amount: -amount, stripeId: 're_demo_consult' })
  await record({ db, now: () => back.at }, admin!.id, 'refunded', ['charge', back.chargeId], { reason })
}

/** The same payments in the provider's sandbox, so that they can be refunded. */
export async function paidAtProvider(db: Db): Promise<Thing[]> {
  const rows = await db.select().from(ledger).where(like(ledger.stripeId, '%\\_demo\\_%'))
  return rows.flatMap(({ id, kind, at, amount, currency, stripeId, chargeId }): Thing[] => {
    const basics = { created: secondsOf(at), currency, status: 'succeeded' as const, metadata: {} }
    if (kind === 'refund') {
      const intent = rows.find((row) => row.id === chargeId)!.stripeId
      const refund: Refund = {
        id: stripeId,
        object: 'refund',
        ...basics,
        amount: -amount,
        charge: intent.replace('pi_', 'ch_'),
        payment_intent: intent,
      }
      return [refund]
    }
    const back = rows.filter((row) => row.chargeId === id).reduce((sum, row) => sum - row.amount, 0)
    const intent: PaymentIntent = {
      id: stripeId,
      object: 'payment_intent',
      ...basics,
      amount,
      amount_received: amount,
      client_secret: `${stripeId}_secret_demo`,
      payment_method: null,
      last_payment_error: null,
      latest_charge: stripeId.replace('pi_', 'ch_'),
      sandbox: { invoice: null, present: true },
    }
    const charge: Charge = {
      id: intent.latest_charge!,
      object: 'charge',
      ...basics,
      amount,
      amount_captured: amount,
      amount_refunded: back,
      disputed: false,
      payment_intent: stripeId,
    }
    return [intent, charge]
  })
}
