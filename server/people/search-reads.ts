import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import { isEmail } from '#contract/fields.ts'
import { MOST_FOUND } from '#contract/people.ts'
import type * as calls from '#contract/people.ts'
import { idsOf } from '../db/ids-of.ts'
import type { Handler } from '../http/serve.ts'
import type { World } from '../context.ts'
import { literally, personBegins, petBegins } from '../db/like.ts'
import { personText } from '../db/schema/accounts.ts'
import { threes } from '../db/schema/columns.ts'
import { columnsOf } from '../db/columns-of.ts'
import { consultations, ledger, pets, policies, sessions, subscriptions, users } from '../db/schema.ts'
import { phoneToRead } from '../identity/phone-number.ts'
import { asStored } from '../policies/rules.ts'
import {
  bestFirst,
  exactly,
  type Hit,
  hitOf,
  nationalDigits,
  petHit,
  receiptNumber,
  standingOf,
} from './rules.ts'

type Place = Pick<World, 'db' | 'now'>

const someone = columnsOf(users, 'id', 'firstName', 'lastName', 'email', 'mobile')
/** Neither deleted, nor a guest who became part of an account. */
export const isHere = isNull(users.deletedAt)

const NUMBER = /^\d{1,9}$/
/** Shorter words are in too many texts, so we look for them only at the beginning. */
const LEAST_INSIDE = 3

/** By whole numbers: of a person, a consult, a receipt or a policy. */
async function byNumber({ db }: Place, asked: string): Promise<Hit[]> {
  const number = NUMBER.test(asked) ? Number(asked) : undefined
  const receipt = receiptNumber(asked) ?? number
  const named = async (which: Promise<{ id: number | null }[]>, by: Parameters<typeof exactly>[1]) =>
    (await which).flatMap(({ id }) => (id === null ? [] : [exactly(id, by, asked.toUpperCase())]))
  const hits = await Promise.all([
    receipt === undefined
      ? []
      : named(
          db
            .select({ id: sql<number | null>`coalesce(${consultations.userId}, ${ledger.userId})` })
            .from(ledger)
            .leftJoin(consultations, eq(consultations.id, ledger.consultationId))
            .where(eq(ledger.id, Number(receipt))),
          'receipt',
        ),
    number === undefined
      ? []
      : named(
          db
            .select({ id: users.id })
            .from(users)
            .where(and(eq(users.id, number), isHere)),
          'number',
        ),
    number === undefined
      ? []
      : named(
          db.select({ id: consultations.userId }).from(consultations).where(eq(consultations.id, number)),
          'consult',
        ),
    named(
      db
        .select({ id: policies.userId })
        .from(policies)
        .where(eq(policies.policy, asStored(asked))),
      'policy',
    ),
  ])
  return hits.flat()
}

/** By the beginning of a name, an email or a pet's name. */
async function byBeginning({ db }: Place, asked: string): Promise<Hit[]> {
  const people = (where: SQL) =>
    db
      .select(someone)
      .from(users)
      .where(and(where, isHere))
      .limit(MOST_FOUND + 1)
  const found = await Promise.all(personBegins(asked).map(people))
  return [
    ...found.flat().flatMap((one) => hitOf(asked, one) ?? []),
    ...(await byPet({ db }, asked, petBegins(asked))),
  ]
}

async function byPet({ db }: Pick<World, 'db'>, asked: string, where: SQL): Promise<Hit[]> {
  const found = await db
    .select({ id: pets.ownerId, pet: pets.name })
    .from(pets)
    .innerJoin(users, and(eq(users.id, pets.ownerId), isHere))
    .where(where)
    .limit(MOST_FOUND + 1)
  return found.map((one) => petHit(asked, one))
}

/** A text that contains every one of these words. The index finds texts with the same runs of three characters. */
const holds = (text: SQL, words: string[]) =>
  and(
    ...words.flatMap((word) => [
      ...(word.length >= LEAST_INSIDE ? [sql`${threes(text)} @> ${threes(sql`${word}::text`)}`] : []),
      sql`lower(${text}) like ${`%${literally(word)}%`}`,
    ]),
  )!

/** By any part of a name, an email, a mobile or a pet's name. */
async function byInside({ db }: Place, asked: string): Promise<Hit[]> {
  const digits = nationalDigits(asked)
  const words = digits ? [digits] : asked.split(' ')
  if (!words.some((word) => word.length >= LEAST_INSIDE)) return []
  const [people, animals] = await Promise.all([
    db
      .select(someone)
      .from(users)
      .where(and(holds(personText(users), words), isHere))
      .limit(MOST_FOUND + 1),
    byPet({ db }, asked, holds(sql`${pets.name}`, [asked])),
  ])
  return [...people.flatMap((one) => hitOf(asked, one) ?? []), ...animals]
}

/** Looks inside texts only if whole numbers and beginnings find too few people. */
export const findPeople: Handler<typeof calls.findPeople> = async (ctx, { q }) => {
  const asked = q.toLowerCase().replace(/\s+/g, ' ')
  if (asked === '') {
    return { people: [], more: false, only: null, total: await ctx.db.$count(users, isHere) }
  }
  const [numbers, beginnings] = await Promise.all([byNumber(ctx, asked), byBeginning(ctx, asked)])
  const first = [...numbers, ...beginnings]
  const hits = bestFirst(
    bestFirst(first).length > MOST_FOUND ? first : [...first, ...(await byInside(ctx, asked))],
  )
  const people = await described(ctx, hits.slice(0, MOST_FOUND))
  const whole = people.filter(
    ({ found, email }) =>
      (isEmail(asked) && email === asked) || (found.by === 'receipt' && receiptNumber(asked) !== undefined),
  )
  return {
    people,
    more: hits.length > MOST_FOUND,
    only: whole.length === 1 ? whole[0]!.id : null,
    total: null,
  }
}

const lastHere = sql<Date | null>`greatest(${users.lastSeenAt}, (
  select max(last_used_at) from ${sessions} where ${sessions}.user_id = ${users}.id))`.mapWith(
  users.createdAt,
)

async function described(ctx: Place, hits: Hit[]) {
  const { db, now } = ctx
  const ids = idsOf(hits)
  const [rows, sold, animals] = await Promise.all([
    db
      .select({
        ...someone,
        ...columnsOf(users, 'region', 'type', 'guest', 'createdAt'),
        last_here: lastHere,
      })
      .from(users)
      .where(and(inArray(users.id, ids), isHere)),
    db.select().from(subscriptions).where(inArray(subscriptions.userId, ids)).orderBy(subscriptions.id),
    db
      .select({ owner: pets.ownerId, name: pets.name })
      .from(pets)
      .where(and(inArray(pets.ownerId, ids), isNull(pets.putAwayAt)))
      .orderBy(pets.id),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return hits.flatMap(({ id, by, text }) => {
    const row = byId.get(id)
    if (!row) return []
    const { region, type, guest, createdAt, ...person } = row
    const mobile = phoneToRead(person.mobile, region)
    const theirs = sold.filter(({ userId }) => userId === id)
    return [
      {
        ...person,
        mobile,
        pets: animals.filter(({ owner }) => owner === id).map(({ name }) => name),
        standing: standingOf({ type, guest, createdAt }, theirs, now()),
        found: { by, text: by === 'mobile' ? mobile : text },
      },
    ]
  })
}
