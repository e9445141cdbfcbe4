import { and, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/consultations.ts'
import { messageSaid } from '#contract/chat.ts'
import { consultationChanged, SAME_WITHIN_SECONDS } from '#contract/consultations.ts'
import { fail } from '#contract/errors.ts'
import { isActive } from '#contract/memberships.ts'
import { isOpen, type Region, REGIONS } from '#contract/regions.ts'
import { record, recordOnce } from '../identity/audit.ts'
import { batched } from '../live/write-batching.ts'
import { recordConsents } from '../identity/consent.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { releaseCouponOf } from '../coupons/writes.ts'
import { attachments, consultations, messages, ratings, readMarks, pets } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import { tryTake } from '../identity/limits.ts'
import { mail } from '../mail/outbox.ts'
import { subscriptionsOfAll } from '../memberships/reads.ts'
import { spend } from '../identity/single-use-tokens.ts'
import { prepared } from '../db/client.ts'
import { personRoom, STAFF_ROOM } from '../http/serve.ts'
import { holdPeople, openSession } from '../identity/session.ts'
import { freshLinkLetter, lateLetter } from './emails.ts'
import { mayOpen, type Opener, ownerOf, roomOf } from './reads.ts'
import { attachmentKey, consultationRoom, consultLink, isLinkOfOurs } from './rules.ts'

/** A guest's consultations, and what was said in them, go with the guest into the account. */
export async function moveConsultations({ db }: Pick<World, 'db'>, from: number, to: number) {
  await db.update(consultations).set({ userId: to }).where(eq(consultations.userId, from))
  await db.update(messages).set({ userId: to }).where(eq(messages.userId, from))
  await db.update(attachments).set({ userId: to }).where(eq(attachments.userId, from))
}

/** Erases what was said and written in a person's consultations. That they were held stays, for the figures. */
export async function forgetConsultationsOf({ db, files }: Pick<World, 'db' | 'files'>, userId: number) {
  const mine = eq(consultations.userId, userId)
  const theirs = db.select({ id: consultations.id }).from(consultations).where(mine)
  const sent = await db
    .select({ name: attachments.name })
    .from(attachments)
    .where(inArray(attachments.consultationId, theirs))
  for (const { name } of sent) await files.remove(attachmentKey(name))
  await db.delete(messages).where(inArray(messages.consultationId, theirs))
  await db.delete(attachments).where(inArray(attachments.consultationId, theirs))
  await db.delete(readMarks).where(inArray(readMarks.consultationId, theirs))
  await db.delete(ratings).where(inArray(ratings.consultationId, theirs))
  const nobody = JSON.stringify({ name: '', phone: '', email: '', pet: '', speciesId: null })
  await db
    .update(consultations)
    .set({
      petIssue: '',
      outcome: '',
      caller: sql`case when ${consultations.caller} is not null then ${nobody}::jsonb end`,
    })
    .where(mine)
}

const QUESTION = {
  id: consultations.id,
  userId: consultations.userId,
  petId: consultations.petId,
  type: consultations.type,
  petIssue: consultations.petIssue,
}
type Entry = Pick<Parsed<typeof calls.startConsultation>, 'type' | 'agreed' | 'terms'> &
  Record<'userId' | 'petId', number> & { region: Region; petIssue: string }

const enteringPets = prepared((db) =>
  db
    .select({ id: pets.id, ownerId: pets.ownerId })
    .from(pets)
    .where(and(sql`${pets.id} = any(${sql.placeholder('petIds')}::int[])`, isNull(pets.putAwayAt)))
    .prepare('entering_pets'),
)
/** What was asked about these pets a moment ago in the same words, over or not: so it is found by the pet. */
const askedBefore = prepared((db) =>
  db
    .select({ ...QUESTION, end: consultations.end })
    .from(consultations)
    .where(
      and(
        sql`${consultations.petId} = any(${sql.placeholder('petIds')}::int[])`,
        sql`${consultations.petIssue} = any(${sql.placeholder('issues')}::text[])`,
        gt(consultations.start, sql.placeholder('since')),
      ),
    )
    .orderBy(consultations.id)
    .prepare('asked_before'),
)
const named = (one: Pick<typeof consultations.$inferSelect, keyof typeof QUESTION>) =>
  [`${one.userId} ${one.petId} ${one.type} ${one.petIssue}`, one.id] as const

/** Members enter the line, all who press at the same moment together. */
const enter = batched((ctx: World, entries: Entry[]) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const start = ctx.now()
    const [userIds, petIds] = [entries.map(({ userId }) => userId), entries.map(({ petId }) => petId)]
    // Two presses at once wait for each other here, so that the second finds the first. So does who deletes the account.
    const owners = new Map((await holdPeople(ctx, userIds)).map((one) => [one.id, one.canConsult]))
    const paid = (await subscriptionsOfAll(ctx, userIds)).filter((one) => isActive(one, start))
    const members = new Set(paid.map((one) => one.user_id))
    const found = new Map((await enteringPets(db).execute({ petIds })).map((one) => [one.id, one.ownerId]))
    const since = new Date(start.getTime() - SAME_WITHIN_SECONDS * 1000).toISOString()
    const issues = entries.map(({ petIssue }) => petIssue)
    const asked = await askedBefore(db).execute({ petIds, issues, since })
    const known = new Map(asked.filter(({ end }) => end === null).map(named))
    const fresh = new Map<string, Entry>()
    const outcomes = entries.map((entry) => {
      const { userId, petId } = entry
      const [name] = named({ id: 0, ...entry })
      const isMember = owners.get(userId) && members.has(userId)
      const isTheirs = found.get(petId) === userId
      const missing = isTheirs ? null : 'NOT_FOUND'
      const refused = !owners.has(userId) ? 'UNAUTHORIZED' : isMember ? missing : 'CONSULT_NEEDS_MEMBERSHIP'
      const isNew = refused === null && !known.has(name) && !fresh.has(name)
      if (isNew) fresh.set(name, entry)
      return { name, refused, isNew } as const
    })
    const entering = [...fresh.values()].map((entry) => ({ ...entry, start }))
    if (entering.length > 0) {
      for (const row of await db.insert(consultations).values(entering).returning(QUESTION))
        known.set(...named(row))
      await recordConsents(ctx, 'startConsultation', entering)
    }
    return outcomes.map(({ name, ...outcome }) => ({ ...outcome, id: known.get(name)! }))
  }),
)

/** A member enters the line. The same question again within a minute is the same consultation. */
export async function startConsultation(
  ctx: Ctx<readonly ['owner']>,
  { pet_id: petId, pet_issue: petIssue, ...sent }: Parsed<typeof calls.startConsultation>,
) {
  if (sent.agreed === false) fail('CONSULT_TERMS_NOT_AGREED')
  const { userId, region } = ctx.actor
  const { hours } = REGIONS[region]
  if (hours && !isOpen(region, ctx.now())) fail('CONSULT_CLOSED_HOURS', { values: { hours: hours.says } })
  const { id, refused, isNew } = await enter(ctx, { ...sent, petId, petIssue, userId, region })
  if (refused) return fail(refused)
  if (isNew) tellChange(ctx, id, userId)
  return { consultation: { id } }
}

/**
 * A link that was mailed opens its one consultation, once, whoever is behind it: it signs in to no account.
 * A wrong one is answered from its signature alone, so the answer says nothing about who exists.
 */
export async function loginByLink(
  ctx: Ctx,
  { customer_id, consult_id, expires, signature }: Parsed<typeof calls.loginByLink>,
) {
  const to = { customer: customer_id, consultation: consult_id }
  if (!isLinkOfOurs(ctx.secret, to, expires, signature)) fail('LINK_WRONG')
  const owner = await ownerOf(ctx, consult_id)
  if (owner?.customer !== customer_id) return fail('LINK_WRONG')
  const until = new Date(expires * 1000)
  const token =
    until > ctx.now() &&
    (await transaction(
      ctx,
      async (ctx) =>
        (await spend(ctx, `consultation link ${signature}`, until)) &&
        openSession(ctx, { consultationId: consult_id }, { agent: ctx.agent }),
    ))
  if (token) return { token }
  // However often an old link is tried, nobody is flooded.
  if ((await tryTake(ctx, 'linkMails', String(consult_id))) === 0) {
    const site = siteOfRegion(ctx, owner.region)
    const letter = freshLinkLetter({ ...owner, room: consultLink(ctx, site, to, expires) })
    await mail(ctx, site, owner.email, 'fresh link', letter)
  }
  return fail('LINK_SPENT')
}

/** One that was paid for by itself enters the line. */
export async function openBought(
  ctx: Pick<World, 'db' | 'now' | 'tell'>,
  bought: { type: 1 | 2; region: Region; userId: number; petId: number; petIssue: string },
): Promise<number> {
  const [row] = await ctx.db
    .insert(consultations)
    .values({ ...bought, start: ctx.now() })
    .returning({ id: consultations.id })
  tellChange(ctx, row!.id, bought.userId)
  return row!.id
}

/* The life of one in the line. */

export async function getConsultation(ctx: Opener, { id, why }: Parsed<typeof calls.getConsultation>) {
  await look(ctx, id, 'opened', why)
  const consultation = await roomOf(ctx, id)
  const { waiting, told } = consultation
  const isOwners = ctx.actor.kind === 'owner' || ctx.actor.kind === 'guest'
  if (waiting?.minutes && !told && isOwners) await keepTold(ctx, id, waiting.minutes)
  return { consultation }
}

/** The wait that an owner was told first stays, to be held against the one they had. */
async function keepTold({ db }: Pick<World, 'db'>, id: number, [from, to]: [number, number]) {
  const most = (minutes: number) => Math.min(minutes, 32_767)
  await db
    .update(consultations)
    .set({ toldFrom: most(from), toldTo: most(to) })
    .where(and(eq(consultations.id, id), isNull(consultations.toldFrom)))
}

/** One look a while is written down: a page asks again by itself. */
const SAME_LOOK_MINUTES = 10

/** Whoever may open it. Of staff it is written down who looked; a vet says why at what another vet closed. */
export async function look(
  ctx: Pick<Opener, 'db' | 'now' | 'actor'>,
  id: number,
  action: string,
  why: string | undefined,
) {
  const { vetId, end } = await mayOpen(ctx, id)
  const { actor } = ctx
  if (actor.kind !== 'vet' && actor.kind !== 'admin') return
  const anothers = actor.kind === 'vet' && end !== null && vetId !== actor.userId
  if (anothers && !why) fail('CONSULT_SAY_WHY')
  await recordOnce(
    ctx,
    { userId: actor.userId, action, subject: 'consultation', subjectId: id, ...(why && { reason: why }) },
    SAME_LOOK_MINUTES,
  )
}

/** Before a vet has joined an owner can always leave. Again it changes nothing. */
export async function cancelConsultation(
  ctx: Ctx<readonly ['owner', 'guest']>,
  { id }: Parsed<typeof calls.cancelConsultation>,
) {
  const { userId: owner } = await mayOpen(ctx, id)
  return transaction(ctx, async (ctx) => {
    const at = ctx.now()
    const cancelled = await ctx.db
      .update(consultations)
      .set({ end: at, cancelledAt: at })
      .where(and(eq(consultations.id, id), isNull(consultations.vetId), isNull(consultations.end)))
      .returning({ id: consultations.id })
    if (cancelled.length === 0) {
      const [row] = await ctx.db
        .select({ cancelledAt: consultations.cancelledAt })
        .from(consultations)
        .where(eq(consultations.id, id))
      return row!.cancelledAt === null ? fail('CONSULT_NOT_WAITING') : {}
    }
    await releaseCouponOf(ctx, id)
    tellChange(ctx, id, owner)
    // What was paid for it goes back at once.
    ctx.wake()
    return {}
  })
}

/** It stays in the line for nothing; said again it changes nothing. */
export async function stayFree(ctx: Pick<World, 'db' | 'tell'>, id: number, at: Date) {
  const [row] = await ctx.db
    .update(consultations)
    .set({ freeSince: at })
    .where(and(eq(consultations.id, id), isNull(consultations.freeSince)))
    .returning({ owner: consultations.userId })
  if (row) tellChange(ctx, id, row.owner)
}

/** The beginning of the key of the mail that says both: that they still wait, and what goes back. */
export const LATE_AND_BACK = 'late and back '

/** Who waits longer than was promised hears an apology, once; who paid for this consult alone what goes back too. */
export async function sayLate(
  ctx: Pick<World, 'db' | 'env' | 'secret' | 'now' | 'tell' | 'wake'>,
  id: number,
  back: string | null = null,
) {
  const [late] = await ctx.db
    .update(consultations)
    .set({ lateToldAt: ctx.now() })
    .where(and(eq(consultations.id, id), isNull(consultations.lateToldAt)))
    .returning({ userId: consultations.userId })
  if (!late) return
  const free = back === null ? '' : ` We’re refunding ${back} to your card, so the consult costs you nothing.`
  await houseSays(
    ctx,
    id,
    `A vet should have been with you by now. We’re sorry. You keep your place, and the next free vet will join you.${free} If your pet gets worse, don’t wait for us: call or go to the nearest open clinic.`,
  )
  const owner = await ownerOf(ctx, id)
  if (owner) {
    const site = siteOfRegion(ctx, owner.region)
    const key = `${back === null ? 'late ' : LATE_AND_BACK}${id}`
    await mail(ctx, site, owner.email, 'consult late', lateLetter(owner, back), key)
  }
  tellChange(ctx, id, late.userId)
}

/** Whoever leaves the page while they wait gets a mail once a vet has joined. */
export async function askForMail(
  ctx: Ctx<readonly ['owner', 'guest']>,
  { id, on }: Parsed<typeof calls.askForMail>,
) {
  const { userId: owner } = await mayOpen(ctx, id)
  const asked = await ctx.db
    .update(consultations)
    .set({ mailWhenTaken: on })
    .where(and(eq(consultations.id, id), isNull(consultations.vetId), isNull(consultations.end)))
    .returning({ id: consultations.id })
  if (asked.length === 0 && on) fail('CONSULT_NOT_WAITING')
  tellChange(ctx, id, owner)
  return {}
}

/** Once a vet has ended it. A later rating takes the place of an earlier one. */
export async function rateConsultation(
  ctx: Ctx<readonly ['owner', 'guest']>,
  { id, stars, words }: Parsed<typeof calls.rateConsultation>,
) {
  const { vetId, end } = await mayOpen(ctx, id)
  if (end === null || vetId === null) fail('RATING_TOO_EARLY')
  const given = { stars, words, at: ctx.now() }
  await ctx.db
    .insert(ratings)
    .values({ consultationId: id, ...given })
    .onConflictDoUpdate({ target: ratings.consultationId, set: given })
  ctx.tell(consultationRoom(id), consultationChanged, { consultation: id })
  return {}
}

const DAY = 86_400_000

/** Ends a consult that this vet has, once; a day later its owner is asked how the pet is. */
export async function closeConsultation(
  ctx: Pick<World, 'db' | 'now' | 'tell'>,
  id: number,
  vet: { id: number; name: string },
  outcome: string,
) {
  const at = ctx.now()
  const [row] = await ctx.db
    .update(consultations)
    .set({
      end: at,
      outcome,
      followUpDueAt: sql`case when ${consultations.userId} is not null
        then ${new Date(at.getTime() + DAY).toISOString()}::timestamptz end`,
    })
    .where(and(eq(consultations.id, id), eq(consultations.vetId, vet.id), isNull(consultations.end)))
    .returning({ owner: consultations.userId })
  if (!row) return fail('CONSULT_NOT_YOURS_TO_ANSWER')
  await houseSays(ctx, id, `${vet.name} ended the consult. What to do next is in the summary.`)
  await record(ctx, { userId: vet.id, action: 'ended', subject: 'consultation', subjectId: id })
  tellChange(ctx, id, row.owner)
}

/** The clinic that the owner chose was written to; the first time counts. */
export async function markClinicNotified({ db, now }: Pick<World, 'db' | 'now'>, id: number) {
  await db
    .update(consultations)
    .set({ clinicNotifiedAt: now() })
    .where(
      and(
        eq(consultations.id, id),
        isNotNull(consultations.clinicId),
        isNull(consultations.clinicNotifiedAt),
      ),
    )
}

/** A line of the house in the conversation, numbered among the others. */
export async function houseSays(ctx: Pick<World, 'db' | 'now' | 'tell'>, id: number, body: string) {
  const at = ctx.now()
  const [row] = await ctx.db
    .update(consultations)
    .set({ lastSeq: sql`${consultations.lastSeq} + 1` })
    .where(eq(consultations.id, id))
    .returning({ seq: consultations.lastSeq })
  const { seq } = row!
  // A name that no sender can give, or one of them could keep the house from speaking.
  const clientId = `house:${seq}`
  await ctx.db.insert(messages).values({ consultationId: id, seq, clientId, userId: null, body, at })
  const message = {
    seq,
    client_id: clientId,
    user_id: null,
    body,
    attachment: null,
    at: at.toISOString(),
  }
  ctx.tell(consultationRoom(id), messageSaid, { consultation: id, message })
}

/** Its room, the line and its owner's pages look again. */
export function tellChange(ctx: Pick<World, 'tell'>, id: number, owner: number | null) {
  for (const room of [consultationRoom(id), STAFF_ROOM])
    ctx.tell(room, consultationChanged, { consultation: id })
  if (owner !== null) ctx.tell(personRoom(owner), accountChanged, { what: ['consultations'] })
}
