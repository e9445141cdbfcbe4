import { and, asc, eq, isNull, or } from 'drizzle-orm'
import type { World } from '../context.ts'
import { purchases } from '../db/schema.ts'
import type { ProviderEvent } from '../providers/payments.ts'

type Db = Pick<World, 'db'>
type Row = typeof purchases.$inferSelect
export type Purchase<Order = object> = Omit<Row, 'order'> & { order: Order }
type OfKind = Pick<Row, 'kind'>

export async function purchaseById({ db }: Db, id: number): Promise<Purchase> {
  const [row] = await db.select().from(purchases).where(eq(purchases.id, id))
  return row!
}

/** The purchase behind a token. A signed-in person's purchase is only found for that person. */
export async function purchaseByToken(
  { db }: Db,
  { kind }: OfKind,
  tokenHash: string,
  userId?: number,
): Promise<Purchase | undefined> {
  const [row] = await db
    .select()
    .from(purchases)
    .where(
      and(
        eq(purchases.tokenHash, tokenHash),
        eq(purchases.kind, kind),
        userId === undefined ? undefined : eq(purchases.userId, userId),
      ),
    )
  return row
}

export async function purchaseByKey({ db }: Db, idempotencyKey: string): Promise<Purchase | undefined> {
  const [row] = await db.select().from(purchases).where(eq(purchases.idempotencyKey, idempotencyKey))
  return row
}

/** The purchase that waits for an event's payment or subscription. */
export async function purchaseOfEvent({ db }: Db, { purchase, subscription, intent }: ProviderEvent) {
  const named = [
    purchase !== null && eq(purchases.id, purchase),
    subscription !== null && eq(purchases.stripeSubscription, subscription),
    intent !== null && eq(purchases.stripeIntent, intent),
  ].filter((one) => one !== false)
  if (named.length === 0) return undefined
  const [row] = await db
    .select({ id: purchases.id, kind: purchases.kind })
    .from(purchases)
    .where(and(or(...named), eq(purchases.state, 'paying')))
  return row
}

/** A person's unfinished purchases of a kind. */
export const underWay = ({ db }: Db, { kind }: OfKind, userId: number) =>
  db
    .select()
    .from(purchases)
    .where(and(eq(purchases.userId, userId), eq(purchases.state, 'paying'), eq(purchases.kind, kind)))
    .orderBy(asc(purchases.id))

/** Unfinished purchases under an email by people without an account. */
export const underWayFor = ({ db }: Db, { kind }: OfKind, email: string) =>
  db
    .select()
    .from(purchases)
    .where(
      and(
        eq(purchases.email, email),
        isNull(purchases.userId),
        eq(purchases.state, 'paying'),
        eq(purchases.kind, kind),
      ),
    )
    .orderBy(asc(purchases.id))

/** Paid memberships that couldn't be delivered, because their email got an account meanwhile. */
export const paidForNothing = ({ db }: Db, { kind }: OfKind, most: number) =>
  db
    .select()
    .from(purchases)
    .where(and(eq(purchases.kind, kind), eq(purchases.state, 'delivered'), isNull(purchases.subscriptionId)))
    .orderBy(asc(purchases.id))
    .limit(most)
