import { and, asc, eq, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import { OPEN_STATES } from '#contract/escalation.ts'
import { PICTURE_WIDTHS } from '#contract/pets.ts'
import { REGIONS } from '#contract/regions.ts'
import { DAY } from '#contract/time.ts'
import type * as calls from '#contract/vets.ts'
import { MOST_CARDS, type Vet, type VetCard } from '#contract/vets.ts'
import { idsOf } from '../db/ids-of.ts'
import type { Handler } from '../http/serve.ts'
import { isVet } from '../db/kinds.ts'
import { usersOf } from '../accounts/reads.ts'
import { doctorName } from '../consultations/rules.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { consultations, escalations, factors, ratings, uploads, users, vetCards } from '../db/schema.ts'
import { iso } from '../http/answers.ts'
import { personById } from '../identity/session.ts'
import { pictureAddress } from '../pets/rules.ts'

const RATED_WITHIN = 90 * DAY

type Place = Pick<World, 'db' | 'now'>

const zones = sql.join(
  Object.entries(REGIONS).map(([region, { timeZone }]) => sql`when ${region} then ${timeZone}`),
  sql` `,
)
const zone = sql`case ${users.region} ${zones} end`

async function vetsWhere({ db, now }: Place, which: SQL | undefined): Promise<Vet[]> {
  const at = sql`${now().toISOString()}::timestamptz`
  const monday = sql`date_trunc('week', ${at} at time zone ${zone}) at time zone ${zone}`
  const since = sql`${new Date(now().getTime() - RATED_WITHIN).toISOString()}::timestamptz`
  const theirs = sql`${consultations.vetId} = ${users.id}`
  const rows = await db
    .select({
      ...columnsOf(users, 'id', 'registration', 'onDutySince'),
      factorSince: factors.onAt,
      languages: vetCards.languages,
      about: vetCards.about,
      savedAt: vetCards.changedAt,
      picture: uploads.name,
      open: sql`(select count(*) from ${consultations} where ${theirs} and ${consultations.end} is null)`.mapWith(
        Number,
      ),
      calls:
        sql`(select count(*) from ${escalations} join ${consultations} on ${consultations.id} = ${escalations.consultationId}
        where ${theirs} and ${inArray(escalations.state, OPEN_STATES)})`.mapWith(Number),
      week: sql`(select count(*) from ${consultations} where ${theirs} and ${consultations.vetStart} >= ${monday})`.mapWith(
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
  return rows.map(
    ({ id, open, calls, week, onDutySince, factorSince, picture, languages, about, savedAt, ...row }) => ({
      ...accounts.get(id)!,
      ...row,
      languages: languages ?? [],
      about: about ?? '',
      saved_at: iso(savedAt),
      picture: picture && pictureAddress(picture, PICTURE_WIDTHS.at(-1)!),
      on_duty_since: iso(onDutySince),
      factor_since: iso(factorSince),
      open_consults: open,
      open_calls: calls,
      week_consults: week,
    }),
  )
}

export const listVets = (ctx: Place) => vetsWhere(ctx, isVet)

/** Vets whose card an admin saved, with the number that anybody can look up. */
export async function listVetCards({ db, region }: Pick<Ctx, 'db' | 'region'>): Promise<VetCard[]> {
  const rows = await db
    .select({
      ...columnsOf(users, 'firstName', 'lastName', 'registration', 'demo'),
      languages: vetCards.languages,
      about: vetCards.about,
      picture: uploads.name,
    })
    .from(vetCards)
    .innerJoin(users, eq(users.id, vetCards.userId))
    .leftJoin(uploads, eq(uploads.id, vetCards.uploadId))
    .where(and(isVet, eq(users.region, region), isNotNull(users.registration)))
    .orderBy(asc(sql`lower(${users.lastName})`), asc(users.id))
    .limit(MOST_CARDS)
  return rows.map(({ firstName, lastName, registration, picture, ...card }) => ({
    ...card,
    name: doctorName({ firstName, lastName }),
    registration: registration!,
    picture: picture && pictureAddress(picture, PICTURE_WIDTHS.at(-1)!),
  }))
}

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
