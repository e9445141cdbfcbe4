/**
 * The care plan: what a pet needs, for which species, from what age and how often. It is a starting point: a registered
 * vet has to review it before anyone relies on it, and owners can move the dates.
 */
export const CARE_ITEMS = ['vaccination', 'parasites', 'dental', 'weight', 'check-up'] as const
export type CareItem = (typeof CARE_ITEMS)[number]

/** Null until a vet has signed off the plan; until then, pages say that no vet has. */
export const CARE_REVIEWED_BY: string | null = null

interface CareRule {
  item: CareItem
  /** Null for every species. */
  species: readonly number[] | null
  /** The ages in weeks between which the rule applies; without them it applies at any age. */
  fromWeeks?: number
  toWeeks?: number
  everyDays: number
  says: string
}

const DOG = 1
const CAT = 2
const RABBIT = 3
const YEAR = 365

/** For each item, the first rule that fits the pet's species and age applies. Without one, the pet has no such item. */
export const CARE_RULES: readonly CareRule[] = [
  {
    item: 'vaccination',
    species: [DOG, CAT],
    toWeeks: 16,
    everyDays: 28,
    says: 'Puppy and kitten course, every four weeks until 16 weeks',
  },
  { item: 'vaccination', species: [DOG, CAT, RABBIT], everyDays: YEAR, says: 'Booster, once a year' },
  {
    item: 'parasites',
    species: [DOG, CAT],
    toWeeks: 12,
    everyDays: 14,
    says: 'Worms, every two weeks until 12 weeks',
  },
  {
    item: 'parasites',
    species: [DOG, CAT],
    toWeeks: 26,
    everyDays: 30,
    says: 'Worms, ticks and fleas, every month',
  },
  {
    item: 'parasites',
    species: [DOG, CAT],
    everyDays: 90,
    says: 'Worms, ticks and fleas, every three months',
  },
  { item: 'parasites', species: [RABBIT], everyDays: 180, says: 'Worms and mites, twice a year' },
  {
    item: 'dental',
    species: [DOG, CAT, RABBIT],
    fromWeeks: 26,
    everyDays: YEAR,
    says: 'Teeth and gums, once a year',
  },
  {
    item: 'weight',
    species: [DOG, CAT],
    toWeeks: 52,
    everyDays: 30,
    says: 'Weighing, every month while growing',
  },
  { item: 'weight', species: null, everyDays: 90, says: 'Weighing, every three months' },
  {
    item: 'check-up',
    species: [DOG, CAT],
    fromWeeks: 8 * 52,
    everyDays: 182,
    says: 'Check-up, twice a year from eight years',
  },
  { item: 'check-up', species: null, everyDays: YEAR, says: 'Check-up, once a year' },
]
