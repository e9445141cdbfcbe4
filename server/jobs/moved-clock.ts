import { eq, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { settings } from '../db/schema.ts'

/** The row that stores how far our clock is ahead, in milliseconds. */
const KEY = 'clock'

export interface MovedClock {
  now: () => Date
  /** Moves the clock of every instance on this database forward. */
  move: (ms: number) => Promise<Date>
}

/** VetChat's clock: the machine's time, plus how far it was moved with the payment sandbox. */
export async function openClock({ db, listen }: Pick<Database, 'db' | 'listen'>): Promise<MovedClock> {
  let ahead = 0
  const read = async () => {
    const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, KEY))
    ahead = Math.max(ahead, Number(row?.value ?? 0))
  }
  await listen(KEY, () => void read().catch(() => {}))
  await read()
  const now = () => new Date(Date.now() + ahead)
  return {
    now,
    async move(ms) {
      const [row] = await db
        .insert(settings)
        .values({ key: KEY, value: ms, changedAt: now() })
        .onConflictDoUpdate({
          target: settings.key,
          set: { value: sql`to_jsonb((${settings.value})::bigint + ${ms}::bigint)`, changedAt: now() },
        })
        .returning({ value: settings.value })
      ahead = Math.max(ahead, Number(row!.value))
      await db.execute(sql.raw(`notify ${KEY}`))
      return now()
    },
  }
}
