import type { Region } from '#contract/regions.ts'
import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/contact.ts'
import type { Handler } from '../http/serve.ts'
import { transaction, type World } from '../context.ts'
import { backAsks, contactMessages, newsletter } from '../db/schema.ts'
import { countedFor } from '../identity/browser-marks.ts'
import { tryTake } from '../identity/limits.ts'
import { mailboxOf } from '../mail/mailbox.ts'
import { mail } from '../mail/outbox.ts'
import { joinedLetter, joinLetter, receivedLetter, writtenLetter } from './emails.ts'
import { emailOfCode, newsletterCode } from './rules.ts'

/**
 * Stores a message, forwards it to our own address if there is one, and sends a receipt to somebody who solved the human
 * check. A machine that fills every field gets the same answer, and its message is dropped.
 */
export const contactUs: Handler<typeof calls.contactUs> = async (
  ctx,
  { website, userConfirmation, ...written },
) => {
  if (website !== '') {
    ctx.log.info({ event: 'contact dropped' })
    return {}
  }
  const wait = await tryTake(ctx, 'contactAddress', countedFor(ctx))
  if (wait > 0 || userConfirmation) await ctx.human('contact', wait)
  const { contactEmail } = ctx.env
  // Strangers can't fill a mailbox by typing its address here.
  const getsReceipt = userConfirmation && (await tryTake(ctx, 'contactEmail', mailboxOf(written.email))) === 0
  return transaction(ctx, async (ctx) => {
    await ctx.db.insert(contactMessages).values({ ...written, region: ctx.region, at: ctx.now() })
    if (contactEmail) await mail(ctx, ctx.region, contactEmail, 'contact', writtenLetter(written))
    if (getsReceipt) await mail(ctx, ctx.region, written.email, 'contact received', receivedLetter(written))
    return {}
  })
}

const isOff = or(isNull(newsletter.confirmedAt), isNotNull(newsletter.leftAt))

/** A person joins the list only by pressing the mailed link. A subscriber gets the same answer, and a mail that says so. */
export const joinNewsletter: Handler<typeof calls.joinNewsletter> = async (ctx, { website, name, email }) => {
  if (website !== '') {
    ctx.log.info({ event: 'newsletter dropped' })
    return {}
  }
  const wait = await tryTake(ctx, 'newsletterAddress', countedFor(ctx))
  if (wait > 0) await ctx.human('contact', wait)
  return transaction(ctx, async (ctx) => {
    await askForNews(ctx, ctx.region, { name, email })
    return {}
  })
}

/**
 * Mails the link that puts a person on the list, within the caller's transaction. Mails to one mailbox are limited,
 * however often and wherever its email is typed.
 */
export async function askForNews(
  ctx: Pick<World, 'db' | 'env' | 'now' | 'secrets' | 'wake'>,
  region: Region,
  { name, email }: { name: string; email: string },
) {
  if ((await tryTake(ctx, 'newsletterEmail', mailboxOf(email))) > 0) return
  const asked = { name, region, askedAt: ctx.now() }
  const [off] = await ctx.db
    .insert(newsletter)
    .values({ email, ...asked })
    .onConflictDoUpdate({ target: newsletter.email, set: asked, setWhere: isOff })
    .returning({ email: newsletter.email })
  const code = newsletterCode(ctx.secrets, ctx.now(), off ? 'join' : 'leave', email)
  const letter = (off ? joinLetter : joinedLetter)(off ? name : '', code)
  await mail(ctx, region, email, 'newsletter', letter)
}

export const confirmNewsletter: Handler<typeof calls.confirmNewsletter> = async (ctx, { code }) => {
  const email = emailOfCode(ctx.secrets, ctx.now(), 'join', code) ?? fail('NEWSLETTER_LINK_WRONG')
  return transaction(ctx, async (ctx) => {
    const mine = eq(newsletter.email, email)
    const [joined] = await ctx.db
      .update(newsletter)
      .set({ confirmedAt: ctx.now(), leftAt: null })
      // An old link doesn't bring back a person who left after it.
      .where(and(mine, isOff, or(isNull(newsletter.leftAt), lt(newsletter.leftAt, newsletter.askedAt))))
      .returning({ name: newsletter.name })
    if (joined) {
      const leave = newsletterCode(ctx.secrets, ctx.now(), 'leave', email)
      await mail(ctx, ctx.region, email, 'newsletter joined', joinedLetter(joined.name, leave))
      return {}
    }
    const [on] = await ctx.db
      .select({ leftAt: newsletter.leftAt })
      .from(newsletter)
      .where(and(mine, isNull(newsletter.leftAt)))
    return on ? {} : fail('NEWSLETTER_LINK_WRONG')
  })
}

export const leaveNewsletter: Handler<typeof calls.leaveNewsletter> = async (ctx, { code }) => {
  const email = emailOfCode(ctx.secrets, ctx.now(), 'leave', code) ?? fail('LINK_WRONG')
  await ctx.db
    .update(newsletter)
    .set({ leftAt: ctx.now() })
    .where(and(eq(newsletter.email, email), isNull(newsletter.leftAt)))
  return {}
}

/** Stores an email until a vet is on duty, for a day at most. Mails to one mailbox are limited. */
export const tellWhenBack: Handler<typeof calls.tellWhenBack> = async (ctx, { website, email }) => {
  if (website !== '') {
    ctx.log.info({ event: 'vet-back request dropped' })
    return {}
  }
  const wait = await tryTake(ctx, 'backAddress', countedFor(ctx))
  if (wait > 0) await ctx.human('contact', wait)
  if ((await tryTake(ctx, 'backEmail', mailboxOf(email))) > 0) return {}
  const asked = { region: ctx.region, askedAt: ctx.now() }
  await ctx.db
    .insert(backAsks)
    .values({ email, ...asked })
    .onConflictDoUpdate({ target: backAsks.email, set: asked })
  return {}
}

/** Deletes what a person wrote to us or asked for, with their account. */
export async function forgetWriter({ db }: Pick<World, 'db'>, email: string) {
  await db.delete(newsletter).where(eq(newsletter.email, email))
  await db.delete(backAsks).where(eq(backAsks.email, email))
  await db.delete(contactMessages).where(eq(contactMessages.email, email))
}
