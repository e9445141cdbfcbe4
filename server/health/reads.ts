import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import type { Ctx } from '../context.ts'

const DATABASE_ANSWERS_WITHIN = 3000

export async function health({ db, stopping }: Ctx) {
  if (stopping()) fail('UNAVAILABLE', { retryAfter: 5 })
  const answers = db.execute(sql`select 1`).then(
    () => true,
    () => false,
  )
  if (!(await Promise.race([answers, pause(DATABASE_ANSWERS_WITHIN, false, { ref: false })])))
    fail('UNAVAILABLE', { retryAfter: 5 })
  return { ok: true as const }
}
