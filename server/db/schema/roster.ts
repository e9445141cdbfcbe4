import { sql } from 'drizzle-orm'
import { check, index } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { createdAt, id, idOf, region, time, table } from './columns.ts'

/** Who should be on duty when. A vet's shifts don't overlap, because every change locks the vet. */
export const shifts = table(
  'shifts',
  {
    id: id(),
    region: region(),
    vetId: idOf(() => users.id),
    begin: time().notNull(),
    end: time().notNull(),
    /** Since when the vet has offered it to colleagues. */
    offeredAt: time(),
    createdAt: createdAt(),
  },
  (t) => [
    check('shifts_end_after_begin', sql`${t.end} > ${t.begin}`),
    index('shifts_begin').on(t.region, t.begin),
    index('shifts_vet').on(t.vetId, t.begin),
  ],
)
