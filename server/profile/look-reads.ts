import { and, desc, eq, ne, or, sql } from 'drizzle-orm'
import type { people } from '#contract/call.ts'
import { USER_TYPES } from '#contract/accounts.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { staffName } from '../db/names.ts'
import { auditLog, consultations, ledger, users } from '../db/schema.ts'
import { isAbout } from '../identity/audit.ts'

/**
 * What staff read and changed about a person, latest first: their account, their payments, and each of their consults
 * that was opened with a reason or by an admin. What a vet does in a case is in that case's own list.
 */
export const accessOf = ({ db }: Pick<World, 'db'>, userId: number, most: number) =>
  db
    .select({
      ...columnsOf(auditLog, 'action', 'reason', 'at'),
      name: staffName(users),
      about: sql<
        number | null
      >`case ${auditLog.subject} when 'user' then null else ${auditLog.subjectId}::int end`,
      by: auditLog.userId,
    })
    .from(auditLog)
    .innerJoin(users, and(eq(users.id, auditLog.userId), ne(users.id, userId)))
    .where(
      or(
        isAbout(['user', userId]),
        and(
          eq(auditLog.subject, 'consultation'),
          sql`${auditLog.subjectId} in (select id::text from ${consultations} where ${consultations.userId} = ${userId})`,
          or(ne(auditLog.reason, ''), eq(users.type, USER_TYPES.admin)),
        ),
        and(
          eq(auditLog.subject, 'charge'),
          sql`${auditLog.subjectId} in (select id::text from ${ledger} where ${ledger.userId} = ${userId})`,
        ),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(most)

const MOST_LOOKS = 100

export const listAccountAccess = async (ctx: Ctx<typeof people>) =>
  accessOf(ctx, ctx.actor.userId, MOST_LOOKS)
