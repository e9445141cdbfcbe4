import { CATS_AND_DOGS, type Pet } from '#contract/pets.ts'
import { REGIONS, type Region } from '#contract/regions.ts'

const WEEKS_OLD = 8
const WEEK = 7 * 86_400_000
const HOUR = 3_600_000

interface Facts {
  speciesId: number
  dob: string | null
  /** Holds a place in a membership that is active. */
  isMember: boolean
  /** The open registration with PawCare, if there is one. */
  optIn: Date | null
  region: Region
}

/** Where a pet stands with PawCare at this moment. */
export function coverOf({ speciesId, dob, isMember, optIn, region }: Facts, now: Date): Pet['cover'] {
  const not = (why: NonNullable<Pet['cover']['why']>) => ({ state: 'not_eligible' as const, from: null, why })
  if (!CATS_AND_DOGS.includes(speciesId)) return not('species')
  if (!isMember) return not('membership')
  if (dob !== null && now.getTime() - Date.parse(dob) < WEEKS_OLD * WEEK) return not('age')
  if (!optIn) return { state: 'opted_out', from: null, why: null }
  const from = new Date(optIn.getTime() + REGIONS[region].pawcare.waitHours * HOUR)
  return from > now
    ? { state: 'waiting', from: from.toISOString(), why: null }
    : { state: 'covered', from: null, why: null }
}

const OLDEST_YEARS = 100

/** A date of birth that can be: not in the future anywhere on earth, and within the life of a tortoise. */
export function couldBeBorn(dob: string, now: Date): boolean {
  const latest = new Date(now.getTime() + 14 * HOUR).toISOString().slice(0, 10)
  const earliest = new Date(now)
  earliest.setUTCFullYear(earliest.getUTCFullYear() - OLDEST_YEARS)
  return dob <= latest && dob >= earliest.toISOString().slice(0, 10)
}

const ENDINGS = ['webp', 'jpg'] as const

/** Where the sizes of one picture are kept. */
export const pictureKeys = (name: string, widths: readonly number[]) =>
  widths.flatMap((width) => ENDINGS.map((ending) => `pets/${name}-${width}.${ending}`))

/** The address of a stored picture in one size. */
export const pictureAddress = (name: string, width: number) => `/media/pets/${name}-${width}.jpg`
