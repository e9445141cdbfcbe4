import type { Region } from '#contract/regions.ts'
import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, isNotNull, ne, or, sql } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import { idsOf } from '../db/ids-of.ts'
import type { World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { mails } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import { writeLetter, type Letter } from './mail-template.ts'
import type { Job } from '../jobs/clock.ts'
import type { Files } from '../providers/files.ts'
import { MailRefused, type Postman } from '../providers/mail.ts'
import { LONGEST_PAUSE, sending, sweeping } from './sending-jobs.ts'

export type Attachment = (typeof mails.$inferSelect)['attachments'][number]

/** Stores a mail in the same transaction as its cause; the clock sends it after the commit. */
export async function mail(
  ctx: Pick<World, 'db' | 'env' | 'now' | 'wake'>,
  region: Region,
  to: string,
  template: string,
  letter: Letter,
  options: {
    /** A key is used only once, ever. */
    key?: string
    attachments?: Attachment[]
    /** When the mail would be untrue or of no use. It isn't sent after that. */
    until?: Date
  } = {},
): Promise<void> {
  const at = ctx.now()
  const site = siteOfRegion(ctx, region)
  const messageId = `<${randomUUID()}@${new URL(site.url).hostname}>`
  await ctx.db
    .insert(mails)
    .values({
      ...options,
      messageId,
      template,
      region,
      to,
      ...writeLetter(letter, site),
      dueAt: at,
      createdAt: at,
    })
    .onConflictDoNothing({ target: mails.key })
  ctx.wake()
}

/** Mails the ledger's keeper, who also tells the shop about its gift cards. */
export async function mailKeeper(
  ctx: Pick<World, 'db' | 'env' | 'now' | 'wake'>,
  template: string,
  letter: Letter,
  key?: string,
) {
  const { ledgerEmail, sites } = ctx.env
  if (ledgerEmail !== undefined) await mail(ctx, sites[0]!.region, ledgerEmail, template, letter, { key })
}

async function contentOf(files: Files, key: string) {
  const file = await files.get(key)
  if (!file) throw new Error(`No file ${key} for a mail`)
  return file.stream
}

/** About a day, so that a mail server may be away for a night. */
export const TRIES = 150
const NO_WORDS = { text: '', html: '' }

/** A mail that was refused for good, or too often, is given up until somebody sends it again (`npm run mails`). */
export const sendMails = (postman: Postman): Job =>
  sending({
    what: 'mail',
    job: { name: 'send mails', lane: 'mail' },
    table: mails,
    claimSeconds: 120,
    send: ({ files }, row) =>
      postman({
        ...row,
        attachments: row.attachments.map(({ filename, type, key }) => ({
          filename,
          type,
          open: () => contentOf(files, key),
        })),
      }),
    isForGood: (error, { attempts }) => error instanceof MailRefused || attempts >= TRIES,
    pause: (attempts) => Math.min(LONGEST_PAUSE, 5 * 2 ** attempts),
    // It may contain codes and links.
    erased: ({ env }) => (env.smtpUrl === undefined ? {} : NO_WORDS),
    logged: ({ template }) => ({ template }),
  })

export const sweepMails = sweeping('mails', mails, NO_WORDS, or(ne(mails.text, ''), ne(mails.html, ''))!)

export const givenUp = ({ db }: Pick<World, 'db'>) =>
  db
    .select({
      ...columnsOf(mails, 'id', 'template', 'to', 'createdAt', 'failedAt', 'attempts', 'error'),
      isErased: sql<boolean>`${mails.text} = ''`,
    })
    .from(mails)
    .where(isNotNull(mails.failedAt))
    .orderBy(asc(mails.id))

/** Schedules given-up mails again, and returns the ids of those whose text isn't erased. */
export async function sendAgain({ db, now }: Pick<World, 'db' | 'now'>, ids: number[]): Promise<number[]> {
  const again = await db
    .update(mails)
    .set({ failedAt: null, attempts: 0, claimedUntil: null, dueAt: now() })
    .where(and(inArray(mails.id, ids), isNotNull(mails.failedAt), ne(mails.text, '')))
    .returning({ id: mails.id })
  return idsOf(again)
}

/** Sends a mail once more, to this address. A given-up mail is scheduled again; of a sent mail we send a copy. */
export async function resend({ db, now, wake }: Pick<World, 'db' | 'now' | 'wake'>, id: number, to?: string) {
  const [row] = await db.select().from(mails).where(eq(mails.id, id)).for('no key update')
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
