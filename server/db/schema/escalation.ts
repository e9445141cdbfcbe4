import { sql } from 'drizzle-orm'
import { check, integer, jsonb, smallint, text, unique } from 'drizzle-orm/pg-core'
import { ESCALATION_STATES, type StepKind } from '#contract/escalation.ts'
import { users } from './accounts.ts'
import { id, idOf, indexWhere, time, table } from './columns.ts'
import { consultations } from './consultations.ts'

/** A person at a clinic whom we call at night, as recorded when the calls began. */
export interface Contact {
  vetName: string
  /** Such as +27215550171, if it's a complete number. */
  contact: string
  email: string
}

/** A case for which a clinic's contacts are called, one after the other. */
export const escalations = table(
  'escalations',
  {
    consultationId: idOf(() => consultations.id).primaryKey(),
    state: text({ enum: ESCALATION_STATES }).notNull(),
    /** The first contact and the next. */
    contacts: jsonb().$type<Contact[]>().notNull(),
    /** The contact who is being called, or has the case. */
    place: smallint().notNull(),
    /** How many minutes each contact has to answer. */
    minutes: smallint().notNull(),
    /** The number of the last step. A change gives the step that it follows, so only one of two parallel changes happens. */
    step: integer().notNull(),
    startedAt: time().notNull(),
    /** When the next contact is called, or the vet decides. */
    dueAt: time(),
    /** When somebody took the case for the first time. */
    answeredAt: time(),
  },
  (t) => [
    check('escalations_due', sql`(${t.state} = 'calling') = (${t.dueAt} is not null)`),
    indexWhere('escalations_due', "state = 'calling'", t.dueAt),
    indexWhere('escalations_open', "state in ('calling', 'yours')", t.consultationId),
  ],
)

/** What happened, in order. Rows never change. */
export const escalationSteps = table(
  'escalation_steps',
  {
    id: id(),
    consultationId: idOf(() => escalations.consultationId),
    step: integer().notNull(),
    kind: text().$type<StepKind>().notNull(),
    at: time().notNull(),
    /** The contact that it's about. */
    place: smallint(),
    callStep: integer(),
    /** The vet or admin who pressed something; null for the clock and for contacts. */
    userId: integer().references(() => users.id),
  },
  (t) => [
    unique('escalation_steps_once').on(t.consultationId, t.step),
    // A call is missed, declined or taken once, however often somebody presses.
    unique('escalation_steps_answer').on(t.consultationId, t.callStep, t.kind),
  ],
)
