import { createHash, randomInt } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { RESET_CODE_LENGTH } from '#contract/accounts.ts'
import type { World } from './context.ts'
import { mailedCodes } from './db/schema.ts'

/** Codes that are mailed, kept by their hash. A person has one open code a purpose: a newer one takes its place. */
type Purpose = (typeof mailedCodes.$inferSelect)['purpose']
type Place = Pick<World, 'db' | 'now'>

/** Letters and digits that are not taken for one another when read off a phone and typed. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const newTypedCode = () =>
  Array.from({ length: RESET_CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** A code as a person may type it: case, spaces and hyphens do not count. */
export const asTyped = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()

/** Codes are random enough that a plain hash keeps them. */
const hashOfCode = (code: string) => createHash('sha256').update(code).digest('base64url')

/** The person's open code. One that is unknown, used, late or somebody else's is simply none. */
export async function openCode({ db, now }: Place, userId: number, purpose: Purpose, code: string) {
  const [row] = await db
    .select({ id: mailedCodes.id, about: mailedCodes.about })
    .from(mailedCodes)
    .where(
      and(
        eq(mailedCodes.codeHash, hashOfCode(code)),
        eq(mailedCodes.purpose, purpose),
        eq(mailedCodes.userId, userId),
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
