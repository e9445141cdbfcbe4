import { asc, eq, sql } from 'drizzle-orm'
import type { Subscription } from '#contract/memberships.ts'
import type { World } from '../context.ts'
import { prepared } from '../db/client.ts'
import { subscriptionPets, subscriptions } from '../db/schema.ts'
import { iso } from '../wire.ts'

const ofUser = prepared((db) =>
  db
    .select({
      row: subscriptions,
      pets: sql<number[]>`array(
        select ${subscriptionPets.petId} from ${subscriptionPets}
        where ${subscriptionPets.subscriptionId} = ${subscriptions.id} and ${subscriptionPets.freeAt} is null
        order by ${subscriptionPets.place})`,
    })
    .from(subscriptions)
    .where(eq(subscriptions.userId, sql.placeholder('userId')))
    .orderBy(asc(subscriptions.id))
    .prepare('subscriptions_of_user'),
)

/** A person's memberships, oldest first. */
export async function subscriptionsOf({ db }: Pick<World, 'db'>, userId: number): Promise<Subscription[]> {
  const rows = await ofUser(db).execute({ userId })
  return rows.map(({ row, pets }) => ({
    id: row.id,
    user_id: row.userId,
    pet_id: pets[0] ?? null,
    pets,
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
    price: row.price,
    currency: row.currency,
  }))
}
