import { lt, sql } from 'drizzle-orm'
import { RANGES } from '#contract/overview.ts'
import { REGION_IDS } from '#contract/regions.ts'
import type { World } from '../context.ts'
import { dayChanges, dayFigures } from '../db/schema.ts'
import { countDays, daysUntil, notKept } from './day-reads.ts'
import { FIGURES_VERSION } from './rules.ts'

const LONGEST_RANGE = Math.max(...RANGES)
/** A few days at a time, so that a first count of months doesn't block other work. */
export const DAYS_AT_ONCE = 7
const TURN = 46

/**
 * Stores the figures of past days. A change in such a day removes its figures until they are counted again, so stored
 * figures are always what counting would find.
 */
export async function keepDays({ db, now }: Pick<World, 'db' | 'now'>): Promise<void> {
  // Noted changes may be removed only while no other instance counts.
  const [turn] = await db
    .select({ mine: sql<boolean>`pg_try_advisory_xact_lock(${TURN})` })
    .from(sql`(values (1)) one`)
  if (!turn!.mine) return
  const regions = await Promise.all(
    REGION_IDS.map(async (region) => {
      const days = await daysUntil({ db }, now(), region, LONGEST_RANGE)
      return { region, past: days.slice(0, -1), today: days.at(-1)!.begins }
    }),
  )
  const over = new Date(Math.min(...regions.map(({ today }) => today.getTime())))
  const changed = db.$with('changed').as(db.delete(dayChanges).where(lt(dayChanges.at, over)).returning())
  await db
    .with(changed)
    .delete(dayFigures)
    .where(
      sql`exists (select from ${changed} where ${changed.at} >= ${dayFigures.begins} and ${changed.at} < ${dayFigures.ends})`,
    )
  for (const { region, past } of regions) {
    const days = await notKept({ db }, region, past, DAYS_AT_ONCE)
    const figures = await countDays({ db }, now(), region, days)
    if (figures.length > 0)
      await db
        .insert(dayFigures)
        .values(
          days.map(({ begins, ends }, index) => ({
            region,
            begins,
            ends: ends!,
            version: FIGURES_VERSION,
            figures: figures[index]!,
          })),
        )
        .onConflictDoUpdate({
          target: [dayFigures.region, dayFigures.begins],
          set: { ends: sql`excluded.ends`, version: sql`excluded.version`, figures: sql`excluded.figures` },
        })
  }
}
