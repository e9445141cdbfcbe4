import * as z from 'zod'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import { changed, changedText, email, id, isEmail, isoDate, isoTime, nothing, text, whole } from './fields.ts'
import { confirmation } from './human.ts'
import * as lengths from './lengths.ts'
import { REGION_IDS } from './regions.ts'

/* Partner clinics: whom to call on which day, who signs in to the portal, what is invoiced. */

export const DAYS = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
} as const
export type ClinicDay = keyof typeof DAYS
export const DAY_IDS = Object.keys(DAYS) as ClinicDay[]

const MOST_HOLIDAYS = 60
export const MOST_PEOPLE = 50
const USERNAME_LEAST = 8
export const CLINIC_PASSWORD_RULE = {
  label: 'at least 8 characters',
  met: (password: string) => password.length >= 8,
}
/** How many months of invoices a clinic's page offers, the current one included. */
export const INVOICE_MONTHS = 12
export const INVITATION_HOURS = 48

const ClinicContact = z.object({
  vetName: z.string(),
  /** Like +27215550171 if it's a whole number; anything else stays as it was typed. */
  contact: z.string(),
  /** The contact's email; without one, the clinic's own is used. */
  email: z.string().optional(),
  /** Not available. Name and number are kept for the day they return. */
  na: z.boolean(),
  note: z.string(),
})
export type ClinicContact = z.infer<typeof ClinicContact>

/** Whether a stored number is a complete one, which can get an SMS. */
export const takesSms = (contact: string) => /^\+\d{8,15}$/.test(contact)
const ClinicHoliday = ClinicContact.extend({ date: isoDate })
export type ClinicHoliday = z.infer<typeof ClinicHoliday>

/** The contact on one day of the clinic's own calendar. */
export const DayContact = ClinicContact.extend({
  date: isoDate,
  day: z.enum(DAY_IDS),
  holiday: z.boolean(),
})
export type DayContact = z.infer<typeof DayContact>

const week = <T extends z.ZodType>(contact: T) => ({
  contact_mon: contact,
  contact_tue: contact,
  contact_wed: contact,
  contact_thu: contact,
  contact_fri: contact,
  contact_sat: contact,
  contact_sun: contact,
})

export const NOTIFY = ['straight away', 'in the morning'] as const

/** What a clinic sees of itself. */
export const ClinicProfile = z.object({
  id: z.number(),
  clinic: z.string(),
  address: z.string(),
  state: z.string(),
  telephone: z.string(),
  email: z.string(),
  comments: z.string(),
  username: z.string().nullable(),
  meta: z.object({ customerInvoice: z.boolean() }),
  ...week(ClinicContact),
  notify: z.enum(NOTIFY),
  region: z.enum(REGION_IDS),
})

export const Clinic = ClinicProfile.extend({
  holidays: z.array(ClinicHoliday),
  day_begins: z.number(),
  escalation_minutes: z.number(),
  has_password: z.boolean(),
  /** Grows with every change. */
  version: z.number(),
  saved_at: isoTime.nullable(),
  saved_by: z.string().nullable(),
  today: DayContact,
  people: z.array(
    z.object({ id: z.number(), name: z.string(), email: z.string(), has_password: z.boolean() }),
  ),
})
export type Clinic = z.infer<typeof Clinic>

const clear = (sent: unknown) => (sent === null ? '' : sent)

const username = z
  .string()
  .trim()
  .toLowerCase()
  .max(lengths.name, { error: sentenceOf('TEXT_TOO_LONG') })
export const isUsername = (typed: string) => typed.trim().length >= USERNAME_LEAST

const maybeEmail = z
  .preprocess(
    clear,
    z
      .string()
      .trim()
      .toLowerCase()
      .refine((one) => one === '' || isEmail(one), { error: sentenceOf('INVALID_EMAIL') }),
  )
  .optional()

const contact = z.object({
  vetName: changedText(lengths.fullName),
  contact: changedText(lengths.mobile),
  email: maybeEmail,
  na: z.boolean().optional(),
  note: changedText(lengths.reason),
})

const fields = {
  address: changedText(lengths.address),
  state: changedText(lengths.name),
  telephone: changedText(lengths.mobile),
  email: maybeEmail,
  comments: changedText(lengths.handOver),
  /** Empty or null if nobody signs in as the clinic itself. */
  username: z
    .preprocess(
      clear,
      username.refine((one) => one === '' || isUsername(one), { error: sentenceOf('USERNAME_SHORT') }),
    )
    .optional(),
  meta: z.object({ customerInvoice: z.boolean().optional() }).nullish(),
  ...week(contact.nullish()),
  holidays: z
    .array(contact.extend({ date: isoDate }))
    .max(MOST_HOLIDAYS, { error: sentenceOf('HOLIDAYS_TOO_MANY') })
    .optional(),
  day_begins: whole(0, 12).optional(),
  escalation_minutes: whole(1, 60).optional(),
  notify: z.enum(NOTIFY).optional(),
}

export const listClinics = call('GET', '/clinics', {
  summary: 'Every clinic, by name, with its week and today’s contact',
  access: ['admin'],
  input: nothing,
  output: z.array(Clinic),
})

export const addClinic = call('POST', '/clinics', {
  summary: 'Add a clinic of this site’s region',
  access: ['admin'],
  input: z.object({ clinic: text(lengths.clinic, sentenceOf('CLINIC_NAME_MISSING')), ...fields }),
  output: Clinic,
})

export const saveClinic = call('PUT', '/clinics/:id', {
  summary: 'Change a clinic; fields left out stay. With a version, only if nobody saved it since',
  access: ['admin'],
  input: z.object({
    id,
    version: whole(1).optional(),
    clinic: changed(text(lengths.clinic, sentenceOf('CLINIC_NAME_MISSING'))),
    ...fields,
  }),
  output: Clinic,
})

export const deleteClinic = call('DELETE', '/clinics/:id', {
  summary: 'Delete a clinic: its people are signed out, its consults stay',
  access: ['admin'],
  input: z.object({ id }),
  output: nothing,
})

const password = z
  .string()
  .max(lengths.password, { error: sentenceOf('PASSWORD_TOO_LONG') })
  .refine(CLINIC_PASSWORD_RULE.met, { error: sentenceOf('CLINIC_PASSWORD_SHORT') })

export const setClinicCredentials = call('POST', '/clinics/credentials/:id', {
  summary:
    'Set a clinic’s username and, if sent, its password, which signs everybody out who used the old one',
  access: ['admin'],
  again: true,
  input: z.object({
    id,
    username: username.refine(isUsername, { error: sentenceOf('USERNAME_SHORT') }),
    password: z.preprocess((sent) => (sent === '' ? null : sent), password.nullish()),
  }),
  output: nothing,
})

export const inviteClinic = call('POST', '/clinics/:id/invite', {
  summary: 'Mail the clinic, or one of its people, a link to set a password',
  access: ['admin'],
  again: true,
  input: z.object({ id, person: id.nullish() }),
  output: z.object({ emailed: z.string() }),
})

export const addClinicPerson = call('POST', '/clinics/:id/people', {
  summary: 'Add somebody who signs in to the clinic’s portal with their own email, and mail them a link',
  access: ['admin'],
  again: true,
  input: z.object({
    id,
    name: text(lengths.fullName, sentenceOf('CLINIC_PERSON_NAME_MISSING')),
    email,
  }),
  output: Clinic,
})

export const removeClinicPerson = call('DELETE', '/clinics/:id/people/:person', {
  summary: 'Remove a person’s access to the portal; the log keeps their name',
  access: ['admin'],
  input: z.object({ id, person: id }),
  output: Clinic,
})

export const acceptClinicInvitation = call('POST', '/clinic-invitation', {
  summary: 'Set the password with a mailed link, which works once',
  access: 'anyone',
  limit: 'linkAddress',
  input: z.object({
    code: text(200, sentenceOf('CLINIC_LINK_EXPIRED'), sentenceOf('CLINIC_LINK_EXPIRED')),
    password,
    ...confirmation,
  }),
  output: z.object({ clinic: z.string(), username: z.string() }),
})

const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: sentenceOf('INVALID_INPUT') })
  .refine((one) => Number(one.slice(0, 4)) >= 2000, { error: sentenceOf('INVALID_INPUT') })

export const listClinicInvoices = call('GET', '/clinics/:id/invoices', {
  summary: 'How many phone consults a clinic had in each of the last months, and the PDF for each',
  access: ['admin'],
  input: z.object({ id }),
  output: z.array(
    z.object({
      month: z.string(),
      consults: z.number(),
      /** Opens the PDF until the end of the next day. */
      url: z.string(),
    }),
  ),
})

export const getInvoiceMonth = call('GET', '/clinic-invoices/:month', {
  summary: 'Every invoiced clinic’s phone consults in one month, as numbers and as CSV',
  access: ['admin'],
  input: z.object({ month }),
  output: z.object({
    month: z.string(),
    clinics: z.array(z.object({ id: z.number(), clinic: z.string(), consults: z.number() })),
    csv: z.string(),
  }),
})
