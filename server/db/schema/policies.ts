import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, smallint, text } from 'drizzle-orm/pg-core'
import { id, time, createdAt, bytes, table } from './columns.ts'
import { users } from './accounts.ts'
import { species, pets } from './pets.ts'

export const policies = table(
  'policies',
  {
    id: id(),
    policy: text().notNull().unique(),
    holderEmail: text().notNull(),
    petName: text().notNull(),
    speciesId: smallint()
      .notNull()
      .references(() => species.id),
    lapsedAt: time(),
    userId: integer().references(() => users.id),
    petId: integer()
      .unique()
      .references(() => pets.id),
    boundAt: time(),
    demo: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    check(
      'policies_bound',
      sql`(${t.boundAt} is null) = (${t.userId} is null) and (${t.petId} is null or ${t.userId} is not null)`,
    ),
    index('policies_user').on(t.userId),
  ],
)

/** One row for each file of the partner insurer's daily feed; the same file is applied once. */
export const feedRuns = table('feed_runs', {
  id: id(),
  file: text().notNull(),
  contentHash: text().notNull().unique(),
  state: text().$type<'applied' | 'waiting' | 'refused' | 'dropped'>().notNull(),
  /** The file itself, while it waits for an admin to agree. */
  content: bytes(),
  added: integer().notNull().default(0),
  changed: integer().notNull().default(0),
  lapsed: integer().notNull().default(0),
  badRows: jsonb().$type<{ row: number; why: string }[]>().notNull().default([]),
  at: createdAt(),
})
