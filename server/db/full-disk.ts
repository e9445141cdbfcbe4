import { statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import type { World } from '../context.ts'
import { isDiskFull, isInternal } from './errors.ts'

/** The embedded database extends its files and its log by this much. */
const EMBEDDED_NEEDS_BYTES = 16 * 1024 ** 2

/** Whether a full disk refused a write of this process, and no write has succeeded since. */
let wasRefused = false

/** Notes a write that a full disk refused. Meanwhile PostgreSQL answers some reads with an internal error of its own. */
export const noteDiskFull = (error: unknown): boolean => {
  const isFull = isDiskFull(error) || (wasRefused && isInternal(error))
  wasRefused ||= isFull
  return isFull
}

/**
 * Whether messages can be stored. An empty query can't show that, so after a refused write we write a little and drop
 * it again.
 */
export async function canStore({ db, env }: Pick<World, 'db' | 'env'>): Promise<boolean> {
  if (!env.databaseUrl) {
    const { bavail, bsize } = await statfs(env.dataDir)
    if (bavail * bsize < EMBEDDED_NEEDS_BYTES) return false
  }
  if (!wasRefused) return true
  try {
    await db.execute(sql`create temp table trial on commit drop as
      select repeat(md5(n::text), 30) as filling from generate_series(1, 500) n`)
    wasRefused = false
    return true
  } catch {
    return false
  }
}
