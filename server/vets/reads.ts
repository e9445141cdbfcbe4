import { and, asc, eq, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import { OPEN_STATES } from '#contract/escalation.ts'
import { PICTURE_WIDTHS } from '#contract/pets.ts'
import { REGIONS } from '#contract/regions.ts'
import { DAY } from '#contract/time.ts'
import type * as calls from '#contract/vets.ts'
import { MOST_CARDS } from '#contract/vets.ts'
import { idsOf } from '../db/ids-of.ts'
import type { Handler } from '../http/serve.ts'
import { isVet } from '../db/kinds.ts'
import { usersOf } from '../accounts/reads.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { doctorName } from '../db/names.ts'
import { consultations, escalations, factors, ratings, uploads, users, vetCards } from '../db/schema.ts'
import { personById } from '../identity/session.ts'
import { pictureOf } from '../pets/reads.ts'

const RATED_WITHIN = 90 * DAY

type Place = Pick<World, 'db' | 'now'>

const zones = sql.join(
  Object.entries(REGIONS).map(([region, { timeZone }]) => sql`when ${region} then ${timeZone}`),
  sql` `,
)
const zone = sql`case ${users.region} ${zones} end`

async function vetsWhere({ db, now }: Place, which: SQL | undefined) {
  const at = sql`${now().toISOString()}::timestamptz`
  const monday = sql`date_trunc('week', ${at} at time zone ${zone}) at time zone ${zone}`
  const since = sql`${new Date(now().getTime() - RATED_WITHIN).toISOString()}::timestamptz`
  const theirs = sql`${consultations.vetId} = ${users.id}`
  const rows = await db
    .select({
      ...columnsOf(users, 'id', 'registration'),
      on_duty_since: users.onDutySince,
      factor_since: factors.onAt,
      languages: vetCards.languages,
      about: sql<string>`coalesce(${vetCards.about}, '')`,
      saved_at: vetCards.changedAt,
      picture: pictureOf(PICTURE_WIDTHS.at(-1)!),
      open_consults:
        sql`(select count(*) from ${consultations} where ${theirs} and ${consultations.end} is null)`.mapWith(
          Number,
        ),
      open_calls:
        sql`(select count(*) from ${escalations} join ${consultations} on ${consultations.id} = ${escalations.consultationId}
        where ${theirs} and ${inArray(escalations.state, OPEN_STATES)})`.mapWith(Number),
      week_consults:
        sql`(select count(*) from ${consultations} where ${theirs} and ${consultations.vetStart} >= ${monday})`.mapWith(
          Number,
        ),
      rating: sql<{ mean: number | null; of: number }>`(
        select jsonb_build_object('mean', round(avg(${ratings.stars}), 1), 'of', count(*))
        from ${ratings} join ${consultations} on ${consultations.id} = ${ratings.consultationId}
        where ${theirs} and ${ratings.at} >= ${since})`,
    })
    .from(users)
    .leftJoin(vetCards, eq(vetCards.userId, users.id))
    .leftJoin(factors, eq(factors.userId, users.id))
    .leftJoin(uploads, eq(uploads.id, vetCards.uploadId))
    .where(and(eq(users.guest, false), isNull(users.deletedAt), which))
    .orderBy(asc(sql`lower(${users.lastName})`), asc(sql`lower(${users.firstName})`), asc(users.id))
  const accounts = await usersOf({ db, now }, idsOf(rows))
  return rows.map((row) => ({ ...accounts.get(row.id)!, ...row, languages: row.languages ?? [] }))
}

export const listVets = (ctx: Place) => vetsWhere(ctx, isVet)

/** Vets whose card an admin saved, with the number that anybody can look up. */
export const listVetCards = ({ db, region }: Pick<Ctx, 'db' | 'region'>) =>
  db
    .select({
      name: doctorName(users),
      registration: sql<string>`${users.registration}`,
      demo: users.demo,
      ...columnsOf(vetCards, 'languages', 'about'),
      picture: pictureOf(PICTURE_WIDTHS.at(-1)!),
    })
    .from(vetCards)
    .innerJoin(users, eq(users.id, vetCards.userId))
    .leftJoin(uploads, eq(uploads.id, vetCards.uploadId))
    .where(and(isVet, eq(users.region, region), isNotNull(users.registration)))
    .orderBy(asc(sql`lower(${users.lastName})`), asc(users.id))
    .limit(MOST_CARDS)

/** Whether a person has a number at the regulator. Only such people review clinical words. */
export const isRegistered = async (ctx: Pick<World, 'db'>, userId: number): Promise<boolean> =>
  (await personById(ctx, userId))?.registration != null

export const findPerson: Handler<typeof calls.findPerson> = async (ctx, { email }) => {
  const [person] = await vetsWhere(ctx, eq(users.email, email))
  return person ?? fail('PERSON_UNKNOWN')
}

export async function personOf(ctx: Place, id: number) {
  const [person] = await vetsWhere(ctx, eq(users.id, id))
  return person ?? fail('NOT_FOUND')
}
