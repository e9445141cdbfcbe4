import { and, asc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import type * as calls from '#contract/consultations.ts'
import { messageSaid } from '#contract/chat.ts'
import {
  CONSULT_TYPES,
  consultationChanged,
  MOST_OPEN,
  SAME_WITHIN_SECONDS,
} from '#contract/consultations.ts'
import { fail } from '#contract/errors.ts'
import { isActive } from '#contract/memberships.ts'
import { isOpen, type Region, REGIONS } from '#contract/regions.ts'
import { addDays } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { record, recordOnce } from '../identity/audit.ts'
import { recordConsent } from '../identity/consent.ts'
import { isStaff, transaction, type World } from '../context.ts'
import { releaseCouponOf } from '../coupons/writes.ts'
import { isOpenOf, isWaiting } from '../db/kinds.ts'
import { attachments, consultations, levelChanges, messages, pets, ratings, readMarks } from '../db/schema.ts'
import { take, tryTake } from '../identity/limits.ts'
import { mail } from '../mail/outbox.ts'
import { subscriptionsOf } from '../memberships/reads.ts'
import { spend } from '../identity/single-use-tokens.ts'
import { consultationRoom, personRoom, STAFF_ROOM, staffRoom } from '../live/connections.ts'
import { hashOf } from '../identity/secrets.ts'
import { isSessionOpen, lockPerson, openSession } from '../identity/session.ts'
import { urgencyOf } from '../urgency/reads.ts'
import { freshLinkLetter, lateLetter } from './emails.ts'
import type { SamePet } from '../pets/join-writes.ts'
import { isEveryones } from './question-reads.ts'
import { consultsBought, isAnothers, mayOpen, type Opener, ownerOf, petInTreatment, roomOf } from './reads.ts'
import { firstTaken, leftUnadvised } from './room-reads.ts'
import { consultLink, isLinkOfOurs } from './rules.ts'

/** Locks consultations that change together. Message writers lock in the same order, so nobody deadlocks. */
export const lockConsultations = ({ db }: Pick<World, 'db'>, which: SQL | undefined) =>
  db
    .select({ id: consultations.id })
    .from(consultations)
    .where(which)
    .orderBy(asc(consultations.id))
    .for('no key update')

/** Moves consultations of guests, with what they wrote and read there, to the account that the guests become. */
export async function moveConsultations(
  { db }: Pick<World, 'db'>,
  from: number[],
  to: number,
  same: SamePet[],
) {
  const theirs = inArray(consultations.userId, from)
  await lockConsultations({ db }, theirs)
  await db.update(consultations).set({ userId: to }).where(theirs)
  for (const { pet, as } of same)
    await db.update(consultations).set({ petId: as }).where(eq(consultations.petId, pet))
  await db.update(messages).set({ userId: to }).where(inArray(messages.userId, from))
  await db.update(attachments).set({ userId: to }).where(inArray(attachments.userId, from))
  await db.update(readMarks).set({ userId: to }).where(inArray(readMarks.userId, from))
}

/** Erases what these consultations say. The rows stay, for the statistics. The sweep deletes their files after the commit. */
export async function forgetConsultations({ db, now }: Pick<World, 'db' | 'now'>, which: SQL | undefined) {
  const theirs = db.select({ id: consultations.id }).from(consultations).where(which)
  await db.delete(messages).where(inArray(messages.consultationId, theirs))
  await db
    .update(attachments)
    .set({ filename: '', createdAt: now() })
    .where(inArray(attachments.consultationId, theirs))
  await db.delete(readMarks).where(inArray(readMarks.consultationId, theirs))
  await db.delete(ratings).where(inArray(ratings.consultationId, theirs))
  await db.update(levelChanges).set({ reason: '' }).where(inArray(levelChanges.consultationId, theirs))
  const nobody = JSON.stringify({ name: '', phone: '', email: '', pet: '', speciesId: null })
  await db
    .update(consultations)
    .set({
      petIssue: '',
      outcome: '',
      // The reasons for the level quote what the owner wrote.
      urgencyRead: sql`${consultations.urgencyRead} || '{"reasons": []}'`,
      caller: sql`case when ${consultations.caller} is not null then ${nobody}::jsonb end`,
    })
    .where(which)
}

/**
 * Refuses a consult to a person who has as many open as allowed, counting those being bought. Call it with the person
 * locked, so that parallel requests count each other. Guests aren't counted by their email, because a stranger could type
 * it and keep its owner from buying.
 */
export async function refuseOneTooMany(world: Pick<World, 'db'>, userId: number) {
  const open = await world.db.$count(
    consultations,
    and(eq(consultations.userId, userId), isNull(consultations.end)),
  )
  if (open + (await consultsBought(world, userId)) >= MOST_OPEN)
    fail('CONSULTS_OPEN', { values: { most: String(MOST_OPEN) } })
}

export function refuseWhileClosed({ now }: Pick<World, 'now'>, region: Region) {
  const { hours } = REGIONS[region]
  if (hours && !isOpen(region, now())) fail('CONSULT_CLOSED_HOURS', { values: { hours: hours.says } })
}

/** Puts a member in the queue. The same question within a minute is the same consultation. */
export const startConsultation: Handler<typeof calls.startConsultation> = async (
  ctx,
  { pet_id: petId, pet_issue: petIssue, type, signs, ...agreement },
) => {
  if (agreement.agreed === false) fail('CONSULT_TERMS_NOT_AGREED')
  const { userId, region } = ctx.actor
  refuseWhileClosed(ctx, region)
  return transaction(ctx, async (ctx) => {
    const now = ctx.now()
    // The second of two presses waits here, then finds what the first one stored.
    const { canConsult } = await lockPerson(ctx, userId)
    const memberships = await subscriptionsOf(ctx, userId)
    if (!canConsult || !memberships.some((one) => isActive(one, now))) fail('CONSULT_NEEDS_MEMBERSHIP')
    const [pet] = await ctx.db
      .select({ id: pets.id })
      .from(pets)
      .where(and(eq(pets.id, petId), eq(pets.ownerId, userId), isNull(pets.putAwayAt)))
    if (!pet) return fail('NOT_FOUND')
    const since = new Date(now.getTime() - SAME_WITHIN_SECONDS * 1000)
    // We check the end here: when asked for open consultations, PostgreSQL reads everybody's of that minute, not the pet's.
    const recent = await ctx.db
      .select()
      .from(consultations)
      .where(and(eq(consultations.petId, petId), gt(consultations.start, since)))
    const same = recent.find(
      (one) => one.end === null && one.type === type && one.petIssue === petIssue && one.userId === userId,
    )
    if (same) return { consultation: { id: same.id } }
    await refuseOneTooMany(ctx, userId)
    await take(ctx, 'consultsStarted', String(userId))
    const id = await enterQueue(ctx, { type, region, userId, petId, petIssue }, signs)
    await recordConsent(ctx, userId, 'startConsultation', agreement)
    return { consultation: { id } }
  })
}

/**
 * A mailed link opens one consultation, once, for anyone who has the link. It doesn't sign in to any account.
 * A wrong link is judged by its signature alone, so the answer doesn't reveal who exists.
 */
export const loginByLink: Handler<typeof calls.loginByLink> = async (
  ctx,
  { customer_id, consult_id, expires, signature },
) => {
  const to = { customer: customer_id, consultation: consult_id }
  if (!isLinkOfOurs(ctx.secrets, to, expires, signature)) fail('LINK_WRONG')
  const owner = await ownerOf(ctx, consult_id)
  if (owner?.customer !== customer_id) return fail('LINK_WRONG')
  const until = new Date(expires * 1000)
  // The same press, sent again after its answer was lost, gets the session that it opened.
  const key = ctx.idempotency?.key
  const session = { agent: ctx.agent, ...(key && { id: hashOf(`session by link ${signature} ${key}`) }) }
  const token =
    until > ctx.now() &&
    (await transaction(
      ctx,
      async (ctx) =>
        ((await spend(ctx, `consultation link ${signature}`, until)) ||
          (session.id !== undefined && (await isSessionOpen(ctx, session.id)))) &&
        openSession(ctx, { consultationId: consult_id }, session),
    ))
  if (token) return { token }
  // Trying an old link many times doesn't flood its owner with mail.
  if ((await tryTake(ctx, 'linkMails', String(consult_id))) === 0) {
    const letter = freshLinkLetter({ ...owner, room: consultLink(ctx, to, expires) })
    await mail(ctx, owner.region, owner.email, 'fresh link', letter)
  }
  return fail('LINK_SPENT')
}

export async function enterQueue(
  ctx: Pick<World, 'db' | 'now' | 'tell'>,
  asked: {
    type: 1 | 2
    region: Region
    userId: number
    petId: number
    petIssue: string
    /** The ended consult that it reopens. */
    goesOnFrom?: number
  },
  signs: string[] = [],
): Promise<number> {
  const [row] = await ctx.db
    .insert(consultations)
    .values({ ...asked, ...(await urgencyOf(ctx, asked, signs)), start: ctx.now() })
    .returning({ id: consultations.id })
  tellChange(ctx, row!.id, asked.userId, [])
  return row!.id
}

/* A consult in the queue. */

export const getConsultation: Handler<typeof calls.getConsultation> = async (ctx, { id, why }) => {
  await look(ctx, id, 'opened', why)
  const consultation = await roomOf(ctx, id)
  const { waiting, told } = consultation
  const isOwners = ctx.actor.kind === 'owner' || ctx.actor.kind === 'guest'
  if (waiting?.minutes && !told && isOwners) await keepFirstWait(ctx, id, waiting.minutes)
  return { consultation }
}

/** Stores the first wait that the owner saw, to compare it with the real one. */
async function keepFirstWait({ db }: Pick<World, 'db'>, id: number, [from, to]: [number, number]) {
  const most = (minutes: number) => Math.min(minutes, 32_767)
  await db
    .update(consultations)
    .set({ toldFrom: most(from), toldTo: most(to) })
    .where(and(eq(consultations.id, id), isNull(consultations.toldFrom)))
}

/**
 * Opens a consultation and records which staff looked. Staff need a reason to see a consult that another vet ended;
 * treating the same pet now is one.
 */
export async function look(
  ctx: Pick<Opener, 'db' | 'now' | 'actor'>,
  id: number,
  action: string,
  why: string | undefined,
) {
  const row = await mayOpen(ctx, id)
  const { actor } = ctx
  if (!isStaff(actor)) return
  const reason = why || (isAnothers(actor, row) ? await reasonOf(ctx, id, actor.userId) : '')
  await recordOnce(ctx, actor.userId, action, ['consultation', id], reason)
}

async function reasonOf(ctx: Pick<World, 'db' | 'now'>, id: number, vetId: number) {
  if (await isEveryones(ctx, id)) return 'To answer a follow-up question'
  const pet = (await petInTreatment(ctx, id, vetId)) ?? fail('CONSULT_SAY_WHY')
  return `While treating ${pet}`
}

/**
 * An owner can always leave while no vet has the consult. Once a vet has advised, money and coupon stay until an admin
 * decides otherwise. A second call changes nothing.
 */
export const cancelConsultation: Handler<typeof calls.cancelConsultation> = async (ctx, { id }) => {
  const { userId: owner } = await mayOpen(ctx, id)
  return transaction(ctx, async (ctx) => {
    const at = ctx.now()
    const cancelled = await ctx.db
      .update(consultations)
      .set({ end: at, cancelledAt: at })
      .where(and(eq(consultations.id, id), isWaiting))
      .returning({ id: consultations.id })
    if (cancelled.length === 0) {
      const [row] = await ctx.db
        .select({ cancelledAt: consultations.cancelledAt })
        .from(consultations)
        .where(eq(consultations.id, id))
      return row!.cancelledAt === null ? fail('CONSULT_NOT_WAITING') : {}
    }
    const [unadvised] = await ctx.db
      .select({ id: consultations.id })
      .from(consultations)
      .where(and(eq(consultations.id, id), leftUnadvised))
    if (unadvised) await releaseCouponOf(ctx, id)
    tellChange(ctx, id, owner, [])
    // The refund job should start straight away.
    ctx.wake()
    return {}
  })
}

/** Keeps a consult in the queue and makes it free. A second call changes nothing. */
export async function stayFree(ctx: Pick<World, 'db' | 'tell'>, id: number, at: Date) {
  const [row] = await ctx.db
    .update(consultations)
    .set({ freeSince: at })
    .where(and(eq(consultations.id, id), isNull(consultations.freeSince)))
    .returning({ owner: consultations.userId })
  if (row) tellChange(ctx, id, row.owner, [])
}

/** Keys of the mail that apologises and mentions the refund begin with this. */
export const LATE_WITH_REFUND = 'late and back '

/** Apologises once for a late vet, and mentions the refund if the owner paid for this consult alone. */
export async function sayLate(
  ctx: Pick<World, 'db' | 'env' | 'secrets' | 'now' | 'tell' | 'wake'>,
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
  await postFromVetChat(
    ctx,
    id,
    `A vet should have been with you by now. We’re sorry. You keep your place, and the next free vet will join you.${free} If your pet gets worse, don’t wait for us: call or go to the nearest open clinic.`,
  )
  const owner = await ownerOf(ctx, id)
  if (owner) {
    const key = `${back === null ? 'late ' : LATE_WITH_REFUND}${id}`
    await mail(ctx, owner.region, owner.email, 'consult late', lateLetter(owner, back), { key })
  }
  tellChange(ctx, id, late.userId, [])
}

/** Owners who leave the page while waiting can get a mail when a vet has joined. */
export const mailWhenTaken: Handler<typeof calls.mailWhenTaken> = async (ctx, { id, on }) => {
  const { userId: owner } = await mayOpen(ctx, id)
  const [asked] = await ctx.db
    .update(consultations)
    .set({ mailWhenTaken: on })
    .where(and(eq(consultations.id, id), isWaiting))
    .returning({ id: consultations.id })
  if (!asked) return on ? fail('CONSULT_NOT_WAITING') : {}
  // Only the owner's pages show this.
  if (owner !== null) ctx.tell(personRoom(owner), accountChanged, { what: ['consultations'] })
  ctx.tell(consultationRoom(id), consultationChanged, { consultation: id })
  return {}
}

/** Rates a consult that a vet has ended. A later rating replaces an earlier one. */
export const rateConsultation: Handler<typeof calls.rateConsultation> = async (ctx, { id, stars, words }) => {
  const { vetId, end } = await mayOpen(ctx, id)
  if (end === null || vetId === null) fail('RATING_TOO_EARLY')
  const given = { stars, words, at: ctx.now() }
  await ctx.db
    .insert(ratings)
    .values({ consultationId: id, ...given, words: words ?? '' })
    .onConflictDoUpdate({ target: ratings.consultationId, set: given })
  ctx.tell(consultationRoom(id), consultationChanged, { consultation: id })
  return {}
}

/** Ends this vet's consult, once. A day later we ask the owner how the pet is. */
export async function closeConsultation(
  ctx: Pick<World, 'db' | 'now' | 'tell' | 'hangUp'>,
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
        then ${addDays(at, 1).toISOString()}::timestamptz end`,
    })
    .where(and(eq(consultations.id, id), isOpenOf(vet.id)))
    .returning({ owner: consultations.userId })
  if (!row) return fail('CONSULT_NOT_YOURS_TO_ANSWER')
  await postFromVetChat(ctx, id, `${vet.name} ended the consult. What to do next is in the plan.`)
  await record(ctx, vet.id, 'ended', ['consultation', id])
  tellChange(ctx, id, row.owner, [vet.id])
  ctx.hangUp(staffRoom(id), { from: consultationRoom(id), except: personRoom(vet.id) })
}

/** Posts a message from VetChat itself, numbered like the others. */
export async function postFromVetChat(ctx: Pick<World, 'db' | 'now' | 'tell'>, id: number, body: string) {
  const at = ctx.now()
  const [row] = await ctx.db
    .update(consultations)
    .set({ lastSeq: sql`${consultations.lastSeq} + 1` })
    .where(eq(consultations.id, id))
    .returning({ seq: consultations.lastSeq })
  const { seq } = row!
  // No sender can choose this name, so nobody can block our message by taking it.
  const clientId = `vetchat:${seq}`
  await ctx.db.insert(messages).values({ consultationId: id, seq, clientId, userId: null, body, at })
  const message = { seq, client_id: clientId, user_id: null, body, attachment: null, at }
  ctx.tell(consultationRoom(id), messageSaid, { consultation: id, message })
}

/** Lets the owner of an ended consult write and reopen it until this time. */
export async function extendUntil(ctx: Pick<World, 'db' | 'tell'>, id: number, until: Date) {
  const [extended] = await ctx.db
    .update(consultations)
    .set({ extendedUntil: until })
    .where(
      and(
        eq(consultations.id, id),
        isNotNull(consultations.end),
        isNotNull(consultations.vetId),
        isNull(consultations.cancelledAt),
      ),
    )
    .returning({ userId: consultations.userId })
  if (!extended) return fail('CONSULT_NOT_ENDED')
  tellChange(ctx, id, extended.userId)
}

/** Stores a phone consultation, which is over by the time it is recorded. */
export async function addPhoneConsultation(
  ctx: Pick<World, 'db' | 'now' | 'tell'>,
  consult: Pick<
    typeof consultations.$inferInsert,
    'region' | 'clinicId' | 'vetId' | 'caller' | 'petIssue' | 'outcome' | 'start'
  >,
): Promise<number> {
  const [row] = await ctx.db
    .insert(consultations)
    .values({ ...consult, type: CONSULT_TYPES.phone, vetStart: consult.start, end: ctx.now() })
    .returning({ id: consultations.id })
  tellChange(ctx, row!.id, null)
  return row!.id
}

/** Changes the outcome of a phone consult after it was recorded. */
export const noteOutcome = ({ db }: Pick<World, 'db'>, id: number, outcome: string) =>
  db.update(consultations).set({ outcome }).where(eq(consultations.id, id))

/** Tells the room, the queue and the owner's pages to refetch. Pages of staff fetch less if they know whose cases changed. */
export function tellChange(ctx: Pick<World, 'tell'>, id: number, owner: number | null, vets?: number[]) {
  for (const room of [consultationRoom(id), STAFF_ROOM])
    ctx.tell(room, consultationChanged, { consultation: id, vets })
  if (owner !== null) ctx.tell(personRoom(owner), accountChanged, { what: ['consultations'] })
}

/** Owners in the queue see whether a vet is on duty, and how long it should take. */
export async function tellWaiting({ db, tell }: Pick<World, 'db' | 'tell'>, region: Region) {
  const waiting = await db
    .select({ id: consultations.id })
    .from(consultations)
    .where(and(eq(consultations.region, region), isWaiting))
  for (const { id } of waiting) tell(consultationRoom(id), consultationChanged, { consultation: id })
}

export const VET_LEFT = 'Your vet had to leave. The next one will read everything you wrote.'

/** Returns a silent vet's cases to the queue, with their history and place, and tells their rooms why. */
export async function handBackConsultations(
  ctx: Pick<World, 'db' | 'now' | 'tell'>,
  vetId: number,
  says = VET_LEFT,
) {
  const open = await lockConsultations(ctx, isOpenOf(vetId))
  for (const { id } of open) {
    const [row] = await ctx.db
      .update(consultations)
      .set({ vetId: null, vetStart: null, firstTakenAt: firstTaken, snoozedUntil: null, vetHere: false })
      .where(eq(consultations.id, id))
      .returning({ owner: consultations.userId })
    await postFromVetChat(ctx, id, says)
    await record(ctx, null, 'handed back', ['consultation', id], { details: { from: vetId } })
    tellChange(ctx, id, row!.owner, [vetId])
  }
}
