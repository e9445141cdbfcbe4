import { parsePhoneNumberFromString, validatePhoneNumberLength } from 'libphonenumber-js/min'
import { failAt } from '#contract/errors.ts'
import { type Region, REGIONS } from '#contract/regions.ts'

/** Phones put invisible marks around a number that is copied from their contacts. */
const visible = (typed: string) => typed.replace(/\p{Cf}/gu, '')

/** A number in any format becomes +27215550171. Anything that isn't a complete number stays as it was typed. */
export function phoneNumber(typed: string, region: Region): string {
  const parsed = parsePhoneNumberFromString(visible(typed), REGIONS[region].country)
  return parsed?.isValid() && !parsed.ext ? parsed.number : typed.trim()
}

const FEWEST_DIGITS = 8
/** Emergency and directory numbers are short, and aren't a person's own. */
const isShort = (typed: string) => typed.replace(/\D/g, '').length < FEWEST_DIGITS
const LENGTHS = { TOO_SHORT: 'PHONE_TOO_SHORT', TOO_LONG: 'PHONE_TOO_LONG' } as const

/** A number that we may have to call: a complete one of the region, or of any country with its +. */
export function neededPhone(typed: string, region: Region, field = 'mobile'): string {
  const wrong = validatePhoneNumberLength(visible(typed), REGIONS[region].country)
  if (!wrong && isShort(typed)) failAt(field, 'PHONE_TOO_SHORT')
  if (wrong) failAt(field, LENGTHS[wrong as keyof typeof LENGTHS] ?? 'PHONE_WRONG')
  return phoneNumber(typed, region)
}

/** A number that a vet took down, perhaps with words beside it. Empty if the caller gave none. */
export function notedPhone(typed: string, region: Region, field: string): string {
  if (typed !== '' && isShort(typed)) failAt(field, 'PHONE_TOO_SHORT')
  return phoneNumber(typed, region)
}

/** A stored number as people of the region write it: 021 555 0171. */
export function phoneToRead(stored: string, region: Region): string {
  const parsed = stored.startsWith('+') ? parsePhoneNumberFromString(stored) : undefined
  if (!parsed) return stored
  return parsed.country === REGIONS[region].country ? parsed.formatNational() : parsed.formatInternational()
}
