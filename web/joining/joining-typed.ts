import { TERMS_VERSION } from '#contract/accounts.ts'
import type { Input } from '#contract/call.ts'
import { words } from '#contract/errors.ts'
import { PASSWORD_RULES } from '#contract/fields.ts'
import type { signUpWithPolicy, subscribe, upgrade } from '#contract/joining.ts'
import type { Plan } from '#contract/memberships.ts'
import type { Promo } from '#contract/prices.ts'
import {
  type PetAndBuyer,
  EMPTY_PET_AND_BUYER,
  refusePerson,
  refusePet,
  speciesTyped,
} from '../purchases/pet-and-buyer.ts'
import { birthTyped, breedTyped } from '../pets/pet-rules.ts'
import type { Refusal, Schema } from '../ui/form.tsx'
import { say } from '../ui/say.ts'

/** The fields as they are typed; the card's are none of them, and plan and codes stand in the address. */
export interface JoiningTyped extends PetAndBuyer {
  password: string
  confirm: string
  /** Leaves PawCare cover out. */
  pawcareOut: boolean
}

export const NOTHING_TYPED: JoiningTyped = {
  ...EMPTY_PET_AND_BUYER,
  password: '',
  confirm: '',
  pawcareOut: false,
}

type Refuse = (path: keyof JoiningTyped, message: string) => void

function refusePassword({ password, confirm }: JoiningTyped, refuse: Refuse) {
  if (!password) refuse('password', words('PASSWORD_MISSING'))
  else if (!PASSWORD_RULES.every(({ met }) => met(password)))
    refuse('password', `${say('Invalid Password.')} ${say(words('WEAK_PASSWORD'))}`)
  if (!confirm) refuse('confirm', say('Confirm password is required'))
  else if (confirm !== password) refuse('confirm', say('Passwords do not match'))
}

/** What has to be there before anything is sent; the server looks again. Who has an account types none of it. */
export const joiningRules = (asks: 'all' | 'nothing'): Schema<JoiningTyped> => ({
  '~standard': {
    validate(value) {
      const typed = value as JoiningTyped
      const wrong: { path: [keyof JoiningTyped]; message: string }[] = []
      const refuse: Refuse = (path, message) => wrong.push({ path: [path], message })
      if (asks === 'all') {
        refusePet(typed, refuse)
        refusePerson(typed, refuse)
        refusePassword(typed, refuse)
      }
      return wrong.length > 0 ? { issues: wrong } : { value: typed }
    },
  },
})

/** What joining sends. The password goes beside it, since it is never kept. */
export type JoinInput = Omit<Input<typeof subscribe>, 'password'>
export type UpgradeInput = Input<typeof upgrade>

interface Deal {
  plan: Plan
  promo: Promo | undefined
  coupon: string
  token: string | undefined
}

export const upgradeInput = (typed: JoiningTyped, { plan, promo, coupon, token }: Deal): UpgradeInput => ({
  plan,
  ...(promo && { promo }),
  ...(coupon && { coupon }),
  ...(token !== undefined && { stripeToken: token }),
  pawcare_out: typed.pawcareOut,
  agreed: typed.agreed,
  terms: TERMS_VERSION,
})

export const joinInput = (typed: JoiningTyped, deal: Deal): JoinInput => ({
  ...upgradeInput(typed, deal),
  firstName: typed.firstName,
  lastName: typed.lastName,
  email: typed.email,
  mobile: typed.mobile,
  postcode: typed.postcode,
  address: typed.address,
  user_clinic: typed.shares ? typed.clinic : '',
  pet: {
    name: typed.name,
    type: Number(speciesTyped(typed)),
    breed: breedTyped(typed),
    dob: birthTyped(typed),
    sex: typed.sex === '' ? null : Number(typed.sex),
  },
  emailSubscription: typed.news,
})

export const signUpInput = (typed: JoiningTyped, policy: string): Input<typeof signUpWithPolicy> => ({
  policy,
  fname: typed.firstName,
  sname: typed.lastName,
  email: typed.email,
  mobile: typed.mobile,
  password: typed.password,
  pet_name: typed.name,
  pet_type: Number(speciesTyped(typed)),
  pet_breed: breedTyped(typed),
  pet_gender: typed.sex === '' ? null : Number(typed.sex),
  pet_dob: birthTyped(typed),
  agreed: typed.agreed,
  terms: TERMS_VERSION,
})

const FIELDS: Record<string, keyof JoiningTyped> = {
  'pet.name': 'name',
  pet_name: 'name',
  'pet.type': 'species',
  pet_type: 'species',
  'pet.breed': 'breed',
  pet_breed: 'breed',
  'pet.dob': 'dob',
  pet_dob: 'dob',
  'pet.sex': 'sex',
  pet_gender: 'sex',
  fname: 'firstName',
  sname: 'lastName',
  user_clinic: 'clinic',
  emailSubscription: 'news',
}

/** A refusal names fields as the call does; the form has its own names. */
export function asTyped({ errors, fields = {} }: Refusal, { ageBy }: JoiningTyped): Refusal {
  const named = Object.entries(fields).map(([path, message]) => {
    const field = FIELDS[path] ?? path
    return [field === 'dob' && ageBy === 'age' ? 'years' : field, message]
  })
  return { errors, fields: Object.fromEntries(named) as Record<string, string> }
}
