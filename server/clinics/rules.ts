import {
  DAY_IDS,
  INVOICE_MONTHS,
  type ClinicContact,
  type ClinicDay,
  type ClinicHoliday,
  type DayContact,
} from '#contract/clinics.ts'
import { daysAfter, localDay, REGIONS, localTimeOf, type Region } from '#contract/regions.ts'
import { dayOf } from '../documents/date-words.ts'
import type { PdfDocument } from '../documents/pdf.ts'
import type { Secrets } from '../identity/secrets.ts'
import { signedQuery } from '../identity/signed-links.ts'

export const NOBODY: ClinicContact = { vetName: '', contact: '', na: false, note: '' }

/** A mailed link stops working when the password is set in another way. */
export const NO_LINK = { invitationHash: null, invitationUntil: null }

export interface Calendar {
  contacts: Record<ClinicDay, ClinicContact>
  holidays: ClinicHoliday[]
  /** The hour at which a day's contact takes over. */
  dayBegins: number
  region: Region
}

/** The clinic's day at a moment: until its day begins, the night belongs to the day before. */
export function clinicDate({ dayBegins, region }: Pick<Calendar, 'dayBegins' | 'region'>, at: Date): string {
  const { day, time } = localTimeOf(region, at)
  return Number(time.slice(0, 2)) < dayBegins ? daysAfter(day, -1) : day
}

const MONDAY_FIRST = 6

/** Whom to call on a date: a holiday's own contact, else the weekday's. */
function contactOn({ contacts, holidays }: Calendar, date: string): DayContact {
  const day = DAY_IDS[(new Date(date).getUTCDay() + MONDAY_FIRST) % 7]!
  const holiday = holidays.find((one) => one.date === date)
  return { ...(contacts[day] ?? NOBODY), ...holiday, date, day, holiday: holiday !== undefined }
}

export const contactToday = (calendar: Calendar, at: Date) => contactOn(calendar, clinicDate(calendar, at))

const isThere = ({ na, contact }: ClinicContact) => !na && contact !== ''

/** The contacts to call now and next, each number once, from today through the coming week. */
export function contactsFrom(calendar: Calendar, at: Date): DayContact[] {
  const today = clinicDate(calendar, at)
  const found: DayContact[] = []
  for (let days = 0; days < 7 && found.length < 2; days++) {
    const one = contactOn(calendar, daysAfter(today, days))
    if (isThere(one) && !found.some(({ contact }) => contact === one.contact)) found.push(one)
  }
  return found
}

/** A username from a clinic's name: letters and digits, at least eight. */
export function usernameFor(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase()
    .slice(0, 40)
  return plain.length >= 8 ? plain : `${plain}vetclinic`
}

/* Invoices. */

/** The last months in the region's zone, this one first. */
export function monthsUntil(region: Region, now: Date): string[] {
  const [year, month] = localDay(region, now).split('-').map(Number)
  return Array.from({ length: INVOICE_MONTHS }, (_, back) =>
    new Date(Date.UTC(year!, month! - 1 - back, 1)).toISOString().slice(0, 7),
  )
}

export const signedInvoice = (clinicId: number, month: string) => `invoice ${clinicId} ${month}`

export const invoiceUrl = (secrets: Secrets, now: Date, clinicId: number, month: string) =>
  `/media/invoices/${clinicId}-${month}.pdf?${signedQuery(secrets, now, signedInvoice(clinicId, month))}`

export interface Invoice {
  clinic: string
  address: string
  region: Region
  month: string
  consults: { id: number; start: Date; pet: string; vet: string; outcome: string }[]
}

const monthName = (month: string) =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01`),
  )

/** What we invoice a clinic for: its phone consults of a month, one by one. A month that isn't over says so. */
export function invoicePdf(
  { clinic, address, region, month, consults }: Invoice,
  { seller, now }: { seller: string; now: Date },
): PdfDocument {
  const { lang, timeZone } = REGIONS[region]
  const when = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const isOver = monthsUntil(region, now)[0] !== month
  return {
    title: `Phone consults in ${monthName(month)}${isOver ? '' : ' so far'}`,
    from: 'VetChat',
    foot: `VetChat, ${clinic}, ${monthName(month)}`,
    lang,
    at: new Date(`${month}-01`),
    parts: [
      { text: clinic },
      ...(address === '' ? [] : [{ text: address, small: true }]),
      {
        table: [
          { name: 'From', value: seller },
          { name: 'Phone consults', value: String(consults.length), strong: true },
          ...consults.map(({ id, start, pet, vet, outcome }) => ({
            name: when.format(start),
            value: [`No. ${id}`, pet, vet, outcome].filter(Boolean).join(', '),
          })),
        ],
      },
      ...(isOver
        ? []
        : [{ text: `Counted on ${dayOf(now, region)}. The month isn’t over yet.`, small: true }]),
      { text: `All times are ${timeZone.split('/')[1]} time.`, small: true },
    ],
  }
}
