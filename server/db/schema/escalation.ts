import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, smallint, text, unique } from 'drizzle-orm/pg-core'
import type { EscalationState, StepKind } from '#contract/escalation.ts'
import { users } from './accounts.ts'
import { id, oneOf, time } from './columns.ts'
import { consultations } from './consultations.ts'

/** Somebody of a clinic whom we call at night, as they were known when the calls began. */
export interface Contact {
  vetName: string
  /** As +27215550171 where it is a whole number. */
  contact: string
  email: string
}

/** A case for which a clinic's contacts are called, one after the other. */
export const escalations = pgTable(
  'escalations',
  {
    consultationId: integer()
      .primaryKey()
      .references(() => consultations.id),
    state: text().$type<EscalationState>().notNull(),
    /** First and next. */
    contacts: jsonb().$type<Contact[]>().notNull(),
    /** The contact who is being called, or has the case. */
    place: smallint().notNull(),
    /** How long each has to answer. */
    minutes: smallint().notNull(),
    /** The number of the last step. A change names the one that it follows, so of two only one happens. */
    step: integer().notNull(),
    startedAt: time().notNull(),
    /** When the next one is called, or the vet decides. */
    dueAt: time(),
    /** When somebody took the case for the first time. */
    answeredAt: time(),
  },
  (t) => [
    check('escalations_state', oneOf(t.state, 'calling', 'taken', 'yours', 'decided')),
    check('escalations_due', sql`(${t.state} = 'calling') = (${t.dueAt} is not null)`),
    index('escalations_due')
      .on(t.dueAt)
      .where(sql`state = 'calling'`),
    index('escalations_open')
      .on(t.consultationId)
      .where(sql`state in ('calling', 'yours')`),
  ],
)

/** What happened, in order. Nothing here is ever changed. */
export const escalationSteps = pgTable(
  'escalation_steps',
  {
    id: id(),
    consultationId: integer()
      .notNull()
      .references(() => escalations.consultationId),
    step: integer().notNull(),
    kind: text().$type<StepKind>().notNull(),
    at: time().notNull(),
    /** Which contact it is about. */
    place: smallint(),
    /** The step that called them. */
    callStep: integer(),
    /** Who of us pressed something; null for the clock and for contacts. */
    userId: integer().references(() => users.id),
  },
  (t) => [
    unique('escalation_steps_once').on(t.consultationId, t.step),
    // A call is missed, declined or taken once, however often somebody presses.
    unique('escalation_steps_answer').on(t.consultationId, t.callStep, t.kind),
  ],
)
