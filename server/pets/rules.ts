import { CARE_ITEMS, type CareItem, careRuleOf } from '#contract/care.ts'
import { CATS_AND_DOGS, type Pet, PICTURE_WIDTHS } from '#contract/pets.ts'
import { daysAfter, REGIONS, type Region } from '#contract/regions.ts'
import { addHours, DAY } from '#contract/time.ts'

interface Facts {
  speciesId: number
  dob: string | null
  /** Whether it has a place in an active membership. */
  isMember: boolean
  /** The open registration with PawCare, if there is one. */
  optIn: Date | null
  region: Region
}

const WEEKS_OLD = 8

/** The first day on which PawCare covers a pet of this age. */
export const oldEnoughOn = (dob: string) => daysAfter(dob, 7 * WEEKS_OLD)

/** A pet's current PawCare status. */
export function coverOf({ speciesId, dob, isMember, optIn, region }: Facts, now: Date): Pet['cover'] {
  const not = (why: NonNullable<Pet['cover']['why']>) => ({ state: 'not_eligible' as const, from: null, why })
  if (!CATS_AND_DOGS.includes(speciesId)) return not('species')
  if (!isMember) return not('membership')
  if (dob !== null && now.getTime() < Date.parse(oldEnoughOn(dob))) return not('age')
  if (!optIn) return { state: 'opted_out', from: null, why: null }
  const from = addHours(optIn, REGIONS[region].pawcare.waitHours)
  return from > now
    ? { state: 'waiting', from: from.toISOString(), why: null }
    : { state: 'covered', from: null, why: null }
}

interface Registered {
  pawcare_pets: { opt_out: Date | null }[]
}

/** Whether its owner ended its cover, although its membership and species have one. */
export const isOptedOut = ({ cover, pawcare_pets }: Pick<Pet, 'cover'> & Registered) =>
  (cover.state === 'opted_out' || cover.why === 'age') &&
  pawcare_pets.every(({ opt_out }) => opt_out !== null)

/** A pet with nothing but a name and a species. */
export const BLANK_PET = {
  breed_id: null,
  sex: null,
  dob: null,
  desexed: null,
  microchip: '',
  pet_image: null,
} as const

const NEAR_YEARS = 30

/** A date within a lifetime. */
export const isNear = (day: string, today: string) =>
  Math.abs(Date.parse(day) - Date.parse(today)) < NEAR_YEARS * 365 * DAY

interface Cared {
  speciesId: number
  dob: string | null
}

/** We don't know what was done before a pet came, so everything is due within the first month. */
const FIRST_WITHIN_DAYS = 30

/** The items that have no open date, each with its first date. */
export const missingCare = (pet: Cared, open: readonly CareItem[], today: string) =>
  CARE_ITEMS.flatMap((item) => {
    const rule = open.includes(item) ? undefined : careRuleOf(item, pet, today)
    return rule ? [{ item, dueOn: daysAfter(today, Math.min(rule.everyDays, FIRST_WITHIN_DAYS)) }] : []
  })

/** When an item is due again after it was done; null if its rule has ended. */
export function careAfter(item: CareItem, pet: Cared, doneOn: string): string | null {
  const rule = careRuleOf(item, pet, doneOn)
  return rule ? daysAfter(doneOn, rule.everyDays) : null
}

const ENDINGS = ['webp', 'jpg'] as const

export const pictureKeys = (name: string) =>
  PICTURE_WIDTHS.flatMap((width) => ENDINGS.map((ending) => `pets/${name}-${width}.${ending}`))

/** The address of a stored picture in one size. */
export const pictureAddress = (name: string, width: number) => `/media/pets/${name}-${width}.jpg`
