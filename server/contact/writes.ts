import { eq } from 'drizzle-orm'
import type { World } from '../context.ts'
import { contactMessages, newsletter } from '../db/schema.ts'

/** What somebody wrote to us, and that they wanted our news, goes with their account. */
export async function forgetWriter({ db }: Pick<World, 'db'>, email: string) {
  await db.delete(newsletter).where(eq(newsletter.email, email))
  await db.delete(contactMessages).where(eq(contactMessages.email, email))
}
