import { DAY } from './time.ts'

/**
 * The care plan: what a pet needs, for which species, from what age and how often. It is a starting point: a registered
 * vet has to review it before anyone relies on it, and owners can move the dates.
 */
export const CARE_ITEMS = ['vaccination', 'parasites', 'dental', 'weight', 'check-up'] as const
export type CareItem = (typeof CARE_ITEMS)[number]

/** Null until a vet has signed off the plan; until then, pages say that no vet has. */
export const CARE_REVIEWED_BY: string | null = null

interface CareRule {
  /** Every species, if left out. */
  species?: readonly number[]
  /** The ages in weeks between which the rule applies; without them it applies at any age. */
  fromWeeks?: number
  toWeeks?: number
  everyDays: number
  says: string
}

const CATS_AND_DOGS = [1, 2]
const RABBITS = [3]
const RABBITS_TOO = [...CATS_AND_DOGS, ...RABBITS]
const YEAR = 365

/** For each item, the first rule that fits the pet's species and age applies. Without one, the pet has no such item. */
export const CARE_RULES: Record<CareItem, readonly CareRule[]> = {
  vaccination: [
    {
      species: CATS_AND_DOGS,
      toWeeks: 16,
      everyDays: 28,
      says: 'Puppy and kitten course, every four weeks until 16 weeks',
    },
    { species: RABBITS_TOO, everyDays: YEAR, says: 'Booster, once a year' },
  ],
  parasites: [
    { species: CATS_AND_DOGS, toWeeks: 12, everyDays: 14, says: 'Worms, every two weeks until 12 weeks' },
    { species: CATS_AND_DOGS, toWeeks: 26, everyDays: 30, says: 'Worms, ticks and fleas, every month' },
    { species: CATS_AND_DOGS, everyDays: 90, says: 'Worms, ticks and fleas, every three months' },
    { species: RABBITS, everyDays: 180, says: 'Worms and mites, twice a year' },
  ],
  dental: [{ species: RABBITS_TOO, fromWeeks: 26, everyDays: YEAR, says: 'Teeth and gums, once a year' }],
  weight: [
    { species: CATS_AND_DOGS, toWeeks: 52, everyDays: 30, says: 'Weighing, every month while growing' },
    { everyDays: 90, says: 'Weighing, every three months' },
  ],
  'check-up': [
    {
      species: CATS_AND_DOGS,
      fromWeeks: 8 * 52,
      everyDays: 182,
      says: 'Check-up, twice a year from eight years',
    },
    { everyDays: YEAR, says: 'Check-up, once a year' },
  ],
}

/** A pet of unknown age counts as adult and not yet old. */
const GROWN_WEEKS = 104

/** The rule for an item at a pet's age on a day, if there is one. */
export function careRuleOf(
  item: CareItem,
  { speciesId, dob }: { speciesId: number; dob: string | null },
  day: string,
) {
  const weeks = dob === null ? GROWN_WEEKS : (Date.parse(day) - Date.parse(dob)) / (7 * DAY)
  return CARE_RULES[item].find(
    ({ species, fromWeeks = -Infinity, toWeeks = Infinity }) =>
      (!species || species.includes(speciesId)) && weeks >= fromWeeks && weeks < toWeeks,
  )
}
