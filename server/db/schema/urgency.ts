import { sql } from 'drizzle-orm'
import { check, index, integer, text } from 'drizzle-orm/pg-core'
import { type Level, LEVELS } from '#contract/urgency.ts'
import { createdAt, id, idOf, oneOf, table } from './columns.ts'
import { users } from './accounts.ts'
import { consultations } from './consultations.ts'

/** How vets changed the level that the rules read, and why. Only the reasons are erased with the owner. */
export const levelChanges = table(
  'level_changes',
  {
    id: id(),
    consultationId: idOf(() => consultations.id),
    from: text().$type<Level>().notNull(),
    to: text().$type<Level>().notNull(),
    reason: text().notNull(),
    vetId: idOf(() => users.id),
    at: createdAt(),
  },
  (t) => [
    index('level_changes_consultation').on(t.consultationId),
    check('level_changes_from', oneOf(sql`"from"`, ...LEVELS)),
    check('level_changes_to', oneOf(sql`"to"`, ...LEVELS)),
    check('level_changes_differs', sql`${t.from} <> ${t.to}`),
  ],
)

/** What was done with a version of the rules, in order: a vet reviewed it, an admin asked for it, it was made live. */
export const versionSteps = table(
  'version_steps',
  {
    id: id(),
    version: text().notNull(),
    step: text({ enum: ['reviewed', 'asked', 'withdrawn', 'live'] }).notNull(),
    userId: idOf(() => users.id),
    /** The vet who reviewed it. */
    vetId: integer().references(() => users.id),
    reason: text().notNull().default(''),
    at: createdAt(),
  },
  (t) => [check('version_steps_vet', sql`(${t.step} = 'reviewed') = (${t.vetId} is not null)`)],
)
