import { sql } from 'drizzle-orm'
import { check, index, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { REGION_IDS } from '#contract/regions.ts'
import { id, time, createdAt, region, oneOf } from './columns.ts'

export const contactMessages = pgTable(
  'contact_messages',
  {
    id: id(),
    queryAbout: smallint().notNull(),
    name: text().notNull(),
    email: text().notNull(),
    mobile: text().notNull().default(''),
    clinicOrCompany: text().notNull().default(''),
    body: text().notNull(),
    region: region(),
    at: createdAt(),
  },
  (t) => [check('contact_messages_reason', sql`${t.queryAbout} between 1 and 7`)],
)

export const newsletter = pgTable(
  'newsletter',
  {
    email: text().primaryKey(),
    name: text().notNull(),
    region: region(),
    askedAt: createdAt(),
    confirmedAt: time(),
    leftAt: time(),
  },
  (t) => [check('newsletter_region', oneOf(t.region, ...REGION_IDS))],
)

/** People who want one mail when a vet is on duty. A row is deleted with its mail, or after a day. */
export const backAsks = pgTable(
  'back_asks',
  {
    email: text().primaryKey(),
    region: region(),
    askedAt: createdAt(),
  },
  (t) => [
    check('back_asks_region', oneOf(t.region, ...REGION_IDS)),
    index('back_asks_first').on(t.region, t.askedAt),
  ],
)
