import { sql } from 'drizzle-orm'
import { check, index, smallint, text } from 'drizzle-orm/pg-core'
import type { Region } from '#contract/regions.ts'
import { id, time, createdAt, region, table } from './columns.ts'

export const contactMessages = table(
  'contact_messages',
  {
    id: id(),
    queryAbout: smallint().notNull(),
    name: text().notNull(),
    email: text().notNull(),
    mobile: text().notNull().default(''),
    clinicOrCompany: text().notNull().default(''),
    body: text().notNull(),
    region: text().$type<Region>().notNull(),
    at: createdAt(),
  },
  (t) => [check('contact_messages_reason', sql`${t.queryAbout} between 1 and 7`)],
)

export const newsletter = table('newsletter', {
  email: text().primaryKey(),
  name: text().notNull(),
  region: region(),
  askedAt: createdAt(),
  confirmedAt: time(),
  leftAt: time(),
})

/** People who want one mail when a vet is on duty. A row is deleted with its mail, or after a day. */
export const backAsks = table(
  'back_asks',
  {
    email: text().primaryKey(),
    region: region(),
    askedAt: createdAt(),
  },
  (t) => [index('back_asks_first').on(t.region, t.askedAt)],
)
