import {
  type Clinic,
  type ClinicContact,
  DAY_IDS,
  DAYS,
  type ClinicHoliday,
  takesSms,
} from '#contract/clinics.ts'

/** A row of the grid: a day of the week, or a date. */
export interface WeekRow extends ClinicContact {
  key: string
  says: string
}

export const weekOf = (clinic: Clinic): WeekRow[] =>
  DAY_IDS.map((day) => ({ key: day, says: DAYS[day], ...clinic[`contact_${day}`] }))

export const contactOf = ({ vetName, contact, email = '', na, note }: WeekRow): ClinicContact => ({
  vetName,
  contact,
  email,
  na,
  note,
})

const CELLS = ['vetName', 'contact', 'email', 'na', 'note'] as const
export type Cell = (typeof CELLS)[number]

/** What the server said about cells, by its names: contact_mon.email, holidays.0.email. */
export type Wrong = Record<string, string>

const unlike = (a: ClinicContact, b: ClinicContact) =>
  CELLS.filter((cell) => (a[cell] ?? '') !== (b[cell] ?? '')).length

export const sameContact = (a: ClinicContact, b: ClinicContact) => unlike(a, b) === 0

export const cellsChanged = (before: WeekRow[], now: WeekRow[]) =>
  now.reduce((sum, row, at) => sum + unlike(row, before[at]!), 0)

/** The days whose contact can't get an SMS, because the number that was saved isn't complete. */
export const daysWithoutSms = (clinic: Clinic) =>
  DAY_IDS.filter((day) => {
    const { na, contact } = clinic[`contact_${day}`]
    return !na && contact !== '' && !takesSms(contact)
  }).map((day) => DAYS[day])

/** The problem that the list of clinics shows for a week. */
export function standingOf(clinic: Clinic): { says: string; warns: boolean } {
  const { today } = clinic
  const [incomplete] = daysWithoutSms(clinic)
  const empty = DAY_IDS.find((day) => {
    const { na, contact } = clinic[`contact_${day}`]
    return !na && contact === ''
  })
  if (today.na) return { says: 'Today: not available', warns: false }
  if (today.contact === '') return { says: 'Nobody today', warns: true }
  if (empty) return { says: `Nobody on ${DAYS[empty]}`, warns: true }
  if (incomplete) return { says: `No SMS on ${incomplete}`, warns: true }
  return { says: `Today: ${today.vetName || today.contact}`, warns: false }
}

export const newHoliday = (date: string): ClinicHoliday => ({
  date,
  vetName: '',
  contact: '',
  na: true,
  note: '',
})

/** 021 555 0171, as South Africans and Australians write it. Other numbers stay as they are. */
export const phoneShown = (stored: string) =>
  stored
    .replace(/^\+27(\d{2})(\d{3})(\d{4})$/, '0$1 $2 $3')
    .replace(/^\+61(4\d{2})(\d{3})(\d{3})$/, '0$1 $2 $3')
    .replace(/^\+61([2378])(\d{4})(\d{4})$/, '(0$1) $2 $3')
