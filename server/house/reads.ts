import { setTimeout as pause } from 'node:timers/promises'
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import type { Ctx } from '../context.ts'
import { mails } from '../db/schema.ts'

const DATABASE_ANSWERS_WITHIN = 3000

export async function health({ db, stopping }: Ctx) {
  if (stopping()) fail('UNAVAILABLE', { retryAfter: 5 })
  const answers = db.execute(sql`select 1`).then(
    () => true,
    () => false,
  )
  if (!(await Promise.race([answers, pause(DATABASE_ANSWERS_WITHIN, false, { ref: false })])))
    fail('UNAVAILABLE', { retryAfter: 5 })
  return { ok: true as const }
}

export async function sandboxMail({ db }: Ctx, { to }: { to?: string | undefined }) {
  const rows = await db
    .select({
      to: mails.to,
      subject: mails.subject,
      text: mails.text,
      html: mails.html,
      sentAt: mails.sentAt,
    })
    .from(mails)
    .where(and(isNotNull(mails.sentAt), to === undefined ? undefined : eq(mails.to, to)))
    .orderBy(desc(mails.id))
    .limit(200)
  return rows.map((row) => ({ ...row, sentAt: row.sentAt!.toISOString() }))
}
