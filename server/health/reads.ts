import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import type { Ctx } from '../context.ts'
import { canStore } from '../db/full-disk.ts'

const DATABASE_ANSWERS_WITHIN = 3000

export async function health({ db, env, stopping }: Ctx) {
  if (stopping()) fail('UNAVAILABLE', { retryAfter: 5 })
  const answers = db.execute(sql`select 1`).then(
    () => true,
    () => false,
  )
  if (!(await Promise.race([answers, pause(DATABASE_ANSWERS_WITHIN, false, { ref: false })])))
    fail('UNAVAILABLE', { retryAfter: 5 })
  if (!(await canStore({ db, env }))) fail('STORAGE_FULL', { retryAfter: 30 })
  return { ok: true as const }
}

export const alive = () => ({ ok: true as const })
