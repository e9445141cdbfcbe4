import {
  and,
  asc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  notExists,
  or,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/memberships.ts'
import { GRACE_DAYS, isActive, type Subscription } from '#contract/memberships.ts'
import { addDays } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import type { World } from '../context.ts'
import { prepared } from '../db/client.ts'
import { columnsOf } from '../db/columns-of.ts'
import { isDispute } from '../db/kinds.ts'
import { ledger, mails, pets, purchases, subscriptionPets, subscriptions, users } from '../db/schema.ts'
import { iso } from '../http/answers.ts'
import { graceEnd, nextPrice, REMINDER_DAYS, type ReminderDay } from './rules.ts'

const later = alias(ledger, 'later')

/** How much a member's bank has taken back of the payments for a membership. */
export const disputed = sql<number>`(select coalesce(-sum(taken.amount), 0)::int
  from ${ledger} taken left join ${purchases} bought on bought.id = taken.purchase_id
  where ${isDispute(sql`taken.kind`)}
    and (taken.subscription_id = ${subscriptions}.id or bought.subscription_id = ${subscriptions}.id))`

const selected = (db: World['db'], now: unknown) =>
  db
    .select({
      row: subscriptions,
      pets: sql<number[]>`array(
        select ${subscriptionPets.petId} from ${subscriptionPets}
        where ${subscriptionPets}.subscription_id = ${subscriptions}.id and ${subscriptionPets.freeAt} is null
        order by ${subscriptionPets.place})`,
      leaving: sql<{ pet: string; free_from: string }[]>`(
        select coalesce(json_agg(json_build_object('pet', gone.name, 'free_from', place.free_at) order by place.place), '[]')
        from ${subscriptionPets} place join ${pets} gone on gone.id = place.pet_id
        where place.subscription_id = ${subscriptions}.id and place.free_at > ${now}::timestamptz)`,
      disputed: sql<boolean>`${subscriptions.end} is not null and ${subscriptions.endedAt} is null and ${disputed} > 0`,
    })
    .from(subscriptions)
    .orderBy(asc(subscriptions.id))

const ofUser = prepared((db) =>
  selected(db, sql.placeholder('now'))
    .where(eq(subscriptions.userId, sql.placeholder('userId')))
    .prepare('subscriptions_of_user'),
)

/** A person's memberships, oldest first. */
export async function subscriptionsOf(
  { db, now }: Pick<World, 'db' | 'now'>,
  userId: number,
): Promise<Subscription[]> {
  return (await ofUser(db).execute({ userId, now: now().toISOString() })).map(asSubscription)
}

/** The memberships of several people, oldest first. */
export async function subscriptionsOfAll(
  { db, now }: Pick<World, 'db' | 'now'>,
  userIds: number[],
): Promise<Subscription[]> {
  const rows = await selected(db, now().toISOString()).where(inArray(subscriptions.userId, userIds))
  return rows.map(asSubscription)
}

function asSubscription({
  row,
  pets,
  leaving,
  disputed,
}: Awaited<ReturnType<typeof selected>>[number]): Subscription {
  return {
    id: row.id,
    user_id: row.userId,
    pet_id: pets[0] ?? null,
    pets,
    leaving: leaving.map(({ pet, free_from }) => ({ pet, free_from: iso(new Date(free_from)) })),
    plan: row.plan,
    stripe_subscription: row.stripeSubscription,
    stripeData: {
      id: row.stripeSubscription,
      status: row.status,
      current_period_end: iso(row.currentPeriodEnd),
    },
    recurring_start: iso(row.recurringStart),
    end: iso(row.end),
    ended_at: iso(row.endedAt),
    deletedAt: iso(row.deletedAt),
    source: row.source,
    subs_id: row.subsId,
    grace_end: iso(row.pastDueSince && graceEnd(row.pastDueSince)),
    disputed,
    price: nextPrice(row),
    currency: row.currency,
  }
}

export async function activeMembershipsOf(ctx: Pick<World, 'db' | 'now'>, userId: number) {
  const at = ctx.now()
  return (await subscriptionsOf(ctx, userId)).filter((one) => isActive(one, at))
}

/** One of this person's memberships; anybody else's is NOT_FOUND. */
export async function subscriptionOf(ctx: Pick<World, 'db' | 'now'>, userId: number, id: number) {
  const all = await subscriptionsOf(ctx, userId)
  return all.find((one) => one.id === id) ?? fail('NOT_FOUND')
}

/** A membership's current row with its owner, and a version that changes with every write. */
export async function membershipAt({ db }: Pick<World, 'db'>, stripeSubscription: string) {
  const [found] = await db
    .select({
      row: subscriptions,
      version: sql<string>`${subscriptions}.xmin::text`,
      ...columnsOf(users, 'email', 'emailConfirmedAt', 'firstName', 'deletedAt'),
    })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(eq(subscriptions.stripeSubscription, stripeSubscription))
  return found
}

/** Which pets a membership is for, if its member has another one from which it needs telling apart. */
export async function petsApart({ db }: Pick<World, 'db'>, { id, userId }: { id: number; userId: number }) {
  const rows = await db
    .select({ name: pets.name })
    .from(subscriptionPets)
    .innerJoin(pets, eq(pets.id, subscriptionPets.petId))
    .where(
      and(
        eq(subscriptionPets.subscriptionId, id),
        isNull(subscriptionPets.freeAt),
        exists(
          db
            .select({ id: subscriptions.id })
            .from(subscriptions)
            .where(
              and(eq(subscriptions.userId, userId), ne(subscriptions.id, id), isNull(subscriptions.endedAt)),
            ),
        ),
      ),
    )
    .orderBy(asc(subscriptionPets.place))
  return rows.map(({ name }) => name)
}

/** The membership that a charge paid for, while it runs, and whether a later payment has paid for it since. */
export async function runningMembershipOf({ db }: Pick<World, 'db'>, stripeId: string) {
  const [row] = await db
    .select({
      id: subscriptions.id,
      userId: subscriptions.userId,
      stripe: subscriptions.stripeSubscription,
      ...columnsOf(subscriptions, 'end', 'source'),
      subs_id: subscriptions.subsId,
      charge: { id: ledger.id, amount: ledger.amount },
      isPaidSince: exists(
        db
          .select({ id: later.id })
          .from(later)
          .where(
            and(
              eq(later.subscriptionId, subscriptions.id),
              eq(later.kind, 'charge'),
              gt(later.id, ledger.id),
            ),
          ),
      ).mapWith(Boolean),
    })
    .from(ledger)
    .leftJoin(purchases, eq(purchases.id, ledger.purchaseId))
    .innerJoin(
      subscriptions,
      eq(subscriptions.id, sql`coalesce(${ledger.subscriptionId}, ${purchases.subscriptionId})`),
    )
    .where(
      and(
        eq(ledger.stripeId, stripeId),
        isNotNull(subscriptions.stripeSubscription),
        isNull(subscriptions.endedAt),
      ),
    )
  return row
}

export async function disputedOf({ db }: Pick<World, 'db'>, subscriptionId: number) {
  const [row] = await db.select({ disputed }).from(subscriptions).where(eq(subscriptions.id, subscriptionId))
  return row!.disputed
}

/** Memberships that the provider should have sent an event about: their period ended, or a payment failed. */
export async function possiblyStale({ db, now }: Pick<World, 'db' | 'now'>) {
  const rows = await db
    .select({ stripe: subscriptions.stripeSubscription, since: subscriptions.pastDueSince })
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.stripeSubscription),
        isNull(subscriptions.endedAt),
        isNull(subscriptions.deletedAt),
        or(lte(subscriptions.currentPeriodEnd, now()), isNotNull(subscriptions.pastDueSince)),
      ),
    )
    // Unpaid ones stay due for days, and must not keep the others waiting.
    .orderBy(sql`random()`)
    .limit(200)
  return rows.map(({ stripe, since }) => ({ id: stripe!, since }))
}

/** Unpaid memberships whose member hasn't had the mail for today's number of days. */
export async function unpaidFor({ db, now }: Pick<World, 'db' | 'now'>) {
  const ago = (days: number) => addDays(now(), -days)
  const [first, last] = REMINDER_DAYS
  const days = sql<ReminderDay>`case when ${subscriptions.pastDueSince} <= ${ago(last).toISOString()}::timestamptz
    then ${last}::int else ${first}::int end`
  // One mail per failure and number of days.
  const key = sql<string>`'unpaid ' || ${subscriptions.id} || ' ' ||
    floor(extract(epoch from ${subscriptions.pastDueSince}))::bigint || ' ' || ${days}`
  return db
    .select({ id: subscriptions.id, stripe: subscriptions.stripeSubscription, days, key })
    .from(subscriptions)
    .innerJoin(users, and(eq(users.id, subscriptions.userId), isNull(users.deletedAt)))
    .where(
      and(
        isNotNull(subscriptions.stripeSubscription),
        isNull(subscriptions.endedAt),
        isNull(subscriptions.deletedAt),
        lte(subscriptions.pastDueSince, ago(first)),
        gt(subscriptions.pastDueSince, ago(GRACE_DAYS)),
        notExists(db.select({ id: mails.id }).from(mails).where(eq(mails.key, key))),
      ),
    )
    .orderBy(asc(subscriptions.id))
    .limit(20)
}

/** A person's own, or anybody's for an admin. */
export const providerSubscriptions: Handler<typeof calls.providerSubscriptions> = async (ctx, { userId }) => {
  if (ctx.actor.kind !== 'admin' && ctx.actor.userId !== userId) fail('NOT_FOUND')
  const [user] = await ctx.db.select({ id: users.id }).from(users).where(eq(users.id, userId))
  if (!user) fail('NOT_FOUND')
  const rows = await subscriptionsOf(ctx, userId)
  return rows.flatMap(({ stripeData: { id, status, current_period_end } }) =>
    id === null ? [] : [{ id, status, current_period_end }],
  )
}
