import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { REGION_IDS } from '#contract/regions.ts'
import { id, time, createdAt, region, oneOf } from './columns.ts'
import { consultations } from './consultations.ts'

export interface ClinicContact {
  vetName: string
  contact: string
  na: boolean
  note: string
}

export const clinics = pgTable(
  'clinics',
  {
    id: id(),
    clinic: text().notNull(),
    address: text().notNull().default(''),
    state: text().notNull().default(''),
    telephone: text().notNull().default(''),
    email: text().notNull().default(''),
    comments: text().notNull().default(''),
    username: text(),
    passwordHash: text(),
    customerInvoice: boolean().notNull().default(true),
    contacts: jsonb()
      .$type<Record<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun', ClinicContact>>()
      .notNull(),
    region: region(),
    demo: boolean().notNull().default(false),
    createdAt: createdAt(),
    deletedAt: time(),
  },
  (t) => [
    uniqueIndex('clinics_username')
      .on(t.username)
      .where(sql`deleted_at is null`),
    check(
      'clinics_username_form',
      sql`${t.username} = lower(trim(${t.username})) and length(${t.username}) >= 8`,
    ),
    check('clinics_region', oneOf(t.region, ...REGION_IDS)),
  ],
)

/** Who a clinic's case was forwarded to, and when. */
export const escalations = pgTable(
  'escalations',
  {
    id: id(),
    consultationId: integer()
      .notNull()
      .references(() => consultations.id),
    step: smallint().notNull(),
    vetName: text().notNull(),
    contact: text().notNull(),
    at: createdAt(),
    answeredAt: time(),
  },
  (t) => [unique('escalations_step').on(t.consultationId, t.step)],
)
