import { sentenceOf } from '#contract/errors.ts'
import { isDay } from '#contract/fields.ts'
import { CATS_AND_DOGS, couldBeBorn, isMicrochip, type Pet } from '#contract/pets.ts'
import { birthOf, today } from '../lib/dates.ts'
import { beginningWith } from '../lib/rules.ts'
import type { Rules } from '../ui/form-state.ts'
import { say, sentence } from '../ui/say.ts'

export const ADDED = sentence(
  'Your pet has been added, it will take a moment to be processed and display on your My Account for you.',
)

export type PetTyped = ReturnType<typeof typedOf>

export const hasBreed = (species: string) => CATS_AND_DOGS.includes(Number(species))
const count = (typed: string) =>
  /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : typed.trim() ? Number.NaN : 0

/** The date of birth, typed or calculated from the age; null if neither was filled in. */
export function birthTyped({ ageBy, dob, years, months }: PetTyped, now?: Date): string | null {
  if (ageBy === 'date') return dob || null
  if (!years.trim() && !months.trim()) return null
  const [y, m] = [count(years), count(months)]
  return Number.isNaN(y) || Number.isNaN(m) ? 'wrong' : birthOf(y, m, now)
}

export function wrongBirth(
  typed: PetTyped,
  now = today(),
): { path: keyof PetTyped; message: string } | undefined {
  const birth = birthTyped(typed, now)
  if (birth === null || (isDay(birth) && couldBeBorn(birth, now))) return undefined
  const path = typed.ageBy === 'age' ? 'years' : 'dob'
  if (isDay(birth)) return { path, message: sentenceOf('PET_DOB_WRONG') }
  return path === 'years'
    ? { path, message: say('Enter the age in numbers.') }
    : { path, message: say('Enter the date as day, month and year, such as 14/02/2020.') }
}

/** Cards and certificates group the digits in different ways. */
const microchipTyped = ({ microchip }: PetTyped) => microchip.replace(/[\s.\p{Pd}]/gu, '')

/** What has to be filled in before sending. The server checks again. */
export const petRules =
  (adding: boolean, now?: Date): Rules<PetTyped> =>
  (typed) => {
    const birth = wrongBirth(typed, now)
    return {
      ...beginningWith(say(sentenceOf('PET_DETAILS_MISSING')), {
        species: adding && !typed.species && say('What animal is it?'),
        name: !typed.name.trim() && say('What’s your pet called?'),
        breed: adding && hasBreed(typed.species) && !typed.breed && say('Choose a breed from the list.'),
      }),
      ...(birth && { [birth.path]: birth.message }),
      microchip: !isMicrochip(microchipTyped(typed)) && sentenceOf('WRONG_MICROCHIP'),
      agreed: adding && !typed.agreed && sentenceOf('PET_TERMS_NOT_AGREED'),
    }
  }

export const typedOf = (pet: Pet | undefined) => ({
  name: pet?.name ?? '',
  species: pet ? String(pet.species_id) : '',
  breed: pet?.breed_id ? String(pet.breed_id) : '',
  sex: pet?.sex ? String(pet.sex) : '',
  desexed: pet?.desexed == null ? '' : pet.desexed ? 'yes' : 'no',
  /** Whether the birthday or the age was filled in. */
  ageBy: 'date',
  dob: pet?.dob ?? '',
  years: '',
  months: '',
  /** The date of birth that was calculated from an earlier age. */
  guessed: pet?.dob_approximate ? (pet.dob ?? '') : '',
  microchip: pet?.microchip ?? '',
  agreed: false,
  leaves: false,
})

/** Whether an age was typed, or an earlier guess wasn't changed. */
const isGuessed = ({ ageBy, dob, guessed }: PetTyped) =>
  ageBy === 'age' || (guessed !== '' && guessed === dob)

/** The fields that calls take, except the species, which they name differently. */
export const detailsOf = (typed: PetTyped) => ({
  name: typed.name,
  sex: typed.sex === '' ? null : Number(typed.sex),
  dob: birthTyped(typed),
  dob_approximate: isGuessed(typed),
  desexed: typed.desexed === '' ? null : typed.desexed === 'yes',
  microchip: microchipTyped(typed),
})

/** The breed to send. Only dogs and cats have one. */
export const breedTyped = ({ species, breed }: PetTyped) => (hasBreed(species) ? Number(breed) : null)
