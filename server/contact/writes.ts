import { eq } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/contact.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { contactMessages, newsletter } from '../db/schema.ts'
import { take } from '../limits.ts'
import { mail } from '../mail.ts'
import { receivedLetter, writtenLetter } from './emails.ts'

/** A message is kept and passed on to our own address, where one is set; its writer gets a receipt. A machine's is answered alike and dropped. */
export async function contactUs(ctx: Ctx<'anyone'>, { website, ...written }: Parsed<typeof calls.contactUs>) {
  if (website !== '') {
    ctx.log.info({ event: 'contact dropped' })
    return {}
  }
  await take(ctx, 'contactAddress', ctx.address)
  const { contactEmail } = ctx.env
  return transaction(ctx, async (ctx) => {
    await ctx.db.insert(contactMessages).values({ ...written, region: ctx.region, at: ctx.now() })
    if (contactEmail) await mail(ctx, ctx.site, contactEmail, 'contact', writtenLetter(written))
    await mail(ctx, ctx.site, written.email, 'contact received', receivedLetter(ctx.site, written))
    return {}
  })
}

/** What somebody wrote to us, and that they wanted our news, goes with their account. */
export async function forgetWriter({ db }: Pick<World, 'db'>, email: string) {
  await db.delete(newsletter).where(eq(newsletter.email, email))
  await db.delete(contactMessages).where(eq(contactMessages.email, email))
}
