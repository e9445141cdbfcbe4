import { OUTCOMES } from '#contract/clinical.ts'
import { DECISIONS } from '#contract/phone.ts'
import { SNOOZE_MINUTES } from '#contract/queue.ts'
import { daysAfter, REGIONS, localTimeOf } from '#contract/regions.ts'
import { addDays, addMinutes, addMonths } from '#contract/time.ts'
import { spanOf } from '../../roster/rules.ts'
import { newPublicId } from '../../accounts/rules.ts'
import { leaveMembership, takePlace } from '../../memberships/writes.ts'
import { newestRules } from '../../urgency/version-reads.ts'
import { speciesNamed } from '../breeds.ts'
import type { Db } from '../client.ts'
import {
  breeds,
  cannedReplies,
  cards,
  clinicalNotes,
  clinics,
  consultations,
  contentDrafts,
  contentVersions,
  coupons,
  customers,
  messages,
  partners,
  pets,
  policies,
  purchases,
  ratings,
  readMarks,
  resources,
  shifts,
  subscriptions,
  summaries,
  testimonials,
  users,
  vetCards,
} from '../schema.ts'
import { fillClaims } from './claims.ts'
import { CLINICS } from './clinics.ts'
import { DRAFTS, VERSIONS } from './content.ts'
import { COUPONS } from './coupons.ts'
import { PARTNERS, RESOURCES, REVIEWED, TESTIMONIALS } from './library.ts'
import { CONSULTATIONS, type DemoConsultation, type Said } from './consults.ts'
import { fillLogs } from './logs.ts'
import { CARDS, emailOf, MEMBERSHIPS, ON_DUTY, PEOPLE, PETS, POLICIES, VET_CARDS } from './people.ts'
import { fillPaid, paidPurchase } from './paid.ts'
import { addPhoneRecords, fillPhone } from './phone.ts'
import { fillRecords } from './records.ts'
import { CANNED_REPLIES } from './replies.ts'
import { SHIFTS } from './roster.ts'

const REGION = 'za' as const
const { currency, prices } = REGIONS[REGION]

type Ids = Map<string, number>

const after = (at: Date, minutes: number | undefined) =>
  minutes === undefined ? null : addMinutes(at, minutes)

function idOf(ids: Ids, name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The demo names ${name}, whom it does not have`)
  return id
}

/** Fills an empty demo. All times are relative to now. */
export async function fillDemo(db: Db, passwordHash: string, now: Date): Promise<void> {
  const people = await addPeople(db, passwordHash, now)
  const petIds = await addPets(db, people, now)
  const idOfNamed = (kind: string, name: string) => idOf(kind === 'pet' ? petIds : people, name)
  await fillRecords(db, idOfNamed, now)
  await addMemberships(db, people, petIds, now)
  await fillClaims(db, idOfNamed, now)
  const clinicIds = await addClinics(db, passwordHash)
  await fillPhone(db, idOf(clinicIds, 'kloof'), [idOf(people, 'vet'), idOf(people, 'vet2')], now)
  await addConsults(db, people, petIds, clinicIds, now)
  await fillPaid(db)
  await fillLogs(db, (name) => idOf(people, name), now)
  await addLibrary(db, people, now)
  await addRoster(db, people, now)
  await db.insert(coupons).values(COUPONS.map((coupon) => ({ ...coupon, referrer: 'VetChat', demo: true })))
}

async function addPeople(db: Db, passwordHash: string, now: Date): Promise<Ids> {
  const rows = await db
    .insert(users)
    .values(
      PEOPLE.map(({ name, joinedDaysAgo, ...person }) => ({
        ...person,
        email: emailOf(name),
        publicId: newPublicId(),
        passwordHash,
        emailConfirmedAt: addDays(now, -joinedDaysAgo),
        createdAt: addDays(now, -joinedDaysAgo),
        onDutySince: after(now, ON_DUTY[name] && -ON_DUTY[name]),
        demo: true,
      })),
    )
    .returning({ id: users.id, email: users.email })
  const people: Ids = new Map(rows.map(({ id, email }) => [email.split('@')[0]!, id]))
  const buyers = new Set(MEMBERSHIPS.filter((one) => one.source === 'vetchat').map(({ owner }) => owner))
  await db
    .insert(customers)
    .values(
      [...buyers].map((owner) => ({ userId: idOf(people, owner), stripeCustomer: `cus_demo_${owner}` })),
    )
  await db.insert(vetCards).values(
    VET_CARDS.map(({ vet, languages, about }) => ({
      userId: idOf(people, vet),
      languages: [...languages],
      about,
      changedAt: now,
    })),
  )
  await db.insert(cards).values(
    CARDS.map(({ owner, ...card }) => ({
      ...card,
      userId: idOf(people, owner),
      stripePaymentMethod: `pm_demo_${owner}`,
      expMonth: 12,
      expYear: now.getUTCFullYear() + 3,
    })),
  )
  await db
    .insert(policies)
    .values(
      POLICIES.map(({ holder, ...policy }) => ({ ...policy, holderEmail: emailOf(holder), demo: true })),
    )
  return people
}

/** The shifts start yesterday, so that somebody is on duty at any hour. */
async function addRoster(db: Db, people: Ids, now: Date) {
  const first = localTimeOf(REGION, addDays(now, -1)).day
  await db.insert(shifts).values(
    SHIFTS.map(({ vet, day, from, to, offered }) => ({
      region: REGION,
      vetId: idOf(people, vet),
      ...spanOf(REGION, daysAfter(first, day), from, to),
      offeredAt: offered ? now : null,
    })),
  )
}

async function addPets(db: Db, people: Ids, now: Date): Promise<Ids> {
  const known = await db.select().from(breeds)
  const breedIds: Ids = new Map(known.map(({ id, speciesId, name }) => [`${speciesId} ${name}`, id]))
  const rows = await db
    .insert(pets)
    .values(
      PETS.map(({ owner, breed, months, ...pet }) => ({
        ...pet,
        ownerId: idOf(people, owner),
        breedId: breed && idOf(breedIds, `${pet.speciesId} ${breed}`),
        dob: addMonths(now, -months).toISOString().slice(0, 10),
      })),
    )
    .returning({ id: pets.id, name: pets.name })
  return new Map(rows.map(({ id, name }) => [name, id]))
}

async function addMemberships(db: Db, people: Ids, petIds: Ids, now: Date) {
  for (const membership of MEMBERSHIPS) {
    const { owner, plan, source, startedDaysAgo } = membership
    const start = addDays(now, -startedDaysAgo)
    const end = 'endedDaysAgo' in membership ? addDays(now, -membership.endedDaysAgo) : null
    const userId = idOf(people, owner)
    const stripeSubscription = source === 'vetchat' ? `sub_demo_${owner}` : null
    const [added] = await db
      .insert(subscriptions)
      .values({
        userId,
        plan,
        source,
        region: REGION,
        currency,
        price: prices[plan],
        status: end ? 'canceled' : 'active',
        recurringStart: start,
        createdAt: start,
        currentPeriodEnd: end ?? addMonths(start, plan === 'annual' ? 12 : 1),
        end,
        endedAt: end,
        stripeSubscription,
        subsId: stripeSubscription ? null : `ps_demo_${owner}`,
      })
      .returning({ id: subscriptions.id })
    const subscriptionId = added!.id
    for (const [index, name] of membership.pets.entries()) {
      const { speciesId } = PETS.find((pet) => pet.name === name)!
      const place = { subscriptionId, place: index + 1, pawcareOut: false }
      await takePlace({ db, now: () => start }, place, idOf(petIds, name), speciesId)
    }
    if (end) await leaveMembership({ db }, subscriptionId, end)
    if (stripeSubscription)
      await db.insert(purchases).values({
        ...paidPurchase('membership', owner, start),
        userId,
        amount: prices[plan],
        order: { plan },
        stripeSubscription,
        subscriptionId,
      })
  }
}

async function addClinics(db: Db, passwordHash: string): Promise<Ids> {
  const rows = await db
    .insert(clinics)
    .values(
      CLINICS.map((clinic) => ({
        ...clinic,
        passwordHash: clinic.username && passwordHash,
        region: REGION,
        demo: true,
      })),
    )
    .returning({ id: clinics.id, clinic: clinics.clinic })
  const byName: Ids = new Map(rows.map(({ id, clinic }) => [clinic, id]))
  return new Map(CLINICS.map(({ name, clinic }) => [name, idOf(byName, clinic)]))
}

/** One after the other, so that ids grow with time. */
async function addConsults(db: Db, people: Ids, petIds: Ids, clinicIds: Ids, now: Date) {
  for (const one of CONSULTATIONS.toSorted((a, b) => b.startedMinutesAgo - a.startedMinutesAgo)) {
    const start = addMinutes(now, -one.startedMinutesAgo)
    const end = after(start, one.endedAfter)
    const pet = PETS.find(({ name }) => name === one.pet)
    const owner = pet ? idOf(people, pet.owner) : null
    const vet = one.vet ? idOf(people, one.vet) : null
    const said = messagesOf(one)
    const clinicNotifiedAt = one.clinic && end ? addMinutes(end, 1) : null
    const followUpDueAt = pet && end ? addDays(end, 1) : null
    const [added] = await db
      .insert(consultations)
      .values({
        type: one.type,
        region: REGION,
        userId: owner,
        petId: pet ? idOf(petIds, pet.name) : null,
        caller: one.caller ?? null,
        vetId: vet,
        clinicId: one.clinic ? idOf(clinicIds, one.clinic) : null,
        petIssue: one.issue,
        ...urgencyOfDemo(pet ? speciesNamed(pet.speciesId) : 'other', one.issue),
        outcome: one.phone ? DECISIONS[one.phone.decision] : one.ended ? OUTCOMES[one.ended] : '',
        start,
        vetStart: after(start, one.takenAfter),
        end,
        snoozedUntil: one.snoozed ? addMinutes(now, SNOOZE_MINUTES) : null,
        askedAgainAt: after(start, one.asksAgainAfter),
        clinicSharedAt: pet ? clinicNotifiedAt : null,
        clinicNotifiedAt,
        clinicAcceptedAt: after(start, one.clinicAcceptedAfter),
        followUpDueAt,
        followUpAt: followUpDueAt && followUpDueAt < now ? followUpDueAt : null,
        lastSeq: said.length,
        demo: true,
      })
      .returning({ id: consultations.id })
    const consultationId = added!.id
    if (said.length > 0) {
      await db.insert(messages).values(
        said.map(({ by, minutes, body }, index) => ({
          consultationId,
          seq: index + 1,
          clientId: `demo-${index + 1}`,
          userId: { owner, vet, house: null }[by],
          body,
          at: addMinutes(start, minutes),
        })),
      )
      const read = { consultationId, delivered: said.length, seen: said.length }
      await db.insert(readMarks).values([owner!, vet!].map((userId) => ({ ...read, userId })))
    }
    const ended = { consultationId, vetId: vet!, at: end! }
    if (one.phone) await addPhoneRecords(db, [{ ...one.phone, ...ended }])
    if (one.summary && one.ended) {
      const signed = { savedAt: end!, signedAt: end, signedBy: vet, outcome: one.ended }
      await db.insert(summaries).values({ ...one.summary, ...ended })
      await db.insert(clinicalNotes).values({ ...one.summary, ...signed, consultationId })
    }
    if (one.rating)
      await db.insert(ratings).values({ ...one.rating, consultationId, at: addMinutes(end!, 3) })
  }
  await db.insert(cannedReplies).values(CANNED_REPLIES.map((reply) => ({ ...reply, demo: true })))
}

const readSaid = (said: Said) => {
  const [, minutes, by, body] = /^(\S+) (owner|vet): (.*)$/.exec(said)!
  return { by: by as 'owner' | 'vet', minutes: Number(minutes), body: body! }
}

function messagesOf({ messages, vet, takenAfter }: DemoConsultation) {
  if (!messages) return []
  const { lastName } = PEOPLE.find(({ name }) => name === vet)!
  const joined = { by: 'house' as const, minutes: takenAfter!, body: `Dr ${lastName} joined` }
  return [joined, ...messages.map(readSaid)]
}

function urgencyOfDemo(species: string, text: string) {
  const { level, reasons, version } = newestRules().reader({ species, text })
  return { urgency: level, urgencyRead: { version, reasons, signs: [] } }
}

async function addLibrary(db: Db, people: Ids, now: Date) {
  const vet = { reviewedBy: idOf(people, 'vet'), reviewedAt: addDays(now, -5) }

  await db.insert(resources).values(
    RESOURCES.map((resource, index) => ({
      ...resource,
      createdAt: addDays(now, (index - RESOURCES.length) * 3),
      ...(index < REVIEWED && vet),
      demo: true,
    })),
  )
  await db.insert(testimonials).values(TESTIMONIALS.map((testimonial) => ({ ...testimonial, demo: true })))
  await db.insert(partners).values(PARTNERS.map((partner) => ({ ...partner, demo: true })))
  const admin = idOf(people, 'admin')
  await db.insert(contentVersions).values(
    VERSIONS.map(({ daysAgo, ...version }) => ({
      ...version,
      ...(version.number > 0 && { byUserId: admin }),
      at: addDays(now, -daysAgo),
    })),
  )
  await db.insert(contentDrafts).values(
    DRAFTS.map(({ daysAgo, ...draft }) => ({
      ...draft,
      kind: 'question' as const,
      userId: admin,
      basedOn: 0,
      savedAt: addDays(now, -daysAgo),
    })),
  )
}
