import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import type { World } from '../context.ts'
import { mails } from '../db/schema.ts'
import type { Site } from '../env.ts'
import { writeLetter, type Letter } from './mail-template.ts'
import type { Job } from '../jobs/clock.ts'
import type { Files } from '../providers/files.ts'
import { MailRefused, type Postman } from '../providers/mail.ts'

/** A stored file to attach. */
export type Attachment = (typeof mails.$inferSelect)['attachments'][number]

/** Stores a mail in the same transaction as its cause; the clock sends it after the commit. A key is used only once, ever. */
export async function mail(
  ctx: Pick<World, 'db' | 'now' | 'wake'>,
  site: Site,
  to: string,
  template: string,
  letter: Letter,
  key?: string,
  attachments: Attachment[] = [],
): Promise<void> {
  const at = ctx.now()
  const messageId = `<${randomUUID()}@${new URL(site.url).hostname}>`
  await ctx.db
    .insert(mails)
    .values({
      messageId,
      key,
      template,
      region: site.region,
      to,
      ...writeLetter(letter, site),
      attachments,
      dueAt: at,
      createdAt: at,
    })
    .onConflictDoNothing({ target: mails.key })
  ctx.wake()
}

async function contentOf(files: Files, key: string) {
  const file = await files.get(key)
  if (!file) throw new Error(`No file ${key} for a mail`)
  return file.stream
}

/** Even with a mail server that hangs, a batch is over before its claim expires. */
const BATCH = 10
const CLAIM_SECONDS = 120
const TRIES = 12

/**
 * Sends due mails: claim, send, mark as sent. After a crash in between, a mail goes out again under the same Message-ID.
 * One that was refused for good, or too often, is given up until somebody sends it again (`npm run mails`).
 */
export function sendMails(postman: Postman): Job {
  return {
    name: 'send mails',
    lane: 'mail',
    async run({ db, env, now, log, files }) {
      const at = now()
      const due = db
        .select({ id: mails.id })
        .from(mails)
        .where(
          and(
            isNull(mails.sentAt),
            isNull(mails.failedAt),
            lte(mails.dueAt, at),
            or(isNull(mails.claimedUntil), lte(mails.claimedUntil, at)),
          ),
        )
        .orderBy(asc(mails.dueAt), asc(mails.id))
        .limit(BATCH)
        .for('update', { skipLocked: true })
      const claimed = await db
        .update(mails)
        .set({
          claimedUntil: new Date(at.getTime() + CLAIM_SECONDS * 1000),
          attempts: sql`${mails.attempts} + 1`,
        })
        .where(inArray(mails.id, due))
        .returning()
      await Promise.all(
        claimed.map(async (row) => {
          const mine = eq(mails.id, row.id)
          try {
            await postman({
              ...row,
              attachments: row.attachments.map(({ filename, type, key }) => ({
                filename,
                type,
                open: () => contentOf(files, key),
              })),
            })
            // Sent mails may hold codes and links, so we erase their text, except in the sandbox's mailbox.
            const forgotten = env.smtpUrl === undefined ? {} : { text: '', html: '' }
            await db
              .update(mails)
              .set({ sentAt: now(), claimedUntil: null, error: null, ...forgotten })
              .where(mine)
            log.info({ event: 'mail sent', mail: row.id, template: row.template })
          } catch (error) {
            const gaveUp = error instanceof MailRefused || row.attempts >= TRIES
            const waits = Math.min(3600, 5 * 2 ** row.attempts)
            await db
              .update(mails)
              .set({
                claimedUntil: null,
                error: String(error).slice(0, 500),
                ...(gaveUp ? { failedAt: now() } : { dueAt: new Date(now().getTime() + waits * 1000) }),
              })
              .where(mine)
            log[gaveUp ? 'error' : 'warn']({
              event: gaveUp ? 'mail given up' : 'mail postponed',
              mail: row.id,
              template: row.template,
              attempts: row.attempts,
              code: (error as { code?: string }).code ?? (error as Error).name,
            })
          }
        }),
      )
      return claimed.length
    },
  }
}

export const givenUp = ({ db }: Pick<World, 'db'>) =>
  db
    .select({
      id: mails.id,
      template: mails.template,
      to: mails.to,
      createdAt: mails.createdAt,
      failedAt: mails.failedAt,
      attempts: mails.attempts,
      error: mails.error,
      isErased: sql<boolean>`${mails.text} = ''`,
    })
    .from(mails)
    .where(isNotNull(mails.failedAt))
    .orderBy(asc(mails.id))

/** Makes mails that were given up due again; answers the ids of those whose text is still here. */
export async function sendAgain({ db, now }: Pick<World, 'db' | 'now'>, ids: number[]): Promise<number[]> {
  const again = await db
    .update(mails)
    .set({ failedAt: null, attempts: 0, claimedUntil: null, dueAt: now() })
    .where(and(inArray(mails.id, ids), isNotNull(mails.failedAt), ne(mails.text, '')))
    .returning({ id: mails.id })
  return again.map(({ id }) => id)
}

/** Sends a mail once more, to this address: a given-up one becomes due again, of a sent one a copy goes out. */
export async function resend({ db, now, wake }: Pick<World, 'db' | 'now' | 'wake'>, id: number, to?: string) {
  const [row] = await db.select().from(mails).where(eq(mails.id, id)).for('update')
  if (!row) return fail('NOT_FOUND')
  if (row.sentAt === null && row.failedAt === null) fail('MAIL_ON_ITS_WAY')
  if (row.text === '') fail('MAIL_ERASED')
  const at = now()
  const due = { to: to ?? row.to, attempts: 0, claimedUntil: null, failedAt: null, error: null, dueAt: at }
  if (row.failedAt) await db.update(mails).set(due).where(eq(mails.id, id))
  else {
    const { id: _, messageId, key: __, ...copy } = row
    const fresh = messageId.replace(/^<[^@]*/, `<${randomUUID()}`)
    await db.insert(mails).values({ ...copy, ...due, messageId: fresh, sentAt: null, createdAt: at })
  }
  wake()
}

const DAY = 86_400_000
const WORDS_KEPT = 90 * DAY
const ROWS_KEPT = 730 * DAY

/** Erases a mail's text after three months and its row after two years. */
export const sweepMails: Job = {
  name: 'sweep mails',
  lane: 'database',
  everyMinutes: 60,
  async run({ db, now }) {
    const before = (age: number) => lt(mails.createdAt, new Date(now().getTime() - age))
    const isOver = or(isNotNull(mails.sentAt), isNotNull(mails.failedAt))
    await db.delete(mails).where(and(isOver, before(ROWS_KEPT)))
    await db
      .update(mails)
      .set({ text: '', html: '' })
      .where(and(isOver, before(WORDS_KEPT), or(ne(mails.text, ''), ne(mails.html, ''))))
    return 0
  },
}
