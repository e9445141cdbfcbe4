import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, text } from 'drizzle-orm/pg-core'
import { OUTCOMES, type Outcome } from '#contract/clinical.ts'
import { createdAt, id, idOf, time, table } from './columns.ts'
import { users } from './accounts.ts'
import { consultations } from './consultations.ts'

/** A consult's clinical note: saved while the vet types, locked once signed. */
export const clinicalNotes = table(
  'clinical_notes',
  {
    consultationId: idOf(() => consultations.id).primaryKey(),
    history: text().notNull().default(''),
    findings: text().notNull().default(''),
    assessment: text().notNull().default(''),
    summary: text().notNull().default(''),
    plan: text().notNull().default(''),
    watchFor: text().notNull().default(''),
    goIf: text().notNull().default(''),
    outcome: text({ enum: Object.keys(OUTCOMES) as [Outcome] }),
    version: integer().notNull().default(1),
    savedAt: time().notNull(),
    signedAt: time(),
    signedBy: integer().references(() => users.id),
  },
  (t) => [
    check('clinical_notes_signed', sql`(${t.signedAt} is null) = (${t.signedBy} is null)`),
    check(
      'clinical_notes_signed_whole',
      sql`${t.signedAt} is null or (${t.outcome} is not null and ${t.summary} <> '')`,
    ),
  ],
)

/** Messages to the next vet, notes between vets, and additions to a signed note. Kept for three years, never changed. */
export const notes = table(
  'notes',
  {
    id: id(),
    kind: text({ enum: ['hand_over', 'private', 'addition'] })
      .notNull()
      .default('addition'),
    consultationId: idOf(() => consultations.id),
    vetId: idOf(() => users.id),
    body: text().notNull(),
    at: createdAt(),
  },
  (t) => [index('notes_consultation').on(t.consultationId)],
)

export const summaries = table('summaries', {
  consultationId: idOf(() => consultations.id).primaryKey(),
  vetId: idOf(() => users.id),
  summary: text().notNull(),
  plan: text().notNull().default(''),
  watchFor: text().notNull().default(''),
  goIf: text().notNull().default(''),
  at: createdAt(),
})

export const cannedReplies = table('canned_replies', {
  id: id(),
  title: text().notNull().unique(),
  body: text().notNull(),
  demo: boolean().notNull().default(false),
})

/** Replies that a vet wrote for themselves. */
export const ownReplies = table(
  'own_replies',
  {
    id: id(),
    vetId: idOf(() => users.id),
    title: text().notNull(),
    body: text().notNull(),
  },
  (t) => [index('own_replies_vet').on(t.vetId)],
)
