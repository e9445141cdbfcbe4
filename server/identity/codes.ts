import { randomBytes, randomInt } from 'node:crypto'
import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { RESET_CODE_LENGTH } from '#contract/accounts.ts'
import { DAY } from '#contract/time.ts'
import type { Job } from '../jobs/clock.ts'
import type { World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { mailedCodes, users } from '../db/schema.ts'
import { hashOf } from './secrets.ts'

/** Mailed codes are stored as hashes. A person has one open code per purpose; a newer one replaces it. */
type Purpose = (typeof mailedCodes.$inferSelect)['purpose']
type Place = Pick<World, 'db' | 'now'>

/** Letters and digits that people don't confuse when they read them off a phone. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const newTypedCode = (length = RESET_CODE_LENGTH) =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

export const newLinkCode = () => randomBytes(24).toString('base64url')

export const readable = (code: string, group = 5) => code.match(new RegExp(`.{1,${group}}`, 'g'))!.join('-')

export type OpenCode = NonNullable<Awaited<ReturnType<typeof openCode>>>

/** Finds an open code and its person. Unknown, used and expired codes are all undefined. */
export async function openCode({ db, now }: Place, purpose: Purpose, code: string) {
  const [row] = await db
    .select({
      id: mailedCodes.id,
      about: mailedCodes.about,
      userId: users.id,
      ...columnsOf(users, 'email', 'firstName', 'region', 'guest'),
    })
    .from(mailedCodes)
    .innerJoin(users, and(eq(users.id, mailedCodes.userId), isNull(users.deletedAt)))
    .where(
      and(
        eq(mailedCodes.codeHash, hashOf(code)),
        eq(mailedCodes.purpose, purpose),
        isNull(mailedCodes.usedAt),
        gt(mailedCodes.expiresAt, now()),
      ),
    )
  return row
}

/** Only one of two simultaneous uses gets true. Locks the person first, because a new password locks them before their codes. */
export async function useUp({ db, now }: Place, codeId: number) {
  await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(mailedCodes, eq(mailedCodes.userId, users.id))
    .where(eq(mailedCodes.id, codeId))
    .for('no key update', { of: users })
  const used = await db
    .update(mailedCodes)
    .set({ usedAt: now() })
    .where(and(eq(mailedCodes.id, codeId), isNull(mailedCodes.usedAt)))
    .returning({ id: mailedCodes.id })
  return used.length === 1
}

/** The unique row per person and purpose settles simultaneous requests. */
export async function replaceCode(
  { db, now }: Place,
  userId: number,
  purpose: Purpose,
  code: string,
  expiresAt: Date,
  about: Record<string, string> = {},
) {
  const fresh = { codeHash: hashOf(code), createdAt: now(), expiresAt, about }
  await db
    .insert(mailedCodes)
    .values({ userId, purpose, ...fresh })
    .onConflictDoUpdate({
      target: [mailedCodes.userId, mailedCodes.purpose],
      targetWhere: sql`used_at is null`,
      set: fresh,
    })
}

/** After a new password or email, codes mailed before may be in the wrong hands, so they stop working. */
export async function voidCodes({ db, now }: Place, userId: number) {
  const purposes: Purpose[] = ['reset', 'claim', 'change_email']
  await db
    .update(mailedCodes)
    .set({ usedAt: now() })
    .where(
      and(eq(mailedCodes.userId, userId), inArray(mailedCodes.purpose, purposes), isNull(mailedCodes.usedAt)),
    )
}

export async function forgetCodesOf({ db }: Pick<World, 'db'>, userId: number) {
  await db.delete(mailedCodes).where(eq(mailedCodes.userId, userId))
}

/** Used and expired codes are kept this long for support. */
const KEPT = 30 * DAY

export const sweepCodes: Job = {
  name: 'sweep mailed codes',
  lane: 'database',
  everyMinutes: 60,
  async run({ db, now }) {
    const before = new Date(now().getTime() - KEPT)
    await db.delete(mailedCodes).where(or(lt(mailedCodes.usedAt, before), lt(mailedCodes.expiresAt, before)))
  },
}
