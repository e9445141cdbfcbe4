import { and, eq, isNull } from 'drizzle-orm'
import { USER_TYPES } from '#contract/accounts.ts'
import { CONSULT_TYPES } from '#contract/consultations.ts'
import { consultations, users } from './schema.ts'

export const isPhone = eq(consultations.type, CONSULT_TYPES.phone)

/** Vets who still have an account. */
export const isVet = and(eq(users.type, USER_TYPES.vet), isNull(users.deletedAt))
