import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, id, idOf, time, uniqueWhere, table } from './columns.ts'
import { users } from './accounts.ts'
import { clinicPeople, clinics } from './clinics.ts'
import { consultations } from './consultations.ts'

export const sessions = table(
  'sessions',
  {
    id: text().primaryKey(),
    kind: text().$type<'user' | 'guest' | 'clinic'>().notNull(),
    userId: integer().references(() => users.id),
    consultationId: integer().references(() => consultations.id),
    clinicId: integer().references(() => clinics.id),
    /** Which person of the clinic; null when somebody used the clinic's own username. */
    clinicPersonId: integer().references(() => clinicPeople.id),
    remember: boolean().notNull().default(false),
    agent: text().notNull().default(''),
    createdAt: createdAt(),
    lastUsedAt: time().notNull().defaultNow(),
    expiresAt: time().notNull(),
    endedAt: time(),
    /** When the person last gave their password in this session. */
    passwordAt: time(),
  },
  (t) => [
    check(
      'sessions_kind',
      sql`case ${t.kind}
        when 'user' then ${t.userId} is not null and ${t.consultationId} is null and ${t.clinicId} is null
        when 'guest' then ${t.consultationId} is not null and ${t.userId} is null and ${t.clinicId} is null
        when 'clinic' then ${t.clinicId} is not null and ${t.userId} is null and ${t.consultationId} is null
        else false end`,
    ),
    check('sessions_clinic_person', sql`${t.clinicPersonId} is null or ${t.clinicId} is not null`),
    index('sessions_user').on(t.userId),
    index('sessions_expiry').on(t.expiresAt),
  ],
)

/** Requests for a code. Stored for known and unknown emails alike; a job mails the known ones. */
export const codeRequests = table('code_requests', {
  id: id(),
  email: text().notNull(),
  at: time().notNull(),
})

/** Counted attempts, by the hash of what they are counted for. */
export const tries = table(
  'tries',
  {
    name: text().notNull(),
    keyHash: text().notNull(),
    openedAt: time().notNull(),
    closesAt: time().notNull(),
    count: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.name, t.keyHash] }), index('tries_closes').on(t.closesAt)],
)

export const consents = table(
  'consents',
  {
    id: id(),
    userId: idOf(() => users.id),
    terms: text().notNull(),
    /** The call that the consent came with, and whether the person ticked it or the client set it. */
    call: text().notNull(),
    ticked: boolean().notNull(),
    at: createdAt(),
  },
  (t) => [index('consents_user').on(t.userId)],
)

export const auditLog = table(
  'audit_log',
  {
    id: id(),
    at: createdAt(),
    userId: integer().references(() => users.id),
    action: text().notNull(),
    subject: text().notNull(),
    subjectId: text().notNull(),
    reason: text().notNull().default(''),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  },
  (t) => [
    index('audit_log_subject').on(t.subject, t.subjectId),
    index('audit_log_at').on(t.at, t.id),
    index('audit_log_user').on(t.userId, t.at, t.id),
    index('audit_log_action').on(t.action, t.at, t.id),
  ],
)

/** Mailed codes and links, by their hash. One is open per purpose: a newer one replaces it. */
export const mailedCodes = table(
  'mailed_codes',
  {
    id: id(),
    userId: idOf(() => users.id),
    purpose: text({ enum: ['reset', 'claim', 'confirm', 'change_email', 'bind_policy'] }).notNull(),
    codeHash: text().notNull().unique(),
    about: jsonb().$type<Record<string, string>>().notNull().default({}),
    createdAt: createdAt(),
    expiresAt: time().notNull(),
    usedAt: time(),
  },
  (t) => [uniqueWhere('mailed_codes_one_open', 'used_at is null', t.userId, t.purpose)],
)

/** What can be used only once: solved human checks, signed links. */
export const spent = table('spent', { keyHash: text().primaryKey(), forgetAt: time().notNull() }, (t) => [
  index('spent_forget').on(t.forgetAt),
])
