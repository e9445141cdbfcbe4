import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, smallint, text } from 'drizzle-orm/pg-core'
import { NOTIFY, type ClinicContact, type ClinicDay, type ClinicHoliday } from '#contract/clinics.ts'
import { users } from './accounts.ts'
import { createdAt, id, idOf, region, time, uniqueWhere, table } from './columns.ts'

/** The mailed link that sets a password: its hash, and until when it works. */
const invitation = () => ({ invitationHash: text().unique(), invitationUntil: time() })

export const clinics = table(
  'clinics',
  {
    id: id(),
    clinic: text().notNull(),
    address: text().notNull().default(''),
    state: text().notNull().default(''),
    telephone: text().notNull().default(''),
    email: text().notNull().default(''),
    comments: text().notNull().default(''),
    username: text(),
    passwordHash: text(),
    ...invitation(),
    customerInvoice: boolean().notNull().default(true),
    contacts: jsonb().$type<Record<ClinicDay, ClinicContact>>().notNull(),
    /** Days with a contact of their own. */
    holidays: jsonb().$type<ClinicHoliday[]>().notNull().default([]),
    /** The hour at which a day's contact takes over. Until then the night belongs to the day on which it began. */
    dayBegins: smallint().notNull().default(0),
    /** How long a contact has to answer before the next one is called. */
    escalationMinutes: smallint().notNull().default(5),
    /** When we mail the clinic about a consult. */
    notify: text({ enum: NOTIFY }).notNull().default('straight away'),
    region: region(),
    /** Grows with every change, so that two admins can't overwrite each other. */
    version: integer().notNull().default(1),
    savedAt: time(),
    savedBy: integer().references(() => users.id),
    demo: boolean().notNull().default(false),
    createdAt: createdAt(),
    deletedAt: time(),
  },
  (t) => [
    uniqueWhere('clinics_username', 'deleted_at is null', t.username),
    check(
      'clinics_username_form',
      sql`${t.username} = lower(trim(${t.username})) and length(${t.username}) >= 8`,
    ),
    check('clinics_day_begins', sql`${t.dayBegins} between 0 and 12`),
    check('clinics_escalation', sql`${t.escalationMinutes} between 1 and 60`),
  ],
)

/** People of a clinic who sign in to its portal with their own email, so that the log can name them. */
export const clinicPeople = table(
  'clinic_people',
  {
    id: id(),
    clinicId: idOf(() => clinics.id),
    name: text().notNull(),
    email: text().notNull(),
    passwordHash: text(),
    ...invitation(),
    createdAt: createdAt(),
    deletedAt: time(),
  },
  (t) => [
    uniqueWhere('clinic_people_email', 'deleted_at is null', t.email),
    index('clinic_people_clinic').on(t.clinicId),
    check('clinic_people_email_form', sql`${t.email} = lower(trim(${t.email}))`),
  ],
)
