import { jsonb, text, unique } from 'drizzle-orm/pg-core'
import type { DayContact } from '#contract/clinics.ts'
import type { Decision, PhoneDraft } from '#contract/phone.ts'
import type { Level } from '#contract/urgency.ts'
import { users } from './accounts.ts'
import { createdAt, idOf, time, table } from './columns.ts'
import { consultations } from './consultations.ts'

/** What only phone consultations have. */
export const phoneConsults = table(
  'phone_consults',
  {
    consultationId: idOf(() => consultations.id).primaryKey(),
    /** The form that it came from. */
    key: text().notNull(),
    recordedBy: idOf(() => users.id),
    urgency: text().$type<Level>().notNull(),
    decision: text().$type<Decision>().notNull(),
    /** The contacts that the vet was shown to call, at that time. */
    contacts: jsonb().$type<DayContact[]>().notNull().default([]),
    recordedAt: createdAt(),
  },
  (t) => [unique('phone_consults_key').on(t.recordedBy, t.key)],
)

/** A phone consult that a person began and hasn't saved. */
export const phoneDrafts = table('phone_drafts', {
  userId: idOf(() => users.id).primaryKey(),
  key: text().notNull(),
  fields: jsonb().$type<PhoneDraft>().notNull(),
  startedAt: time().notNull(),
  savedAt: time().notNull(),
})
