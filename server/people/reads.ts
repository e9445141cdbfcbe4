import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import { PICTURE_WIDTHS } from '#contract/pets.ts'
import { asListed, reasonsGiven, selectConsultations } from '../consultations/reads.ts'
import { followUpEnds } from '../consultations/rules.ts'
import type { Ctx, World } from '../context.ts'
import { claimsOf } from '../claims/reads.ts'
import { columnsOf } from '../db/columns-of.ts'
import { idsOf } from '../db/ids-of.ts'
import {
  breeds,
  cards,
  consultations,
  mails,
  pets,
  sessions,
  subscriptionPets,
  subscriptions,
  summaries,
  uploads,
} from '../db/schema.ts'
import { phoneToRead } from '../identity/phone-number.ts'
import { personById } from '../identity/session.ts'
import { chargesOf } from '../ledger/reads.ts'
import { listedMail } from '../logs/reads.ts'
import { resendState } from '../logs/rules.ts'
import { isPartners, nextPrice } from '../memberships/rules.ts'
import { pictureOf } from '../pets/reads.ts'
import { accessOf } from '../profile/look-reads.ts'
import { mailedTo } from '../profile/reads.ts'
import { membershipState, standingOf } from './rules.ts'

type AdminCtx = Ctx<readonly ['admin']>
type Place = Pick<World, 'db' | 'now'>

export const someoneHere = async (ctx: Pick<World, 'db'>, id: number) =>
  (await personById(ctx, id)) ?? fail('ACCOUNT_DELETED')

const LATEST = 50
const LATEST_MAILS = 20

export async function personOf(ctx: AdminCtx, id: number, lookedAt: Date) {
  const { db, now } = ctx
  const person = await someoneHere(ctx, id)
  const { type, guest, createdAt } = person
  const [consults, purchases, claims, mailed, sold, [card], animals, open, looks] = await Promise.all([
    consultsOf(ctx, id),
    chargesOf(ctx, id, LATEST),
    claimsOf(ctx, id),
    mailsOf(ctx, person),
    membershipsOf(ctx, id),
    db.select({ brand: cards.brand, last4: cards.last4 }).from(cards).where(eq(cards.userId, id)),
    petsOf(ctx, id),
    openSessionsOf(ctx, id),
    accessOf(ctx, id, LATEST),
  ])
  return {
    id,
    firstName: person.firstName,
    lastName: person.lastName,
    email: person.email,
    email_confirmed: person.emailConfirmedAt !== null,
    mobile: phoneToRead(person.mobile, person.region),
    region: person.region,
    since: createdAt,
    standing: standingOf({ type, guest, createdAt }, sold, now()),
    looked_at: lookedAt,
    consults,
    purchases,
    claims,
    mails: mailed,
    memberships: sold.map((one) => {
      const { state, until } = membershipState(one, now())
      const ours = !isPartners({ source: one.source, subs_id: one.subsId })
      return { ...one, state, ours, price: nextPrice(one), until }
    }),
    card: card ?? null,
    pets: animals,
    sessions: open,
    looks: looks.map(({ by, ...look }) => ({ ...look, mine: by === ctx.actor.userId })),
  }
}

const membershipsOf = ({ db }: Place, id: number) =>
  db
    .select({
      ...getTableColumns(subscriptions),
      pets: sql`(select count(*) from ${subscriptionPets}
        where ${subscriptionPets}.subscription_id = ${subscriptions}.id and free_at is null)`.mapWith(Number),
    })
    .from(subscriptions)
    .where(eq(subscriptions.userId, id))
    .orderBy(desc(subscriptions.id))

/** A person's consults, with their text only while this admin may read it. */
async function consultsOf(ctx: AdminCtx, id: number) {
  const { db } = ctx
  const [rows, count] = await Promise.all([
    selectConsultations(ctx)
      .where(eq(consultations.userId, id))
      .orderBy(desc(consultations.id))
      .limit(LATEST),
    db.$count(consultations, eq(consultations.userId, id)),
  ])
  const ended = rows.map(({ row }) => row).filter(({ end }) => end !== null)
  const opened = await openedFor(ctx, idsOf(ended))
  const latest = rows.map((found) => ({
    ...asListed(ctx.actor, found),
    cancelled: found.row.cancelledAt !== null,
    follow_up_until: found.row.vetId === null ? null : followUpEnds(found.row),
    extended: found.row.extendedUntil !== null,
    opened: opened.get(found.row.id) ?? null,
  }))
  return { latest, count }
}

/** By consult, what the vet wrote for the owner, if this admin gave a reason in the last minutes. */
export async function openedFor(ctx: AdminCtx, ids: number[]) {
  const given = await reasonsGiven(ctx, ctx.actor, ids)
  const rows = await ctx.db
    .select({
      ...columnsOf(consultations, 'id', 'outcome'),
      summary: summaries.summary,
      plan: sql<string>`coalesce(${summaries.plan}, '')`,
    })
    .from(consultations)
    .leftJoin(summaries, eq(summaries.consultationId, consultations.id))
    .where(inArray(consultations.id, [...given.keys()]))
  return new Map(
    rows.map(({ id, ...written }) => {
      const { reason, until } = given.get(id)!
      return [id, { ...written, reason, until }]
    }),
  )
}

const petsOf = ({ db }: Place, id: number) =>
  db
    .select({
      ...columnsOf(pets, 'id', 'name', 'dob'),
      species_id: pets.speciesId,
      breed: breeds.name,
      picture: pictureOf(PICTURE_WIDTHS[1]),
      away: isNotNull(pets.putAwayAt).mapWith(Boolean),
    })
    .from(pets)
    .leftJoin(breeds, eq(breeds.id, pets.breedId))
    .leftJoin(uploads, eq(uploads.id, pets.uploadId))
    .where(eq(pets.ownerId, id))
    .orderBy(pets.id)

/** A person's open sessions, and those that opened one of their consults with a mailed link. */
const openSessions = ({ db, now }: Place, id: number, which?: SQL) =>
  db
    .select()
    .from(sessions)
    .where(
      and(
        or(
          eq(sessions.userId, id),
          inArray(
            sessions.consultationId,
            db.select({ id: consultations.id }).from(consultations).where(eq(consultations.userId, id)),
          ),
        ),
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, now()),
        which,
      ),
    )
    .orderBy(desc(sessions.lastUsedAt))

/** Whether this is an open session of this person. */
export const isOpenSessionOf = async (ctx: Place, id: number, session: string) =>
  (await openSessions(ctx, id, eq(sessions.id, session))).length > 0

async function openSessionsOf(ctx: AdminCtx, id: number) {
  const rows = await openSessions(ctx, id)
  return rows.map(({ id, agent, lastUsedAt }) => ({
    id,
    agent,
    here: id === ctx.actor.sessionId,
    last_used: lastUsedAt,
  }))
}

async function mailsOf({ db }: Place, person: Parameters<typeof mailedTo>[0]) {
  const theirs = and(mailedTo(person), ne(mails.subject, ''))
  const [rows, count] = await Promise.all([
    db.select(listedMail).from(mails).where(theirs).orderBy(desc(mails.id)).limit(LATEST_MAILS),
    db.$count(mails, theirs),
  ])
  return { latest: rows.map((row) => ({ ...row, ...resendState(row) })), count }
}

/** One of this person's mails; anybody else's is NOT_FOUND. */
export async function mailOf({ db }: Pick<World, 'db'>, person: Parameters<typeof mailedTo>[0], id: number) {
  const [row] = await db
    .select(listedMail)
    .from(mails)
    .where(and(eq(mails.id, id), mailedTo(person)))
  return row ?? fail('NOT_FOUND')
}
