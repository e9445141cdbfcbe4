import type { Region } from '#contract/regions.ts'
import type { World } from '../context.ts'
import { queueStatus } from './reads.ts'

/** For this long a page may show who was on duty a moment ago. */
const FRESH_MS = 5000
const latest = new Map<Region, { at: number; says: Promise<string> }>()

/** What public pages show of the queue, as one string: while it stays the same, so do the pages. */
export function presentOf(world: World, region: Region): Promise<string> {
  const known = latest.get(region)
  const at = performance.now()
  if (known && at - known.at < FRESH_MS) return known.says
  const says = queueStatus({ db: world.db, now: world.now, region }).then(
    (status) => JSON.stringify(status),
    // The page itself asks again, and says nothing if that fails too.
    () => '',
  )
  latest.set(region, { at, says })
  return says
}
