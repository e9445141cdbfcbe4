import { createHash, randomBytes, randomInt } from 'node:crypto'
import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { RESET_CODE_LENGTH } from '#contract/accounts.ts'
import type { Job } from '../jobs/clock.ts'
import type { World } from '../context.ts'
import { mailedCodes, users } from '../db/schema.ts'

/** Codes that are mailed, kept by their hash. A person has one open code a purpose: a newer one takes its place. */
type Purpose = (typeof mailedCodes.$inferSelect)['purpose']
type Place = Pick<World, 'db' | 'now'>

/** Letters and digits that are not taken for one another when read off a phone and typed. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const newTypedCode = () =>
  Array.from({ length: RESET_CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

export const newLinkCode = () => randomBytes(24).toString('base64url')

/** A code as a person may type it: case, spaces and hyphens do not count. */
export const asTyped = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()

/** Codes are random enough that a plain hash keeps them. */
export const hashOfCode = (code: string) => createHash('sha256').update(code).digest('base64url')

export type OpenCode = NonNullable<Awaited<ReturnType<typeof openCode>>>

/** An open code and whose it is. A code that is unknown, used or late is simply none. */
export async function openCode({ db, now }: Place, purpose: Purpose, code: string) {
  const [row] = await db
    .select({
      id: mailedCodes.id,
      about: mailedCodes.about,
      userId: users.id,
      email: users.email,
      firstName: users.firstName,
      region: users.region,
      guest: users.guest,
    })
    .from(mailedCodes)
    .innerJoin(users, and(eq(users.id, mailedCodes.userId), isNull(users.deletedAt)))
    .where(
      and(
        eq(mailedCodes.codeHash, hashOfCode(code)),
        eq(mailedCodes.purpose, purpose),
        isNull(mailedCodes.usedAt),
        gt(mailedCodes.expiresAt, now()),
      ),
    )
  return row
}

/** Of two who use one code at once, one gets true. */
export async function useUp({ db, now }: Place, codeId: number) {
  const used = await db
    .update(mailedCodes)
    .set({ usedAt: now() })
    .where(and(eq(mailedCodes.id, codeId), isNull(mailedCodes.usedAt)))
    .returning({ id: mailedCodes.id })
  return used.length === 1
}

/** The one place that a person has for a purpose settles two at once. */
export async function replaceCode(
  { db, now }: Place,
  userId: number,
  purpose: Purpose,
  code: string,
  expiresAt: Date,
  about: Record<string, string> = {},
) {
  const fresh = { codeHash: hashOfCode(code), createdAt: now(), expiresAt, about }
  await db
    .insert(mailedCodes)
    .values({ userId, purpose, ...fresh })
    .onConflictDoUpdate({
      target: [mailedCodes.userId, mailedCodes.purpose],
      targetWhere: sql`used_at is null`,
      set: fresh,
    })
}

/** What was mailed before a password or an email changed may be in the wrong hands: it opens nothing any more. */
export async function voidCodes({ db, now }: Place, userId: number) {
  const purposes: Purpose[] = ['reset', 'claim', 'change_email']
  await db
    .update(mailedCodes)
    .set({ usedAt: now() })
    .where(
      and(eq(mailedCodes.userId, userId), inArray(mailedCodes.purpose, purposes), isNull(mailedCodes.usedAt)),
    )
}

/** Of somebody who left no code stays. */
export async function forgetCodesOf({ db }: Pick<World, 'db'>, userId: number) {
  await db.delete(mailedCodes).where(eq(mailedCodes.userId, userId))
}

/** What is used or too old opens nothing; so long it is kept for whoever looks what happened. */
const KEPT = 30 * 86_400_000

export const sweepCodes: Job = {
  name: 'sweep mailed codes',
  everyMinutes: 60,
  async run({ db, now }) {
    const before = new Date(now().getTime() - KEPT)
    await db.delete(mailedCodes).where(or(lt(mailedCodes.usedAt, before), lt(mailedCodes.expiresAt, before)))
    return 0
  },
}
