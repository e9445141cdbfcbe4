import { USER_TYPES } from '#contract/accounts.ts'
import { sentenceOf } from '#contract/errors.ts'
import type { Vet } from '#contract/vets.ts'

export const isVet = ({ type }: Vet) => type === USER_TYPES.vet
export const fullName = ({ firstName, lastName, email }: Vet) => `${firstName} ${lastName}`.trim() || email
export const vetName = (vet: Vet) => (vet.firstName || vet.lastName ? `Dr ${fullName(vet)}` : vet.email)
export const shortName = (person: Vet) => person.firstName || person.email

export const noRegistration = (registration: string) =>
  registration.trim() === '' && sentenceOf('REGISTRATION_MISSING')
