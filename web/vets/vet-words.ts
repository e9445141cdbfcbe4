import { USER_TYPES } from '#contract/accounts.ts'
import { words } from '#contract/errors.ts'
import { type Vet, VET_ABOUT_LENGTH } from '#contract/vets.ts'
import type { Rules } from '../ui/form-state.ts'

export const isVet = ({ type }: Vet) => type === USER_TYPES.vet
export const fullName = ({ firstName, lastName, email }: Vet) => `${firstName} ${lastName}`.trim() || email
export const vetName = (vet: Vet) => (vet.firstName || vet.lastName ? `Dr ${fullName(vet)}` : vet.email)
export const shortName = (person: Vet) => person.firstName || person.email

export interface InvitationTyped {
  firstName: string
  lastName: string
  registration: string
}

const noRegistration = (registration: string) => registration.trim() === '' && words('REGISTRATION_MISSING')

export const invitationRules: Rules<InvitationTyped> = ({ firstName, lastName, registration }) => ({
  firstName: !firstName.trim() && words('FIRST_NAME_MISSING'),
  lastName: !lastName.trim() && words('LAST_NAME_MISSING'),
  registration: noRegistration(registration),
})

export interface VetTyped {
  registration: string
  about: string
}

export const vetRules: Rules<VetTyped> = ({ registration, about }) => ({
  registration: noRegistration(registration),
  about: about.trim().length > VET_ABOUT_LENGTH && words('TEXT_TOO_LONG'),
})
