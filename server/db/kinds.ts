import { and, eq, isNull, sql, type SQLWrapper } from 'drizzle-orm'
import { USER_TYPES } from '#contract/accounts.ts'
import { CONSULT_TYPES } from '#contract/consultations.ts'
import { consultations, ledger, users } from './schema.ts'

export const isPhone = eq(consultations.type, CONSULT_TYPES.phone)

/** Consults in the queue. */
export const isWaiting = and(isNull(consultations.vetId), isNull(consultations.end))

/** The open cases of a vet. */
export const isOpenOf = (vetId: number) => and(eq(consultations.vetId, vetId), isNull(consultations.end))

/** Vets who still have an account. */
export const isVet = and(eq(users.type, USER_TYPES.vet), isNull(users.deletedAt))

/** What a payer's bank takes back or returns. Literal, because a partial index has the same words. */
export const isDispute = (kind: SQLWrapper = ledger.kind) =>
  sql<boolean>`${kind} in ('dispute', 'dispute_won')`
