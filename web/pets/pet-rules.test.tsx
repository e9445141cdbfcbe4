import { expect, it } from 'vitest'
import { sentenceOf } from '#contract/errors.ts'
import { birthTyped, petRules, type PetTyped, typedOf } from './pet-rules.ts'

const now = new Date('2026-11-21T12:00:00Z')
const biscuit: PetTyped = {
  ...typedOf(undefined),
  name: 'Biscuit',
  species: '1',
  breed: '7',
  agreed: true,
}

const refused = (change: Partial<PetTyped>, adding = true) =>
  Object.entries(petRules(adding, now)({ ...biscuit, ...change })).filter(([, message]) => message)

it('a complete pet passes, and only dogs and cats need a breed [PET-1]', () => {
  expect(refused({})).toEqual([])
  expect(refused({ species: '3', breed: '' })).toEqual([])
  for (const microchip of ['985 141 000 123 456', '985-141-000-123-456', '985.141.000123456'])
    expect(refused({ microchip })).toEqual([])
})

it("missing details are named in the seed's words, with what to do [PET-2]", () => {
  expect(refused({ species: '', name: ' ', agreed: false })).toEqual([
    ['species', 'Missing pet details. What animal is it?'],
    ['name', 'What’s your pet called?'],
    ['agreed', 'You must agree to terms and conditions in order to proceed.'],
  ])
  expect(refused({ breed: '' })).toEqual([['breed', 'Missing pet details. Choose a breed from the list.']])
})

it('a date of birth is a real date in the last hundred years, and a microchip has 15 digits [PET-1]', () => {
  expect(refused({ dob: '31/31' })).toEqual([['dob', expect.stringContaining('day, month and year')]])
  expect(refused({ dob: '2027-01-01' })).toEqual([['dob', sentenceOf('PET_DOB_WRONG')]])
  expect(refused({ microchip: '123' })).toEqual([['microchip', 'A microchip number has 15 digits.']])
  expect(refused({ ageBy: 'age', years: 'two' })).toEqual([['years', 'Enter the age in numbers.']])
  expect(refused({ dob: '1926-11-20' })).toEqual([['dob', sentenceOf('PET_DOB_WRONG')]])
  expect(refused({ ageBy: 'age', years: '100' })).toEqual([])
  expect(refused({ ageBy: 'age', years: '101' })).toEqual([['years', sentenceOf('PET_DOB_WRONG')]])
})

it("changing a pet doesn't ask for species, breed and terms again [PET-3]", () => {
  expect(refused({ species: '', breed: '', agreed: false }, false)).toEqual([])
})

it('an approximate age is sent as a date of birth [PET-1]', () => {
  expect(birthTyped({ ...biscuit, ageBy: 'age', years: '2', months: '6' }, now)).toBe('2024-05-21')
  expect(birthTyped({ ...biscuit, ageBy: 'age' }, now)).toBe(null)
  expect(birthTyped({ ...biscuit, dob: '2020-02-14' }, now)).toBe('2020-02-14')
})
