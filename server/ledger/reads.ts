import {
  and,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  not,
  notExists,
  notInArray,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import type { Handler } from '../http/serve.ts'
import { idsOf } from '../db/ids-of.ts'
import { alias } from 'drizzle-orm/pg-core'
import type { Output } from '#contract/call.ts'
import type * as calls from '#contract/ledger.ts'
import { leftOf as leftIn } from '#contract/ledger.ts'
import { addDays } from '#contract/time.ts'
import { LATE_WITH_REFUND } from '../consultations/writes.ts'
import type { World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { isDispute } from '../db/kinds.ts'
import {
  consultations,
  customers,
  ledger,
  mails,
  pets,
  purchases,
  refunds,
  subscriptions,
  users,
} from '../db/schema.ts'
import type { Movement } from '../providers/money-movements.ts'
import {
  backOfCharge,
  hadAVet,
  isLateInSql,
  leftUnadvised,
  promisedByInSql,
} from '../consultations/room-reads.ts'
import { iso } from '../http/answers.ts'
import {
  FAILED,
  numberOf,
  paidFor,
  receiptUrl,
  sellerOf,
  sendsTaxInvoices,
  TO_NOBODY,
  WON,
  wordsFor,
} from './rules.ts'

const later = alias(ledger, 'later')

type Db = Pick<World, 'db'>
export type ListedEntry = Output<typeof calls.listLedger>['entries'][number]

const fullName = sql<string | null>`nullif(trim(${users.firstName} || ' ' || ${users.lastName}), '')`

/** Entries with what they paid for. We join through the purchase, because delivery may come after the charge. */
const entries = ({ db }: Db) =>
  db
    .select({
      ...columnsOf(ledger, 'id', 'at', 'kind', 'amount', 'currency'),
      ...columnsOf(ledger, 'region', 'what', 'chargeId', 'stripeId', 'seller', 'said'),
      userId: users.id,
      /** An account's current email; a guest's as typed with the purchase. */
      email: sql<string>`coalesce(case when not ${users.guest} then ${users.email} end, ${purchases.email}, ${users.email}, '')`,
      firstName: users.firstName,
      payer: sql<string | null>`coalesce(${ledger.said} ->> 'payer', ${fullName})`,
      isGuest: users.guest,
      publicId: users.publicId,
      plan: subscriptions.plan,
      membership: subscriptions.id,
      membershipEndedAt: subscriptions.endedAt,
      type: consultations.type,
      consultation: consultations.id,
      pet: sql<string | null>`coalesce(${ledger.said} ->> 'pet', ${pets.name})`,
      why: refunds.why,
      reason: refunds.reason,
    })
    .from(ledger)
    .leftJoin(purchases, eq(purchases.id, ledger.purchaseId))
    .leftJoin(
      subscriptions,
      eq(subscriptions.id, sql`coalesce(${ledger.subscriptionId}, ${purchases.subscriptionId})`),
    )
    .leftJoin(
      consultations,
      eq(consultations.id, sql`coalesce(${ledger.consultationId}, ${purchases.consultationId})`),
    )
    .leftJoin(pets, eq(pets.id, consultations.petId))
    .leftJoin(users, eq(users.id, sql`coalesce(${consultations.userId}, ${ledger.userId})`))
    .leftJoin(refunds, eq(refunds.stripeRefund, ledger.stripeId))

export type LedgerEntry = Awaited<ReturnType<typeof entries>>[number]

/** How much of each of these charges was returned: refunded, being refunded or paid by hand, and taken by the payer's bank. */
async function backOfAll({ db }: Db, ids: number[]) {
  const recorded = await db
    .select({
      chargeId: ledger.chargeId,
      back: sql<number>`-${ledger.amount}`,
      isDispute: isDispute(),
    })
    .from(ledger)
    .where(inArray(ledger.chargeId, ids))
  const open = await db
    .select({ chargeId: refunds.chargeId, back: refunds.amount, isDispute: sql<boolean>`false` })
    .from(refunds)
    .where(and(inArray(refunds.chargeId, ids), or(isNotNull(refunds.dueAt), isNotNull(refunds.paidByHandAt))))
  return (id: number) => {
    const sum = (disputed: boolean) =>
      [...recorded, ...open]
        .filter((one) => one.chargeId === id && one.isDispute === disputed)
        .reduce((all, { back }) => all + back, 0)
    return { refunded: sum(false), disputed: sum(true) }
  }
}

/** How much of a charge can still be refunded. */
export const leftOf = async (ctx: Db, { id, amount }: { id: number; amount: number }): Promise<number> =>
  leftIn({ amount, ...(await backOfAll(ctx, [id]))(id) })

async function asEntries(ctx: Db, rows: LedgerEntry[]): Promise<ListedEntry[]> {
  const charges = rows.filter(({ kind }) => kind === 'charge').map(({ id }) => id)
  const backOf = await backOfAll(ctx, charges)
  return rows.map((row) => ({
    id: row.id,
    at: iso(row.at),
    kind: row.kind,
    amount: row.amount,
    currency: row.currency,
    region: row.region,
    email: row.email,
    what: wordsFor(row),
    consultation_id: row.consultation,
    subscription_id: row.membership,
    ...backOf(row.id),
  }))
}

/** The latest entries that match a condition, as admins see them. */
export const listedWhere = async (ctx: Db, where: SQL | undefined, most: number): Promise<ListedEntry[]> =>
  asEntries(ctx, await entries(ctx).where(where).orderBy(desc(ledger.id)).limit(most))

/** A person's entries, even from before they had an account. Two searches by index, because "or" reads the whole ledger. */
export function ofPerson({ db }: Db, userId: number): SQL {
  const consulted = db
    .select({ id: ledger.id })
    .from(ledger)
    .innerJoin(purchases, eq(purchases.id, ledger.purchaseId))
    .innerJoin(consultations, eq(consultations.id, purchases.consultationId))
    .where(eq(consultations.userId, userId))
  return inArray(
    ledger.id,
    db.select({ id: ledger.id }).from(ledger).where(eq(ledger.userId, userId)).union(consulted),
  )
}

/** A person's charges, newest first, even from before they had an account; each with its refunds. */
export async function chargesOf(ctx: Db, userId: number, most: number) {
  const { db } = ctx
  const rows = await entries(ctx)
    .where(and(ofPerson(ctx, userId), eq(ledger.kind, 'charge')))
    .orderBy(desc(ledger.at), desc(ledger.id))
    .limit(most)
  const back = await db
    .select({
      chargeId: refunds.chargeId,
      amount: refunds.amount,
      at: refunds.createdAt,
      why: refunds.why,
      by: fullName,
      state: sql<'on_its_way' | 'done' | 'by_hand' | 'failed'>`case
        when ${refunds.doneAt} is not null then 'done' when ${refunds.dueAt} is not null then 'on_its_way'
        when ${refunds.paidByHandAt} is not null then 'by_hand' else 'failed' end`,
    })
    .from(refunds)
    .leftJoin(users, eq(users.id, refunds.byUserId))
    .where(inArray(refunds.chargeId, idsOf(rows)))
    .orderBy(refunds.id)
  return (await asEntries(ctx, rows)).map((charge) => ({
    ...charge,
    refunds: back
      .filter(({ chargeId }) => chargeId === charge.id)
      .map(({ amount, at, why, by, state }) => ({ amount, at: iso(at), why, by, state })),
  }))
}

/** The latest refund of a charge and who made it, for an admin who didn't know of it. */
export async function lastRefundOf({ db }: Db, chargeId: number): Promise<calls.LastRefund | null> {
  const [last] = await db
    .select({ amount: refunds.amount, by: fullName })
    .from(refunds)
    .leftJoin(users, eq(users.id, refunds.byUserId))
    .where(eq(refunds.chargeId, chargeId))
    .orderBy(desc(refunds.id))
    .limit(1)
  return last ?? null
}

export const listedEntry = async (ctx: Db, id: number): Promise<ListedEntry> =>
  (await asEntries(ctx, await entries(ctx).where(eq(ledger.id, id))))[0]!

/** An owner sees their own receipts, even from before they had an account. A guest sees those of their consult. */
export const listReceipts: Handler<typeof calls.listReceipts> = async (ctx) => {
  const { actor, db, env, secrets, now } = ctx
  const mine =
    actor.kind === 'guest'
      ? inArray(
          ledger.purchaseId,
          db
            .select({ id: purchases.id })
            .from(purchases)
            .where(eq(purchases.consultationId, actor.consultationId)),
        )
      : ofPerson(ctx, actor.userId)
  // Payers get no receipt for a refund that failed, nor for what banks settle between themselves.
  const notReversed = notExists(
    db
      .select({ id: later.id })
      .from(later)
      .where(eq(later.stripeId, sql`${ledger.stripeId} || ${FAILED}`)),
  )
  const isReceipt = and(inArray(ledger.kind, ['charge', 'refund']), notReversed)
  const rows = await entries(ctx).where(and(mine, isReceipt)).orderBy(desc(ledger.at), desc(ledger.id))
  return rows.map((row) => ({
    id: row.id,
    number: numberOf(row.id),
    at: iso(row.at),
    kind: row.kind === 'charge' ? ('charge' as const) : ('refund' as const),
    tax_invoice: row.kind === 'charge' && sendsTaxInvoices(sellerOf(row, env)),
    amount: row.amount,
    currency: row.currency,
    paid_for: paidFor(row),
    pet: row.pet,
    url: receiptUrl(secrets, now(), row.id),
  }))
}

export const ledgerEntry = async (ctx: Db, id: number): Promise<LedgerEntry | undefined> =>
  (await entries(ctx).where(eq(ledger.id, id)))[0]

/** Keys of receipt mails begin with this. */
export const RECEIPT = 'receipt '

/** Must be longer than the nightly check looks back, since it finds payments that old. */
const MAILED_WITHIN_DAYS = 5

export const unmailed = (ctx: Pick<World, 'db' | 'now'>, resting: number[]): Promise<LedgerEntry[]> =>
  entries(ctx)
    .where(
      and(
        gte(ledger.at, addDays(ctx.now(), -MAILED_WITHIN_DAYS)),
        notInArray(ledger.id, resting),
        // Disputes are settled between banks and get no receipt.
        inArray(ledger.kind, ['charge', 'refund']),
        isNull(users.deletedAt),
        // We wait for the delivery, since the mail links to what was bought.
        sql`${purchases.state} is distinct from 'paid'`,
        sql`coalesce(${purchases.email}, ${users.email}) is not null`,
        notExists(
          ctx.db
            .select({ id: mails.id })
            .from(mails)
            .where(eq(mails.key, sql`${RECEIPT} || ${ledger.id}`)),
        ),
        // The apology has already announced this refund.
        not(
          and(
            eq(sql`coalesce(${refunds.why}, '')`, 'late'),
            exists(
              ctx.db
                .select({ id: mails.id })
                .from(mails)
                .where(eq(mails.key, sql`${LATE_WITH_REFUND} || ${consultations.id}`)),
            ),
          )!,
        ),
      ),
    )
    // Ordered by time, so that the index begins at these days. By id, it would begin with the oldest entry.
    .orderBy(ledger.at, ledger.id)
    .limit(20)

/** Finds a membership by the provider's subscription id. */
export async function membershipOf({ db }: Db, stripeSubscription: string) {
  const [row] = await db
    .select({ id: subscriptions.id, userId: subscriptions.userId, region: subscriptions.region })
    .from(subscriptions)
    .where(eq(subscriptions.stripeSubscription, stripeSubscription))
  return row
}

/** The subscription ids that the provider has for a payer. */
export async function membershipsPaidBy({ db }: Db, stripeCustomer: string): Promise<string[]> {
  const rows = await db
    .select({ stripe: subscriptions.stripeSubscription })
    .from(customers)
    .innerJoin(subscriptions, eq(subscriptions.userId, customers.userId))
    .where(and(eq(customers.stripeCustomer, stripeCustomer), isNotNull(subscriptions.stripeSubscription)))
  return rows.map(({ stripe }) => stripe!)
}

/** Whether the money of a failed refund went another way: by hand, by later refunds of its charge, or all by a dispute. */
export const isSettled = sql`(${refunds.paidByHandAt} is not null
  or ${refunds.amount} <= (
    select coalesce(sum(again.amount), 0) from ${refunds} again
    where again.charge_id = ${refunds.chargeId} and again.id > ${refunds.id}
      and coalesce(again.done_at, again.due_at, again.paid_by_hand_at) is not null)
  or 0 >= (
    select sum(moved.amount) from ${ledger} moved
    where moved.id = ${refunds.chargeId} or moved.charge_id = ${refunds.chargeId}))`

/* The ledger check. */

const charges = alias(ledger, 'charges')

/** Since when a paid consult has been due a refund: its owner left, or no vet joined in time. */
const owedSince = sql<Date | null>`case
  when ${consultations.vetId} is not null then null
  when ${leftUnadvised} then ${consultations.cancelledAt}
  when ${consultations.end} is null and not ${hadAVet} then ${promisedByInSql}
  end`.mapWith(consultations.start)

export async function ledgerSpan({ db }: Db, from: Date, to: Date) {
  const paid = await db
    .select({
      ...columnsOf(purchases, 'id', 'state', 'amount', 'currency', 'paidAt'),
      charged: { amount: charges.amount, currency: charges.currency },
    })
    .from(purchases)
    .leftJoin(charges, and(eq(charges.purchaseId, purchases.id), eq(charges.kind, 'charge')))
    .where(
      and(
        gte(purchases.paidAt, from),
        lt(purchases.paidAt, to),
        inArray(purchases.state, ['paid', 'delivered', 'refunded']),
        sql`${purchases.amount} > 0`,
      ),
    )
    .orderBy(purchases.id)
  const rows = await db
    .select({
      ...columnsOf(ledger, 'id', 'kind', 'amount', 'currency', 'stripeId', 'at'),
      state: sql<string | null>`case
        when ${purchases.kind} = 'membership' and ${purchases.state} = 'delivered' and ${purchases.subscriptionId} is null
        then ${TO_NOBODY} else ${purchases.state} end`,
      /** It paid for another period of a membership. */
      renews: sql<boolean>`${ledger.what} = 'renewal' and ${ledger.subscriptionId} is not null`,
      owedSince,
      /** How much of a charge has been refunded. */
      back: sql<number>`coalesce((select -sum(b.amount) from ${ledger} b where b.charge_id = ${ledger.id}), 0)::int`,
    })
    .from(ledger)
    .leftJoin(purchases, eq(purchases.id, ledger.purchaseId))
    .leftJoin(consultations, eq(consultations.id, purchases.consultationId))
    .where(and(gte(ledger.at, from), lt(ledger.at, to)))
    .orderBy(ledger.id)
  const asked = await db
    .select({
      ...columnsOf(refunds, 'id', 'chargeId', 'amount', 'createdAt', 'dueAt', 'doneAt', 'failedAt'),
      isSettled: sql<boolean>`${isSettled}`,
      /** The refund's amount in the ledger, as a positive number. */
      recorded: sql<number | null>`-${ledger.amount}`,
    })
    .from(refunds)
    .leftJoin(ledger, eq(ledger.stripeId, refunds.stripeRefund))
    .where(
      or(
        and(gte(refunds.createdAt, from), lt(refunds.createdAt, to)),
        and(gte(refunds.failedAt, from), lt(refunds.failedAt, to)),
      ),
    )
    .orderBy(refunds.id)
  return { purchases: paid, entries: rows, refunds: asked }
}

/** Which of the provider's movements the ledger has, whenever they were recorded. */
export async function knownOf({ db }: Db, moved: Movement[]): Promise<Set<string>> {
  const names = moved.flatMap(({ id }) => [id, id + FAILED, id + WON])
  const rows = await db
    .select({ stripeId: ledger.stripeId })
    .from(ledger)
    // There may be more names than a statement has parameters.
    .where(sql`${ledger.stripeId} = any(${sql.param(names)}::text[])`)
  return new Set(rows.map(({ stripeId }) => stripeId))
}

/* Due work. */

/** Older cancellations have been handled. The nightly check would report one that wasn't. */
const RECENT_DAYS = 7

/** Without a vet, because the owner left before one advised, or because none joined within the promised minutes. */
export const isUnserved = ({ now }: Pick<World, 'now'>) =>
  and(
    isNull(consultations.vetId),
    or(
      and(isNull(consultations.end), isLateInSql(now()), not(hadAVet)),
      and(gte(consultations.end, addDays(now(), -RECENT_DAYS)), leftUnadvised),
    ),
  )

/** Paid consults without an automatic refund yet. */
export async function unserved(ctx: Pick<World, 'db' | 'now'>, resting: number[]) {
  const { db } = ctx
  const own = and(eq(refunds.chargeId, ledger.id), isNull(refunds.byUserId))
  return db
    .select({ id: consultations.id, charge: ledger.id, card: purchases.cardFingerprint })
    .from(consultations)
    .innerJoin(purchases, eq(purchases.consultationId, consultations.id))
    .innerJoin(ledger, and(eq(ledger.purchaseId, purchases.id), eq(ledger.kind, 'charge')))
    .leftJoin(refunds, own)
    .where(
      and(
        isUnserved(ctx),
        notInArray(consultations.id, resting),
        isNull(refunds.id),
        gt(ledger.amount, backOfCharge),
      ),
    )
    .orderBy(consultations.start)
    .limit(20)
}
