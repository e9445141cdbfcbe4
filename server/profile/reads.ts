import { and, desc, eq, gt, gte, isNull, lte, not, or, sql } from 'drizzle-orm'
import type { people } from '#contract/call.ts'
import { LARGEST_INTEGER } from '#contract/fields.ts'
import { columnsOf } from '../db/columns-of.ts'
import type { Ctx, World } from '../context.ts'
import { auditLog, mails, sessions, users } from '../db/schema.ts'
import { listedWhere, ofPerson } from '../ledger/reads.ts'
import { numberOf } from '../ledger/rules.ts'

export async function listSessions({ db, actor, now }: Ctx<typeof people>) {
  const rows = await db
    .select({
      ...columnsOf(sessions, 'id', 'agent'),
      started: sessions.createdAt,
      last_used: sessions.lastUsedAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, actor.userId), isNull(sessions.endedAt), gt(sessions.expiresAt, now())))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt))
  return rows.map((row) => ({ ...row, here: row.id === actor.sessionId }))
}

export interface Addressee {
  id: number
  email: string
  emailConfirmedAt: Date | null
  createdAt: Date
  deletedAt?: Date | null
}

/** Whether the address was somebody else's when a mail was stored: they have changed it or left since. */
const wasAnothers = (id: number) =>
  sql`(exists (
      select from ${auditLog} where ${auditLog.subject} = 'user' and ${auditLog.subjectId} <> ${String(id)}
        and ${auditLog.action} = 'email changed' and ${auditLog.details} ->> 'from' = ${mails.to}
        and ${mails.createdAt} <= ${auditLog.at})
    or exists (
      select from ${users} where ${users.email} = ${mails.to} and ${users.id} <> ${id} and not ${users.guest}
        and ${mails.createdAt} <= ${users.deletedAt}))`

/** Whether somebody had bought with this address by then. While the account hasn't confirmed it, that is somebody else. */
const mayBeGuests = sql`exists (
  select from ${users} where ${users.email} = ${mails.to} and ${users.guest} and ${users.createdAt} <= ${mails.createdAt})`

/** A person's mails: to this address since they had the account, and to an earlier one until they changed it. */
export const mailedTo = ({ id, email, emailConfirmedAt, createdAt, deletedAt }: Addressee) =>
  and(
    gte(mails.createdAt, createdAt),
    not(wasAnothers(id)),
    deletedAt ? lte(mails.createdAt, deletedAt) : undefined,
    or(
      and(eq(mails.to, email), emailConfirmedAt === null ? not(mayBeGuests) : undefined),
      sql`exists (
        select from ${auditLog} where ${auditLog.subject} = 'user' and ${auditLog.subjectId} = ${String(id)}
          and ${auditLog.action} = 'email changed' and ${auditLog.details} ->> 'from' = ${mails.to}
          and ${mails.createdAt} <= ${auditLog.at}
          and (${auditLog.details} -> 'unconfirmed' is null or not ${mayBeGuests}))`,
    ),
  )

/** Everything that a person paid and got back, latest first. */
export async function moneyOf(ctx: Pick<World, 'db'>, userId: number) {
  const entries = await listedWhere(ctx, ofPerson(ctx, userId), LARGEST_INTEGER)
  return entries.map(({ id, at, kind, what, amount, currency }) => ({
    number: numberOf(id),
    at,
    kind,
    for: what,
    amount,
    currency,
  }))
}
