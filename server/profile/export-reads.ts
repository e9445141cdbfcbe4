import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Output, people } from '#contract/call.ts'
import { fail } from '#contract/errors.ts'
import { PICTURE_WIDTHS } from '#contract/pets.ts'
import type * as calls from '#contract/profile.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { idsOf } from '../db/ids-of.ts'
import { doctorName } from '../db/names.ts'
import {
  attachments,
  auditLog,
  backAsks,
  breeds,
  cards,
  careItems,
  petFacts,
  petWeights,
  claims,
  clinicalNotes,
  clinics,
  consents,
  consultations,
  contactMessages,
  coupons,
  factors,
  giftCards,
  ledger,
  levelChanges,
  mails,
  messages,
  newsletter,
  notes,
  pawcarePets,
  pets,
  policies,
  purchases,
  ratings,
  refunds,
  sessions,
  species,
  subscriptionPets,
  subscriptions,
  summaries,
  uploads,
  users,
  videoCalls,
} from '../db/schema.ts'
import { Streamed } from '../http/streamed.ts'
import { isAbout } from '../identity/audit.ts'
import { take } from '../identity/limits.ts'
import { ofPerson } from '../ledger/reads.ts'
import { pictureAddress } from '../pets/rules.ts'
import { mailedTo, moneyOf } from './reads.ts'

/** Everything we keep about a person, in plain words. Conversations may be longer than memory, so the answer is streamed. */
export async function exportMyData(ctx: Ctx<typeof people>) {
  const mine = await allBut(ctx)
  const consults = await consultationsOf(ctx, ctx.actor.userId)
  return new Streamed<Output<typeof calls.exportMyData>>(pieces(ctx, mine, consults))
}

type Consult = Awaited<ReturnType<typeof consultationsOf>>[number]

async function* pieces(ctx: Ctx<typeof people>, mine: object, consults: Consult[]) {
  yield opened(mine, 'consultations')
  for (const [at, one] of consults.entries()) {
    yield (at === 0 ? '' : ',') + opened(one, 'messages')
    yield* messagesIn(ctx, one.number, ctx.actor.userId)
    yield ']}'
  }
  yield ']}'
}

/** The JSON of an object up to the beginning of one more list. */
const opened = (object: object, list: string) => `${JSON.stringify(object).slice(0, -1)},"${list}":[`

async function allBut(ctx: Ctx<typeof people>) {
  const { db, actor, now } = ctx
  const { userId } = actor
  await take(ctx, 'exportData', String(userId))
  const [person] = await db.select().from(users).where(eq(users.id, userId))
  if (!person) return fail('UNAUTHORIZED')
  // A person who hasn't confirmed an address doesn't get what others did with it.
  const confirmed = person.emailConfirmedAt === null ? [] : [person.email]
  return {
    exported_at: now(),
    details: {
      first_name: person.firstName,
      last_name: person.lastName,
      email: person.email,
      email_confirmed_at: person.emailConfirmedAt,
      mobile: person.mobile,
      postcode: person.postcode,
      address: person.address,
      clinic: person.userClinic,
      region: person.region,
      customer_id: person.publicId,
      notifications: person.notifications,
      registration: person.registration,
      last_seen_at: person.lastSeenAt,
      since: person.createdAt,
    },
    pets: await petsOf(ctx, userId),
    policies: await db
      .select({ number: policies.policy, pet: policies.petName, bound_at: policies.boundAt })
      .from(policies)
      .where(eq(policies.userId, userId)),
    memberships: await membershipsOf(ctx, userId),
    ...(await paymentsOf(ctx, userId)),
    claims: await claimsOf(ctx, userId),
    consents: await db
      .select({ agreed_to: consents.call, terms: consents.terms, ticked: consents.ticked, at: consents.at })
      .from(consents)
      .where(eq(consents.userId, userId))
      .orderBy(asc(consents.id)),
    sessions: await db
      .select({
        browser: sessions.agent,
        started: sessions.createdAt,
        last_used: sessions.lastUsedAt,
        expires: sessions.expiresAt,
        ended: sessions.endedAt,
      })
      .from(sessions)
      .where(eq(sessions.userId, userId))
      .orderBy(asc(sessions.createdAt)),
    mails: await db
      .select({ to: mails.to, subject: mails.subject, written: mails.createdAt, sent: mails.sentAt })
      .from(mails)
      .where(mailedTo(person))
      .orderBy(asc(mails.id)),
    second_factor: await db
      .select({ started: factors.createdAt, on_since: factors.onAt })
      .from(factors)
      .where(eq(factors.userId, userId)),
    newsletter: await db
      .select({
        name: newsletter.name,
        asked: newsletter.askedAt,
        confirmed: newsletter.confirmedAt,
        left: newsletter.leftAt,
      })
      .from(newsletter)
      .where(inArray(newsletter.email, confirmed)),
    told_when_a_vet_is_back: await db
      .select({ asked: backAsks.askedAt })
      .from(backAsks)
      .where(inArray(backAsks.email, confirmed)),
    messages_to_us: await db
      .select({ name: contactMessages.name, text: contactMessages.body, at: contactMessages.at })
      .from(contactMessages)
      .where(inArray(contactMessages.email, confirmed))
      .orderBy(asc(contactMessages.id)),
    changes_written_down: await db
      .select({ at: auditLog.at, what: auditLog.action, reason: auditLog.reason, details: auditLog.details })
      .from(auditLog)
      .where(isAbout(['user', userId]))
      .orderBy(asc(auditLog.id)),
  }
}

const of = <T>(rows: { id: number | null; one: T }[], id: number) =>
  rows.filter((row) => row.id === id).map(({ one }) => one)

async function petsOf({ db }: Pick<World, 'db'>, userId: number) {
  const rows = await db
    .select({
      id: pets.id,
      name: pets.name,
      species: species.name,
      breed: breeds.name,
      sex: sql<string | null>`(array['male', 'female'])[${pets.sex}]`,
      born: pets.dob,
      ...columnsOf(pets, 'desexed', 'microchip'),
      picture: uploads.name,
      added: pets.createdAt,
      put_away: pets.putAwayAt,
      put_away_why: pets.putAwayWhy,
    })
    .from(pets)
    .innerJoin(species, eq(species.id, pets.speciesId))
    .leftJoin(breeds, eq(breeds.id, pets.breedId))
    .leftJoin(uploads, eq(uploads.id, pets.uploadId))
    .where(eq(pets.ownerId, userId))
    .orderBy(asc(pets.id))
  const ids = idsOf(rows)
  const care = await db
    .select({
      id: careItems.petId,
      one: { item: careItems.item, due: careItems.dueOn, done: careItems.doneOn },
    })
    .from(careItems)
    .where(inArray(careItems.petId, ids))
    .orderBy(asc(careItems.dueOn))
  const weights = await db
    .select({ id: petWeights.petId, one: { on: petWeights.on, grams: petWeights.grams } })
    .from(petWeights)
    .where(inArray(petWeights.petId, ids))
    .orderBy(asc(petWeights.on))
  const facts = await db
    .select({
      id: petFacts.petId,
      one: { ...columnsOf(petFacts, 'kind', 'name', 'detail'), from: petFacts.at, to: petFacts.endedAt },
    })
    .from(petFacts)
    .where(inArray(petFacts.petId, ids))
    .orderBy(asc(petFacts.id))
  const covers = await db
    .select({ id: pawcarePets.petId, one: { from: pawcarePets.optIn, to: pawcarePets.optOut } })
    .from(pawcarePets)
    .where(inArray(pawcarePets.petId, ids))
    .orderBy(asc(pawcarePets.id))
  return rows.map(({ id, picture, ...pet }) => ({
    ...pet,
    picture: picture && pictureAddress(picture, PICTURE_WIDTHS[1]),
    pawcare: of(covers, id),
    care: of(care, id),
    weights: of(weights, id),
    allergies_medicines_conditions: of(facts, id),
  }))
}

async function membershipsOf({ db }: Pick<World, 'db'>, userId: number) {
  return db
    .select({
      ...columnsOf(subscriptions, 'plan', 'price', 'currency', 'status'),
      sold_by: subscriptions.source,
      partner_number: subscriptions.subsId,
      began: subscriptions.recurringStart,
      paid_until: subscriptions.currentPeriodEnd,
      ends: subscriptions.end,
      ended: subscriptions.endedAt,
      pets: sql<string[]>`array(
        select p.name from ${subscriptionPets} s join ${pets} p on p.id = s.pet_id
        where s.subscription_id = ${subscriptions}.id order by s.id)`,
    })
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId))
    .orderBy(asc(subscriptions.id))
}

async function paymentsOf(ctx: Pick<World, 'db'>, userId: number) {
  const { db } = ctx
  const [card] = await db
    .select({
      ...columnsOf(cards, 'brand', 'last4'),
      exp_month: cards.expMonth,
      exp_year: cards.expYear,
    })
    .from(cards)
    .where(eq(cards.userId, userId))
  return {
    card: card ?? null,
    purchases: await db
      .select({
        what: purchases.kind,
        ...columnsOf(purchases, 'state', 'amount', 'currency', 'email'),
        coupon: coupons.code,
        at: purchases.createdAt,
        paid_at: purchases.paidAt,
      })
      .from(purchases)
      .leftJoin(coupons, eq(coupons.id, purchases.couponId))
      .where(eq(purchases.userId, userId))
      .orderBy(asc(purchases.id)),
    money: await moneyOf(ctx, userId),
    refunds: await db
      .select({ amount: refunds.amount, reason: refunds.reason, at: refunds.createdAt, done: refunds.doneAt })
      .from(refunds)
      .innerJoin(ledger, eq(ledger.id, refunds.chargeId))
      .where(ofPerson(ctx, userId))
      .orderBy(asc(refunds.id)),
    gift_cards: await db
      .select({ ...columnsOf(giftCards, 'amount', 'currency', 'code'), issued: giftCards.issuedAt })
      .from(giftCards)
      .where(eq(giftCards.userId, userId)),
  }
}

const claimsOf = ({ db }: Pick<World, 'db'>, userId: number) =>
  db
    .select({
      pet: pets.name,
      ...columnsOf(claims, 'incident', 'amount', 'currency', 'state', 'paid', 'decision'),
      happened_on: claims.happenedOn,
      would_pay: claims.wouldPay,
      at: claims.createdAt,
      decided: claims.decidedAt,
    })
    .from(claims)
    .innerJoin(pets, eq(pets.id, claims.petId))
    .where(eq(pets.ownerId, userId))
    .orderBy(asc(claims.id))

const vets = alias(users, 'vets')
const vetName = doctorName(vets)

const MESSAGES_AT_ONCE = 50

/** The messages of a consult in JSON, a few at a time. */
async function* messagesIn({ db }: Pick<World, 'db'>, consultation: number, userId: number) {
  for (let after = 0; ;) {
    const rows = await db
      .select({
        seq: messages.seq,
        one: {
          at: messages.at,
          by: sql<string>`case when ${messages.userId} is null then 'VetChat' when ${messages.userId} = ${userId} then 'you' else ${vetName} end`,
          text: messages.body,
          file: attachments.filename,
        },
      })
      .from(messages)
      .leftJoin(vets, eq(vets.id, messages.userId))
      .leftJoin(attachments, eq(attachments.id, messages.attachmentId))
      .where(and(eq(messages.consultationId, consultation), gt(messages.seq, after)))
      .orderBy(asc(messages.seq))
      .limit(MESSAGES_AT_ONCE)
    if (rows.length === 0) return
    yield (after === 0 ? '' : ',') + JSON.stringify(rows.map(({ one }) => one)).slice(1, -1)
    after = rows.at(-1)!.seq
  }
}

const levelChangesIn = ({ db }: Pick<World, 'db'>, ids: number[]) =>
  db
    .select({
      id: levelChanges.consultationId,
      one: { at: levelChanges.at, by: vetName, ...columnsOf(levelChanges, 'from', 'to', 'reason') },
    })
    .from(levelChanges)
    .innerJoin(vets, eq(vets.id, levelChanges.vetId))
    .where(inArray(levelChanges.consultationId, ids))
    .orderBy(asc(levelChanges.id))

const callsIn = ({ db }: Pick<World, 'db'>, ids: number[]) =>
  db
    .select({
      id: videoCalls.consultationId,
      one: {
        by: vetName,
        rung: videoCalls.rungAt,
        answered: videoCalls.answeredAt,
        ended: videoCalls.endedAt,
      },
    })
    .from(videoCalls)
    .innerJoin(vets, eq(vets.id, videoCalls.vetId))
    .where(inArray(videoCalls.consultationId, ids))
    .orderBy(asc(videoCalls.id))

const notesIn = ({ db }: Pick<World, 'db'>, ids: number[], isPrivate: boolean) =>
  db
    .select({ id: notes.consultationId, one: { at: notes.at, by: vetName, text: notes.body } })
    .from(notes)
    .innerJoin(vets, eq(vets.id, notes.vetId))
    .where(and(inArray(notes.consultationId, ids), (isPrivate ? eq : ne)(notes.kind, 'private')))
    .orderBy(asc(notes.id))

async function consultationsOf(ctx: Pick<World, 'db'>, userId: number) {
  const rows = await ctx.db
    .select({
      number: consultations.id,
      by: sql<string>`(array['text', 'video', 'phone'])[${consultations.type}]`,
      pet: sql<string | null>`coalesce(${pets.name}, ${consultations.caller} ->> 'pet')`,
      vet: vetName,
      started: consultations.start,
      vet_joined: consultations.vetStart,
      ended: consultations.end,
      cancelled: consultations.cancelledAt,
      enquiry: consultations.petIssue,
      urgency: { level: consultations.urgency, read_from: consultations.urgencyRead },
      outcome: consultations.outcome,
      clinical_note: {
        ...columnsOf(clinicalNotes, 'history', 'findings', 'assessment'),
        signed: clinicalNotes.signedAt,
      },
      summary: {
        at: summaries.at,
        text: summaries.summary,
        plan: summaries.plan,
        watch_for: summaries.watchFor,
        go_to_a_clinic_if: summaries.goIf,
      },
      rating: columnsOf(ratings, 'stars', 'words', 'at'),
      check_in: { answer: consultations.checkIn, at: consultations.checkInAt },
      shared_with_clinic: { name: clinics.clinic, chosen: consultations.clinicSharedAt },
      clinic_written_to: consultations.clinicNotifiedAt,
    })
    .from(consultations)
    .leftJoin(pets, eq(pets.id, consultations.petId))
    .leftJoin(vets, eq(vets.id, consultations.vetId))
    .leftJoin(clinicalNotes, eq(clinicalNotes.consultationId, consultations.id))
    .leftJoin(summaries, eq(summaries.consultationId, consultations.id))
    .leftJoin(ratings, eq(ratings.consultationId, consultations.id))
    .leftJoin(clinics, eq(clinics.id, consultations.clinicId))
    .where(eq(consultations.userId, userId))
    .orderBy(asc(consultations.id))
  const ids = rows.map(({ number }) => number)
  const changes = await levelChangesIn(ctx, ids)
  const calls = await callsIn(ctx, ids)
  const forAll = await notesIn(ctx, ids, false)
  const betweenVets = await notesIn(ctx, ids, true)
  return rows.map(({ urgency, check_in, shared_with_clinic, ...row }) => ({
    ...row,
    urgency: { ...urgency, changed: of(changes, row.number) },
    video_calls: of(calls, row.number),
    notes: of(forAll, row.number),
    between_vets: of(betweenVets, row.number),
    check_in: check_in.answer && check_in,
    shared_with_clinic: shared_with_clinic.chosen && shared_with_clinic,
  }))
}
