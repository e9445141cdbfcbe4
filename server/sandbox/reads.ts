import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Ctx } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { mails, smsMessages } from '../db/schema.ts'

export async function sandboxMail({ db }: Ctx, { to }: { to?: string | undefined }) {
  const rows = await db
    .select(columnsOf(mails, 'to', 'subject', 'text', 'html', 'sentAt'))
    .from(mails)
    .where(and(isNotNull(mails.sentAt), to === undefined ? undefined : eq(mails.to, to)))
    .orderBy(desc(mails.id))
    .limit(200)
  return rows.map((row) => ({ ...row, sentAt: row.sentAt!.toISOString() }))
}

export async function sandboxSms({ db }: Ctx, { to }: { to?: string | undefined }) {
  const rows = await db
    .select({ to: smsMessages.to, text: smsMessages.text, sentAt: smsMessages.sentAt })
    .from(smsMessages)
    .where(and(isNotNull(smsMessages.sentAt), to ? eq(smsMessages.to, to) : undefined))
    .orderBy(desc(smsMessages.id))
    .limit(200)
  return rows.map((row) => ({ ...row, sentAt: row.sentAt!.toISOString() }))
}
