import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { Region } from '#contract/regions.ts'

const COUNTRY = { za: 'ZA', au: 'AU' } as const satisfies Record<Region, string>

/** A number in any format becomes +27215550171. Anything that isn't a whole number stays as it was typed. */
export function phoneNumber(typed: string, region: Region): string {
  const parsed = parsePhoneNumberFromString(typed, COUNTRY[region])
  return parsed?.isValid() && !parsed.ext ? parsed.number : typed.trim()
}

/** A stored number as people of the region write it: 021 555 0171. */
export function phoneToRead(stored: string, region: Region): string {
  const parsed = stored.startsWith('+') ? parsePhoneNumberFromString(stored) : undefined
  if (!parsed) return stored
  return parsed.country === COUNTRY[region] ? parsed.formatNational() : parsed.formatInternational()
}
