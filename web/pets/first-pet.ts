import { sentenceOf } from '#contract/errors.ts'
import { hasBreed, typedOf, wrongBirth } from './pet-rules.ts'

/** The pet of somebody without an account, as typed. */
export type FirstPet = typeof EMPTY_FIRST_PET
export const EMPTY_FIRST_PET = {
  ...typedOf(undefined),
  // People know a pet's age better than its birthday.
  ageBy: 'age',
  /** The species, if `species` says neither dog nor cat. */
  other: '',
}

export const OTHER = 'other'
/** The species' number, if one is chosen. */
export const speciesTyped = ({ species, other }: FirstPet) => (species === OTHER ? other : species)
export const sexTyped = ({ sex }: FirstPet) => (sex === '' ? null : Number(sex))

export function wrongFirstPet(typed: FirstPet) {
  const birth = wrongBirth(typed)
  return {
    [typed.species ? 'other' : 'species']: !speciesTyped(typed) && sentenceOf('PET_TYPE_MISSING'),
    name: !typed.name.trim() && sentenceOf('PET_NAME_MISSING'),
    breed: hasBreed(typed.species) && !typed.breed && sentenceOf('PET_BREED_MISSING'),
    ...(birth && { [birth.path]: birth.message }),
  }
}

/** The form's fields by their names in calls, without `pet_`. */
export const firstPetNames = ({ ageBy }: FirstPet): Record<string, keyof FirstPet> => ({
  type: 'species',
  gender: 'sex',
  age: 'years',
  dob: ageBy === 'age' ? 'years' : 'dob',
})
