import * as z from 'zod'
import { call } from './call.ts'
import { Claim } from './claims.ts'
import { sentenceOf } from './errors.ts'
import { currency, id, isoDate, isoTime, keyOf, nothing, optionalText, sentTime, text } from './fields.ts'
import { LedgerEntry } from './ledger.ts'
import * as lengths from './lengths.ts'
import { ResendState } from './logs.ts'
import { PLANS } from './memberships.ts'
import { Look } from './profile.ts'
import { REGION_IDS } from './regions.ts'

/* How admins find any person, by whatever that person remembers, and help them. */

/** A search answers at most this many people, best match first. */
export const MOST_FOUND = 100
/** How long a reason lets an administrator read one case. */
export const ADMIN_REASON_MINUTES = 30
/** Opening the same person again within this time isn't recorded again. */
export const SAME_LOOK_MINUTES = 10

/** How far ahead staff can extend the time in which an owner writes after the end. */
export const MOST_EXTENDED_DAYS = 30

export const FOUND_BY = ['number', 'consult', 'receipt', 'policy', 'name', 'email', 'mobile', 'pet'] as const

/** What a person is to us, and since when or until when, if a time applies. */
const Standing = z.object({
  is: z.enum(['admin', 'vet', 'member', 'unpaid', 'ending', 'ended', 'owner', 'guest']),
  at: isoTime.nullable(),
})
export type Standing = z.infer<typeof Standing>

const Found = z.object({
  id: z.number(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  mobile: z.string(),
  pets: z.array(z.string()),
  standing: Standing,
  last_here: isoTime.nullable(),
  found: z.object({ by: z.enum(FOUND_BY), text: z.string() }),
})
export type Found = z.infer<typeof Found>

export const findPeople = call('POST', '/people/search', {
  summary:
    'People by name, email, mobile, number, pet, receipt or policy, best match first. A POST, because the addresses of calls are logged and must not contain an email',
  access: ['admin'],
  input: z.object({ q: optionalText(lengths.email) }),
  output: z.object({
    people: z.array(Found),
    /** Whether more people match than a search returns. */
    more: z.boolean(),
    /** The one person whose whole email or receipt number was typed. */
    only: z.number().nullable(),
    /** How many people there are, if nothing was typed. */
    total: z.number().nullable(),
  }),
})

export const REASON_KINDS = {
  refund: 'Refund question',
  complaint: 'Complaint',
  vet: 'Asked by a vet',
  other: 'Something else',
} as const

/** What the vet wrote for the owner, while this administrator may read it. */
const Opened = z.object({
  until: isoTime,
  reason: z.string(),
  outcome: z.string(),
  summary: z.string().nullable(),
  plan: z.string(),
})

const PersonsConsult = z.object({
  id: z.number(),
  type: z.literal([1, 2, 3]),
  pet: z.object({ name: z.string(), species_id: z.number().nullable() }),
  vet_name: z.string().nullable(),
  start: isoTime,
  end: isoTime.nullable(),
  cancelled: z.boolean(),
  /** Until when its owner can write after the end, and whether staff extended it. */
  follow_up_until: isoTime.nullable(),
  extended: z.boolean(),
  opened: Opened.nullable(),
})
export type PersonsConsult = z.infer<typeof PersonsConsult>

const PersonsMail = z.object({
  id: z.number(),
  at: isoTime,
  to: z.string(),
  subject: z.string(),
  ...ResendState.shape,
})

const PersonsMembership = z.object({
  id: z.number(),
  plan: z.enum(PLANS),
  state: z.enum(['active', 'unpaid', 'ending', 'ended']),
  /** Whether we sold it; only then can an administrator cancel it. */
  ours: z.boolean(),
  pets: z.number(),
  price: z.number(),
  currency,
  /** The end of the paid period, or of the days in which an unpaid membership can still be paid. */
  until: isoTime.nullable(),
})
export type PersonsMembership = z.infer<typeof PersonsMembership>

const Purchase = LedgerEntry.extend({
  refunds: z.array(
    z.object({
      amount: z.number(),
      at: isoTime,
      why: z.enum(['cancelled', 'late', 'undone', 'twice', 'by_us']),
      /** Null when VetChat did it itself. */
      by: z.string().nullable(),
      state: z.enum(['on_its_way', 'done', 'by_hand', 'failed']),
    }),
  ),
})
export type Purchase = z.infer<typeof Purchase>

const Person = z.object({
  id: z.number(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  email_confirmed: z.boolean(),
  mobile: z.string(),
  region: z.enum(REGION_IDS),
  since: isoTime,
  standing: Standing,
  /** When this administrator's look was recorded. */
  looked_at: isoTime,
  consults: z.object({ latest: z.array(PersonsConsult), count: z.number() }),
  purchases: z.array(Purchase),
  claims: z.array(Claim),
  mails: z.object({ latest: z.array(PersonsMail), count: z.number() }),
  memberships: z.array(PersonsMembership),
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  pets: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      species_id: z.number(),
      breed: z.string().nullable(),
      dob: z.string().nullable(),
      picture: z.string().nullable(),
      away: z.boolean(),
    }),
  ),
  sessions: z.array(z.object({ id: z.string(), agent: z.string(), here: z.boolean(), last_used: isoTime })),
  looks: z.array(Look.extend({ mine: z.boolean() })),
})
export type Person = z.infer<typeof Person>

export const openPerson = call('GET', '/people/:id', {
  summary: 'One person with everything that helps them; it leaves a trace that the person sees',
  access: ['admin'],
  input: z.object({ id }),
  output: Person,
})

export const openSummary = call('POST', '/people/consultation/:id/open', {
  summary: 'Read what the vet wrote for the owner, with a reason that the owner sees',
  access: ['admin'],
  input: z.object({
    id,
    kind: keyOf(REASON_KINDS),
    words: text(lengths.reason - 40, sentenceOf('REASON_MISSING')),
  }),
  output: Opened,
})

export const extendFollowUp = call('POST', '/people/consultation/:id/extend', {
  summary: 'Give the owner of an ended consult more time to write, with a reason',
  access: ['admin'],
  input: z.object({ id, until: sentTime, reason: text(lengths.reason, sentenceOf('REASON_MISSING')) }),
  output: z.object({ follow_up_until: isoTime }),
})

export const endPersonSessions = call('POST', '/people/:id/sessions/end', {
  summary: 'Sign a person out of one session, or everywhere',
  access: ['admin'],
  input: z.object({ id, session: text(60).optional() }),
  output: nothing,
})

export const mailPasswordLink = call('POST', '/people/:id/password-link', {
  summary: 'Mail a person a way to set a password, to the address on file',
  access: ['admin'],
  input: z.object({ id }),
  output: nothing,
})

export const resendToPerson = call('POST', '/people/:id/mails/:mail/resend', {
  summary: 'Send one of a person’s mails again, to the address on file now, at most once a minute',
  access: ['admin'],
  input: z.object({ id, mail: id }),
  output: z.object({ to: z.string() }),
})

export const cancelForPerson = call('POST', '/people/:id/membership/cancel', {
  summary: 'Cancel a membership for somebody who asked by mail on this day',
  access: ['admin'],
  input: z.object({ id, subscription: id, mailed_on: isoDate }),
  output: z.object({ end: isoTime.nullable() }),
})
