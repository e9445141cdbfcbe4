import { and, eq, exists, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import { isActive, type Subscription } from '#contract/memberships.ts'
import { USER_TYPES, type User } from '#contract/accounts.ts'
import type { people } from '#contract/call.ts'
import type { Ctx, World } from '../context.ts'
import { latestTakenBy } from '../consultations/reads.ts'
import { subscriptionsOf, subscriptionsOfAll } from '../memberships/reads.ts'
import { prepared } from '../db/client.ts'
import { columnsOf } from '../db/columns-of.ts'
import { factors, pets, users } from '../db/schema.ts'
import { phoneToRead } from '../identity/phone-number.ts'

export const isEmailConfirmed = isNotNull(users.emailConfirmedAt).mapWith(Boolean)

/** An account as its owner and staff see it. */
const user = {
  ...columnsOf(users, 'id', 'type', 'firstName', 'lastName', 'email', 'mobile', 'postcode', 'address'),
  email_confirmed: isEmailConfirmed,
  user_clinic: users.userClinic,
  customer_id: users.publicId,
  can_consult: users.canConsult,
  region: users.region,
  notifications: users.notifications,
  has_pets_away: exists(
    sql`(select from ${pets} where ${pets.ownerId} = ${users.id} and ${pets.putAwayAt} is not null)`,
  ).mapWith(Boolean),
}

const userById = prepared((db) =>
  db
    .select(user)
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare('user_by_id'),
)

export async function me({ db, now, actor }: Ctx<typeof people>) {
  const id = actor.userId
  const [[row], subscriptions] = await Promise.all([
    userById(db).execute({ id }),
    subscriptionsOf({ db, now }, id),
  ])
  if (!row) return fail('UNAUTHORIZED')
  return {
    ...asUser(row, subscriptions, now()),
    ...(row.type === USER_TYPES.vet && { consultations: await latestTakenBy({ db }, id) }),
  }
}

/** Several accounts by id, without the consults that vets took. */
export async function usersOf({ db, now }: Pick<World, 'db' | 'now'>, ids: number[]) {
  const rows = await db.select(user).from(users).where(inArray(users.id, ids))
  const all = Map.groupBy(await subscriptionsOfAll({ db, now }, ids), ({ user_id }) => user_id)
  return new Map(rows.map((row) => [row.id, asUser(row, all.get(row.id) ?? [], now())]))
}

type Row = Awaited<ReturnType<ReturnType<typeof userById>['execute']>>[number]

function asUser(row: Row, subscriptions: Subscription[], at: Date): User {
  const { care = true, check_in = true, news = false } = row.notifications
  return {
    ...row,
    mobile: phoneToRead(row.mobile, row.region),
    notifications: { care, check_in, news },
    subscriptions,
    subscription: subscriptions.findLast((one) => isActive(one, at)) ?? null,
  }
}

/** Finds the account of an email. A guest may have the same email, but is not an account. */
export async function accountOf({ db }: Pick<World, 'db'>, email: string) {
  const [row] = await db
    .select({
      ...columnsOf(users, 'id', 'passwordHash', 'type', 'firstName', 'region'),
      isDemo: users.demo,
      isConfirmed: isEmailConfirmed,
      hasFactor: isNotNull(factors.onAt).mapWith(Boolean),
    })
    .from(users)
    .leftJoin(factors, eq(factors.userId, users.id))
    .where(sql`${users.email} = ${email} and not ${users.guest} and ${users.deletedAt} is null`)
  return row
}

/** The guests with an email, as an SQL condition. */
export const guestsOf = (email: string) => and(eq(users.email, email), users.guest, isNull(users.deletedAt))
