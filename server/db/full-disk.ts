import { statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import type { World } from '../context.ts'
import { isDiskFull } from './client.ts'

/** The embedded database extends its files and its log by this much. */
const EMBEDDED_NEEDS_BYTES = 16 * 1024 ** 2

/** Whether this process was refused a write because a disk is full, and has not seen one succeed since. */
let wasRefused = false

export const noteDiskFull = (error: unknown): boolean => {
  const isFull = isDiskFull(error)
  wasRefused ||= isFull
  return isFull
}

/**
 * Whether messages can be stored. An empty query says nothing about that, so once a write was refused we write a
 * little that is dropped again.
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
