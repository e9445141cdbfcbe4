import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, jsonb, smallint, text } from 'drizzle-orm/pg-core'
import { createdAt, id, indexWhere, region, threes, time, uniqueWhere, table } from './columns.ts'

/** The text by which a person is found: name, email and the digits of the mobile, each on its own line. */
export const personText = (t: Record<'firstName' | 'lastName' | 'email' | 'mobile', AnyPgColumn>) =>
  sql`${t.firstName} || ' ' || ${t.lastName} || chr(10) || ${t.email} || chr(10) || regexp_replace(${t.mobile}, '[^0-9]', '', 'g')`

export const users = table(
  'users',
  {
    id: id(),
    /** Identifies the account in public, because ids could be guessed by counting. */
    publicId: text().notNull().unique(),
    type: smallint().$type<1 | 2 | 3>().notNull().default(1),
    /** Somebody who bought one consultation without an account. May share an email with an account. */
    guest: boolean().notNull().default(false),
    email: text().notNull(),
    emailConfirmedAt: time(),
    passwordHash: text(),
    firstName: text().notNull().default(''),
    lastName: text().notNull().default(''),
    mobile: text().notNull().default(''),
    postcode: text().notNull().default(''),
    address: text().notNull().default(''),
    userClinic: text().notNull().default(''),
    region: region(),
    canConsult: boolean().notNull().default(true),
    notifications: jsonb().$type<Record<string, boolean>>().notNull().default({}),
    /** A vet's number at the regulator; an admin enters it. */
    registration: text(),
    onDutySince: time(),
    lastSeenAt: time(),
    demo: boolean().notNull().default(false),
    createdAt: createdAt(),
    deletedAt: time(),
  },
  (t) => [
    uniqueWhere('users_email', 'not guest and deleted_at is null', t.email),
    index('users_email_begins').on(sql`${t.email} text_pattern_ops`),
    index('users_name_begins').on(sql`lower(${t.firstName} || ' ' || ${t.lastName}) text_pattern_ops`),
    index('users_last_name_begins').on(sql`lower(${t.lastName}) text_pattern_ops`),
    index('users_threes').using('gin', threes(personText(t))),
    indexWhere('users_left', "deleted_at is not null and email not like 'gone-%@deleted.invalid'", t.id),
    indexWhere('users_on_duty', 'on_duty_since is not null', t.onDutySince),
    check('users_email_form', sql`${t.email} = lower(trim(${t.email})) and ${t.email} like '%_@_%'`),
    check('users_type', sql`${t.type} in (1, 2, 3)`),
    check('users_guest_is_owner', sql`not ${t.guest} or (${t.type} = 1 and ${t.passwordHash} is null)`),
    check('users_vet_is_registered', sql`${t.type} <> 2 or ${t.registration} is not null`),
    check('users_only_vets_on_duty', sql`${t.onDutySince} is null or ${t.type} in (2, 3)`),
  ],
)
