import { and, gte, lt, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type Region, REGIONS } from '#contract/regions.ts'

/** From the start of the first day to the end of the last, in the region's time zone. Without one, that side is open. */
export function betweenDays(
  column: PgColumn,
  region: Region,
  from: string | undefined,
  to: string | undefined,
) {
  const { timeZone } = REGIONS[region]
  return and(
    from === undefined ? undefined : gte(column, sql`${from}::timestamp at time zone ${timeZone}`),
    to === undefined
      ? undefined
      : lt(column, sql`(${to}::timestamp + interval '1 day') at time zone ${timeZone}`),
  )
}
