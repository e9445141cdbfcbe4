import { fail, Failure, words } from '#contract/errors.ts'
import { CATS_AND_DOGS } from '#contract/pets.ts'

const MALE = ['1', 'male', 'm']
const FEMALE = ['0', '2', 'female', 'f']

/** A pet's sex as forms of purchase may say it. */
export function sexOf(said: string | number | null | undefined, field: string): 1 | 2 | null {
  const word = String(said ?? '')
    .trim()
    .toLowerCase()
  if (word === '') return null
  if (MALE.includes(word)) return 1
  if (FEMALE.includes(word)) return 2
  return fail('INVALID_INPUT', { fields: { [field]: words('INVALID_INPUT') } })
}

/** A dog or a cat has a breed. */
export function needsBreed(speciesId: number, breed: number | null | undefined, field: string) {
  if (CATS_AND_DOGS.includes(speciesId) && breed == null)
    fail('PET_BREED_MISSING', { fields: { [field]: words('PET_BREED_MISSING') } })
}

/** The same failure, beside the fields as this form calls them. */
export function asFields(error: unknown, begin: 'pet_' | 'pet.'): never {
  if (!(error instanceof Failure) || !error.details.fields) throw error
  const fields = Object.entries(error.details.fields).map(([name, says]) => [
    begin + name.replace('species_id', 'type'),
    says,
  ])
  return fail(error.code, { ...error.details, fields: Object.fromEntries(fields) as Record<string, string> })
}
