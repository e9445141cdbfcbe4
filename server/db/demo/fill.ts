import { OUTCOMES } from '#contract/clinical.ts'
import { DECISIONS } from '#contract/phone.ts'
import { SNOOZE_MINUTES } from '#contract/queue.ts'
import { daysAfter, REGIONS, localTimeOf } from '#contract/regions.ts'
import { addDays, addMinutes, addMonths } from '#contract/time.ts'
import { spanOf } from '../../roster/rules.ts'
import { newPublicId } from '../../accounts/rules.ts'
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
  pawcarePets,
  pets,
  policies,
  purchases,
  ratings,
  readMarks,
  resources,
  shifts,
  subscriptionPets,
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

/** PawCare covers cats and dogs. */
const COVERED_SPECIES = [1, 2]

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
  const rows = MEMBERSHIPS.map((membership) => {
    const { owner, plan, source, startedDaysAgo, pets } = membership
    const start = addDays(now, -startedDaysAgo)
    const end = 'endedDaysAgo' in membership ? addDays(now, -membership.endedDaysAgo) : null
    const subscription = {
      userId: idOf(people, owner),
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
      ...(source === 'vetchat'
        ? { stripeSubscription: `sub_demo_${owner}` }
        : { subsId: `ps_demo_${owner}` }),
    } as const
    return { owner, pets, subscription }
  })
  const inserted = await db
    .insert(subscriptions)
    .values(rows.map(({ subscription }) => subscription))
    .returning({ id: subscriptions.id, userId: subscriptions.userId })
  const ids = new Map(inserted.map(({ id, userId }) => [userId, id]))

  const places = rows.flatMap(({ pets, subscription }) =>
    pets.map((pet, index) => ({
      subscriptionId: ids.get(subscription.userId)!,
      petId: idOf(petIds, pet),
      place: index + 1,
      addedAt: subscription.recurringStart,
      freeAt: subscription.end,
    })),
  )
  await db.insert(subscriptionPets).values(places)

  const covered = PETS.filter(({ speciesId }) => COVERED_SPECIES.includes(speciesId))
  const coveredIds = new Set(covered.map(({ name }) => idOf(petIds, name)))
  await db
    .insert(pawcarePets)
    .values(
      places
        .filter(({ petId }) => coveredIds.has(petId))
        .map(({ petId, addedAt, freeAt }) => ({ petId, optIn: addedAt, optOut: freeAt })),
    )

  const bought = rows.filter(({ subscription }) => subscription.source === 'vetchat')
  await db.insert(purchases).values(
    bought.map(({ owner, subscription: { userId, plan, price, recurringStart } }) => ({
      ...paidPurchase('membership', owner, recurringStart),
      userId,
      amount: price,
      order: { plan },
      stripeSubscription: `sub_demo_${owner}`,
      subscriptionId: ids.get(userId)!,
    })),
  )
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

async function addConsults(db: Db, people: Ids, petIds: Ids, clinicIds: Ids, now: Date) {
  const ownerOf = new Map<string, number>(PETS.map(({ name, owner }) => [name, idOf(people, owner)]))
  // Ids grow with time.
  const inOrder = CONSULTATIONS.toSorted((a, b) => b.startedMinutesAgo - a.startedMinutesAgo)
  const rows = await db
    .insert(consultations)
    .values(inOrder.map((one) => asRow(one, { people, petIds, clinicIds, ownerOf, now })))
    .returning({ id: consultations.id, petIssue: consultations.petIssue })
  const ids: Ids = new Map(rows.map(({ id, petIssue }) => [petIssue, id]))

  const writerOf = ({ pet, vet }: DemoConsultation) => ({
    owner: ownerOf.get(pet!)!,
    vet: idOf(people, vet!),
    house: null,
  })
  await db.insert(messages).values(
    CONSULTATIONS.flatMap((one) =>
      messagesOf(one).map(({ by, minutes, body }, index) => ({
        consultationId: idOf(ids, one.issue),
        seq: index + 1,
        clientId: `demo-${index + 1}`,
        userId: writerOf(one)[by],
        body,
        at: after(startOf(one, now), minutes)!,
      })),
    ),
  )
  await db.insert(readMarks).values(
    CONSULTATIONS.filter((one) => one.messages).flatMap((one) => {
      const { owner, vet } = writerOf(one)
      const count = messagesOf(one).length
      const consultationId = idOf(ids, one.issue)
      return [owner, vet].map((userId) => ({ consultationId, userId, delivered: count, seen: count }))
    }),
  )
  const endedBy = (one: DemoConsultation) => ({
    consultationId: idOf(ids, one.issue),
    vetId: idOf(people, one.vet!),
    at: after(startOf(one, now), one.endedAfter)!,
  })
  await addPhoneRecords(
    db,
    CONSULTATIONS.flatMap((one) => (one.phone ? [{ ...one.phone, ...endedBy(one) }] : [])),
  )
  await db
    .insert(summaries)
    .values(CONSULTATIONS.flatMap((one) => (one.summary ? [{ ...one.summary, ...endedBy(one) }] : [])))
  await db.insert(clinicalNotes).values(
    CONSULTATIONS.flatMap((one) => {
      if (!one.summary || !one.ended) return []
      const { consultationId, vetId: signedBy, at } = endedBy(one)
      return [{ ...one.summary, consultationId, savedAt: at, signedAt: at, signedBy, outcome: one.ended }]
    }),
  )
  await db.insert(ratings).values(
    CONSULTATIONS.flatMap((one) => {
      if (!one.rating) return []
      const at = after(startOf(one, now), one.endedAfter! + 3)!
      return [{ ...one.rating, consultationId: idOf(ids, one.issue), at }]
    }),
  )
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

const startOf = ({ startedMinutesAgo }: DemoConsultation, now: Date) => addMinutes(now, -startedMinutesAgo)

const speciesOf = new Map<string, string>(PETS.map(({ name, speciesId }) => [name, speciesNamed(speciesId)]))
function urgencyOfDemo({ pet, issue }: DemoConsultation) {
  const asked = { species: (pet && speciesOf.get(pet)) ?? 'other', text: issue }
  const { level, reasons, version } = newestRules().reader(asked)
  return { urgency: level, urgencyRead: { version, reasons, signs: [] } }
}

function asRow(
  one: DemoConsultation,
  {
    people,
    petIds,
    clinicIds,
    ownerOf,
    now,
  }: { people: Ids; petIds: Ids; clinicIds: Ids; ownerOf: Ids; now: Date },
) {
  const start = startOf(one, now)
  const end = after(start, one.endedAfter)
  const clinicNotifiedAt = one.clinic ? after(start, one.endedAfter! + 1) : null
  const followUpDueAt = end && one.pet ? addDays(end, 1) : null
  return {
    type: one.type,
    region: REGION,
    userId: one.pet ? ownerOf.get(one.pet)! : null,
    petId: one.pet ? idOf(petIds, one.pet) : null,
    caller: one.caller ?? null,
    vetId: one.vet ? idOf(people, one.vet) : null,
    clinicId: one.clinic ? idOf(clinicIds, one.clinic) : null,
    petIssue: one.issue,
    ...urgencyOfDemo(one),
    outcome: one.phone ? DECISIONS[one.phone.decision] : one.ended ? OUTCOMES[one.ended] : '',
    start,
    vetStart: after(start, one.takenAfter),
    end,
    snoozedUntil: one.snoozed ? addMinutes(now, SNOOZE_MINUTES) : null,
    askedAgainAt: after(start, one.asksAgainAfter),
    clinicSharedAt: one.pet ? clinicNotifiedAt : null,
    clinicNotifiedAt,
    clinicAcceptedAt: after(start, one.clinicAcceptedAfter),
    followUpDueAt,
    followUpAt: followUpDueAt && followUpDueAt < now ? followUpDueAt : null,
    lastSeq: messagesOf(one).length,
    demo: true,
  } as const
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
