import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { REGION_IDS } from '#contract/regions.ts'
import { createdAt, id, oneOf, region, time } from './columns.ts'
import { users } from './accounts.ts'
import { pets } from './pets.ts'
import { clinics } from './clinics.ts'

export const consultations = pgTable(
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
    }>(),
    petIssue: text().notNull(),
    outcome: text().notNull().default(''),
    start: time().notNull(),
    vetStart: time(),
    end: time(),
    cancelledAt: time(),
    /** Since when it is free because no vet joined in time. It stays in the queue. */
    freeSince: time(),
    lateToldAt: time(),
    mailWhenTaken: boolean().notNull().default(false),
    clinicSharedAt: time(),
    clinicNotifiedAt: time(),
    clinicAcceptedAt: time(),
    followUpDueAt: time(),
    followUpAt: time(),
    checkIn: text().$type<'better' | 'same' | 'worse'>(),
    checkInAt: time(),
    /** The consult that this one reopened. */
    goesOnFrom: integer()
      .unique()
      .references((): AnyPgColumn => consultations.id),
    /** The first wait, in minutes, that its owner was shown. */
    toldFrom: smallint(),
    toldTo: smallint(),
    /** The number of its latest message. */
    lastSeq: integer().notNull().default(0),
    demo: boolean().notNull().default(false),
  },
  (t) => [
    check('consultations_check_in', oneOf(t.checkIn, 'better', 'same', 'worse')),
    check('consultations_told', sql`(${t.toldFrom} is null) = (${t.toldTo} is null)`),
    check('consultations_type', sql`${t.type} in (1, 2, 3)`),
    check('consultations_region', oneOf(t.region, ...REGION_IDS)),
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
    check(
      'consultations_cancelled',
      sql`${t.cancelledAt} is null or (${t.end} is not null and ${t.vetId} is null)`,
    ),
    check('consultations_not_own', sql`${t.vetId} <> ${t.userId}`),
    check(
      'consultations_clinic',
      sql`(${t.clinicNotifiedAt} is null or ${t.clinicId} is not null) and (${t.clinicAcceptedAt} is null or ${t.clinicNotifiedAt} is not null)`,
    ),
    index('consultations_open')
      .on(t.start)
      .where(sql`"end" is null`),
    index('consultations_closed')
      .on(t.end, t.id)
      .where(sql`"end" is not null`),
    index('consultations_user').on(t.userId, t.start),
    index('consultations_pet').on(t.petId, t.start),
    index('consultations_vet').on(t.vetId, t.vetStart),
    index('consultations_clinic_recent').on(t.clinicId, t.start),
    index('consultations_phone')
      .on(t.start)
      .where(sql`type = 3`),
    index('consultations_follow_up')
      .on(t.followUpDueAt)
      .where(sql`follow_up_at is null`),
  ],
)

/**
 * The version of the consultation lists is the sum of these rows. Triggers increment them in the transaction
 * of each change. Parallel changes use different rows, so they don't wait for each other.
 */
export const listChanges = pgTable('list_changes', { id: id(), count: integer().notNull() })

export const ratings = pgTable(
  'ratings',
  {
    consultationId: integer()
      .primaryKey()
      .references(() => consultations.id),
    stars: smallint().notNull(),
    words: text().notNull().default(''),
    at: createdAt(),
  },
  (t) => [check('ratings_stars', sql`${t.stars} between 1 and 5`)],
)
