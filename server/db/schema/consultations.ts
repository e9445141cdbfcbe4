import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, smallint, text, type AnyPgColumn } from 'drizzle-orm/pg-core'
import { checkInAnswer, type CheckInAnswer } from '#contract/consultations.ts'
import { LEVELS } from '#contract/urgency.ts'
import { createdAt, id, idOf, indexWhere, region, time, table } from './columns.ts'
import { users } from './accounts.ts'
import { pets } from './pets.ts'
import { clinicPeople, clinics } from './clinics.ts'

/** The reasons that a version of the rules found, and the signs that the owner ticked. */
export interface UrgencyRead {
  version: string
  reasons: { sign: string; words: string | null }[]
  signs: string[]
  /** When the owner's later words raised it to an emergency. */
  raisedAt?: string
}

export const consultations = table(
  'consultations',
  {
    id: id(),
    type: smallint().$type<1 | 2 | 3>().notNull(),
    region: region(),
    /** Null for a phone consultation whose caller has no account. */
    userId: integer().references(() => users.id),
    petId: integer().references(() => pets.id),
    vetId: integer().references(() => users.id),
    clinicId: integer().references(() => clinics.id),
    caller: jsonb().$type<{
      name: string
      phone: string
      email: string
      pet: string
      speciesId: number | null
      /** The pet's, as the caller told us. */
      sex?: 1 | 2 | null
      age?: string
    }>(),
    petIssue: text().notNull(),
    outcome: text().notNull().default(''),
    urgency: text({ enum: LEVELS }).notNull().default('routine'),
    urgencyRead: jsonb().$type<UrgencyRead>(),
    start: time().notNull(),
    vetStart: time(),
    /** When the first vet took it, if that isn't the vet of `vetStart`. */
    firstTakenAt: time(),
    end: time(),
    cancelledAt: time(),
    /** Since when the consult is free because no vet joined in time. It stays in the queue. */
    freeSince: time(),
    lateToldAt: time(),
    mailWhenTaken: boolean().notNull().default(false),
    /** When the owner agreed to share it with their clinic, and its pictures; null once they took it back. */
    clinicSharedAt: time(),
    clinicPicturesAt: time(),
    clinicNotifiedAt: time(),
    clinicAcceptedAt: time(),
    /** The clinic's person who confirmed; null for its own username. */
    clinicAcceptedBy: integer().references((): AnyPgColumn => clinicPeople.id),
    clinicMailDueAt: time(),
    /** Staff let the owner write until then, instead of until the usual hours after the end. */
    extendedUntil: time(),
    /** The owner's first message after the end that no vet has answered. */
    askedAgainAt: time(),
    /** Why that question is an emergency; null if it can wait. */
    questionRead: jsonb().$type<UrgencyRead>(),
    /** The vet has put it aside until then, or until the owner writes. */
    snoozedUntil: time(),
    /** The vet has this case open in the console, rather than another. */
    vetHere: boolean().notNull().default(false),
    /** When the owner's page last reported that it's open; null once it was closed. */
    ownerSeenAt: time(),
    /** The vet who took the follow-up over from the one who ended the consult. */
    followUpVetId: integer().references(() => users.id),
    followUpTakenAt: time(),
    /** When we mail the vet who isn't on duty about the question, and the owner about the answer. */
    questionMailDueAt: time(),
    answerMailDueAt: time(),
    followUpDueAt: time(),
    followUpAt: time(),
    checkIn: text({ enum: checkInAnswer.options as [CheckInAnswer] }),
    checkInAt: time(),
    goesOnFrom: integer()
      .unique()
      .references((): AnyPgColumn => consultations.id),
    /** The first wait, in minutes, that the owner saw. */
    toldFrom: smallint(),
    toldTo: smallint(),
    /** The number of its latest message. */
    lastSeq: integer().notNull().default(0),
    demo: boolean().notNull().default(false),
  },
  (t) => [
    check('consultations_told', sql`(${t.toldFrom} is null) = (${t.toldTo} is null)`),
    check('consultations_type', sql`${t.type} in (1, 2, 3)`),
    check('consultations_whose', sql`${t.type} = 3 or (${t.userId} is not null and ${t.petId} is not null)`),
    check(
      'consultations_caller',
      sql`${t.type} <> 3 or (${t.caller} is not null and ${t.clinicId} is not null)`,
    ),
    check('consultations_taken', sql`(${t.vetId} is null) = (${t.vetStart} is null)`),
    check(
      'consultations_order',
      sql`${t.vetStart} >= ${t.start} and ${t.end} >= ${t.start} and ${t.end} >= ${t.vetStart}`,
    ),
    check('consultations_extended', sql`${t.extendedUntil} > ${t.end}`),
    check(
      'consultations_cancelled',
      sql`${t.cancelledAt} is null or (${t.end} is not null and ${t.vetId} is null)`,
    ),
    check(
      'consultations_asked_again',
      sql`(${t.askedAgainAt} is null or ${t.end} is not null) and (${t.followUpVetId} is null) = (${t.followUpTakenAt} is null)`,
    ),
    check('consultations_not_own', sql`${t.vetId} <> ${t.userId}`),
    check(
      'consultations_clinic',
      sql`(${t.clinicNotifiedAt} is null or ${t.clinicId} is not null) and (${t.clinicAcceptedAt} is null or ${t.clinicNotifiedAt} is not null)`,
    ),
    check(
      'consultations_clinic_pictures',
      sql`${t.clinicPicturesAt} is null or ${t.clinicSharedAt} is not null`,
    ),
    indexWhere('consultations_open', '"end" is null', t.start),
    indexWhere('consultations_closed', '"end" is not null', t.end, t.id),
    // The overview's figures come from the index alone.
    index('consultations_figures').on(
      t.region,
      t.start,
      t.type,
      t.firstTakenAt,
      t.vetStart,
      t.end,
      t.toldFrom,
      t.toldTo,
      t.id,
    ),
    // For counting a region's ratings.
    index('consultations_region').on(t.id, t.region),
    index('consultations_user').on(t.userId, t.start),
    index('consultations_pet').on(t.petId, t.start),
    indexWhere('consultations_callers_pet', 'pet_id is null', sql`lower(${t.caller}->>'pet')`),
    index('consultations_vet').on(t.vetId, t.vetStart),
    index('consultations_clinic_recent').on(t.clinicId, t.start),
    indexWhere('consultations_phone', 'type = 3', t.start),
    indexWhere('consultations_clinic_mail', 'clinic_mail_due_at is not null', t.clinicMailDueAt),
    indexWhere('consultations_asked_again', 'asked_again_at is not null', t.askedAgainAt),
    indexWhere('consultations_question_mail', 'question_mail_due_at is not null', t.questionMailDueAt),
    indexWhere('consultations_answer_mail', 'answer_mail_due_at is not null', t.answerMailDueAt),
    indexWhere('consultations_follow_up', 'follow_up_at is null', t.followUpDueAt),
  ],
)

/**
 * The version of the consultation lists is the sum of these rows. Triggers increment them in the transaction
 * of each change. Parallel changes use different rows, so they don't wait for each other.
 */
export const listChanges = table('list_changes', { id: id(), count: integer().notNull() })

export const ratings = table(
  'ratings',
  {
    consultationId: idOf(() => consultations.id).primaryKey(),
    stars: smallint().notNull(),
    words: text().notNull().default(''),
    at: createdAt(),
  },
  (t) => [check('ratings_stars', sql`${t.stars} between 1 and 5`), index('ratings_at').on(t.at)],
)
