import { words } from '#contract/errors.ts'
import { CATS_AND_DOGS, type Pet } from '#contract/pets.ts'
import { birthOf } from '../lib/dates.ts'
import type { Schema } from '../ui/form.tsx'
import { say } from '../ui/say.ts'

const OLDEST = 150

/** The fields as typed. */
export interface PetTyped {
  name: string
  species: string
  breed: string
  sex: string
  desexed: string
  /** Whether the birthday or the age was filled in. */
  ageBy: string
  dob: string
  years: string
  months: string
  microchip: string
  agreed: boolean
  leaves: boolean
}

export const hasBreed = (species: string) => CATS_AND_DOGS.includes(Number(species))
const count = (typed: string) =>
  /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : typed.trim() ? Number.NaN : 0

/** The date of birth, typed or worked out from the age; null if neither was filled in. */
export function birthTyped({ ageBy, dob, years, months }: PetTyped, now = new Date()): string | null {
  if (ageBy === 'date') return dob || null
  if (!years.trim() && !months.trim()) return null
  const [y, m] = [count(years), count(months)]
  return Number.isNaN(y) || Number.isNaN(m) || y > OLDEST ? 'wrong' : birthOf(y, m, now)
}

export function wrongBirth(
  typed: PetTyped,
  now: Date,
): { path: keyof PetTyped; message: string } | undefined {
  const birth = birthTyped(typed, now)
  if (birth === null) return undefined
  if (typed.ageBy === 'age')
    return birth === 'wrong' ? { path: 'years', message: say('Enter the age in numbers.') } : undefined
  if (!/^\d{4}-\d\d-\d\d$/.test(birth))
    return { path: 'dob', message: say('Enter the date as day, month and year, such as 14/02/2020.') }
  if (Date.parse(birth) > now.getTime()) return { path: 'dob', message: say('This date is in the future.') }
  return undefined
}

const missing = words('PET_DETAILS_MISSING')

/** What has to be filled in before sending. The server checks again. */
export const petRules = (adding: boolean, now = () => new Date()): Schema<PetTyped> => ({
  '~standard': {
    validate(value) {
      const typed = value as PetTyped
      const wrong: { path: keyof PetTyped; message: string }[] = []
      const lacks = (path: keyof PetTyped, ask: string) =>
        wrong.push({ path, message: wrong.length === 0 ? `${say(missing)} ${ask}` : ask })
      if (adding && !typed.species) lacks('species', say('What animal is it?'))
      if (!typed.name.trim()) lacks('name', say('What’s your pet called?'))
      if (adding && hasBreed(typed.species) && !typed.breed)
        lacks('breed', say('Choose a breed from the list.'))
      const birth = wrongBirth(typed, now())
      if (birth) wrong.push(birth)
      if (!/^(\d{15})?$/.test(typed.microchip.replace(/\s/g, '')))
        wrong.push({ path: 'microchip', message: words('WRONG_MICROCHIP') })
      if (adding && !typed.agreed) wrong.push({ path: 'agreed', message: words('PET_TERMS_NOT_AGREED') })
      return wrong.length > 0
        ? { issues: wrong.map(({ path, message }) => ({ path: [path], message })) }
        : { value: typed }
    },
  },
})

export const typedOf = (pet: Pet | undefined): PetTyped => ({
  name: pet?.name ?? '',
  species: pet ? String(pet.species_id) : '',
  breed: pet?.breed_id ? String(pet.breed_id) : '',
  sex: pet?.sex ? String(pet.sex) : '',
  desexed: pet?.desexed == null ? '' : pet.desexed ? 'yes' : 'no',
  ageBy: 'date',
  dob: pet?.dob ?? '',
  years: '',
  months: '',
  microchip: pet?.microchip ?? '',
  agreed: false,
  leaves: false,
})

/** The fields that calls take, except the species, which they name differently. */
export const detailsOf = (typed: PetTyped) => ({
  name: typed.name,
  sex: typed.sex === '' ? null : Number(typed.sex),
  dob: birthTyped(typed),
  desexed: typed.desexed === '' ? null : typed.desexed === 'yes',
  microchip: typed.microchip.replace(/\s/g, ''),
})

/** The breed to send. Only dogs and cats have one. */
export const breedTyped = ({ species, breed }: PetTyped) => (hasBreed(species) ? Number(breed) : null)
