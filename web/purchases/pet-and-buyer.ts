import { words } from '#contract/errors.ts'
import { isEmail } from '../lib/rules.ts'
import { hasBreed, type PetTyped, typedOf, wrongBirth } from '../pets/pet-rules.ts'

/** What every form that sells asks of a pet and its owner, as it is typed. */
export interface PetAndBuyer extends PetTyped {
  /** Which one, where `species` says that it is another animal than a dog or a cat. */
  other: string
  firstName: string
  lastName: string
  email: string
  mobile: string
  postcode: string
  address: string
  clinic: string
  /** The clinic may hear from us. */
  shares: boolean
  news: boolean
}

export const EMPTY_PET_AND_BUYER: PetAndBuyer = {
  ...typedOf(undefined),
  // One knows how old a pet is sooner than its birthday.
  ageBy: 'age',
  other: '',
  firstName: '',
  lastName: '',
  email: '',
  mobile: '',
  postcode: '',
  address: '',
  clinic: '',
  shares: false,
  news: false,
}

/** The number of the species, or nothing. */
export const speciesTyped = ({ species, other }: PetAndBuyer) => (species === OTHER ? other : species)
export const OTHER = 'other'

type Refuse = (path: keyof PetAndBuyer, message: string) => void

/** What of the pet has to be there before anything is sent; the server looks again. */
export function refusePet(typed: PetAndBuyer, refuse: Refuse) {
  if (!speciesTyped(typed)) refuse(typed.species ? 'other' : 'species', words('PET_TYPE_MISSING'))
  if (!typed.name.trim()) refuse('name', words('PET_NAME_MISSING'))
  if (hasBreed(typed.species) && !typed.breed) refuse('breed', words('PET_BREED_MISSING'))
  const birth = wrongBirth(typed, new Date())
  if (birth) refuse(birth.path, birth.message)
}

/** The same of its owner. */
export function refusePerson(typed: PetAndBuyer, refuse: Refuse) {
  if (!typed.firstName.trim()) refuse('firstName', words('FIRST_NAME_MISSING'))
  if (!typed.lastName.trim()) refuse('lastName', words('LAST_NAME_MISSING'))
  if (!isEmail(typed.email)) refuse('email', words('INVALID_EMAIL'))
  if (!typed.mobile.trim()) refuse('mobile', words('PHONE_MISSING'))
}
