import { TERMS_VERSION } from '#contract/accounts.ts'
import type { Input } from '#contract/call.ts'
import { sentenceOf } from '#contract/errors.ts'
import { isStrongPassword } from '#contract/fields.ts'
import type { signUpWithPolicy, subscribe, upgrade } from '#contract/joining.ts'
import type { Plan } from '#contract/memberships.ts'
import type { Promo } from '#contract/discounts.ts'
import { noPassword, wrongConfirmation } from '../lib/rules.ts'
import { EMPTY_FIRST_PET, firstPetNames, sexTyped, speciesTyped, wrongFirstPet } from '../pets/first-pet.ts'
import { birthTyped, breedTyped } from '../pets/pet-rules.ts'
import { BUYER_NAMES, EMPTY_BUYER, moreOf, namedAsTyped, wrongBuyer } from '../purchases/buyer.ts'
import type { Rules } from '../ui/form-state.ts'
import type { FormHandle, Refusal } from '../ui/form.tsx'
import { say } from '../ui/say.ts'

/** The fields as typed, without the card's. Plan and codes are in the address. */
export type JoiningTyped = typeof NOTHING_TYPED
export const NOTHING_TYPED = {
  ...EMPTY_FIRST_PET,
  ...EMPTY_BUYER,
  password: '',
  confirm: '',
  /** True without PawCare cover. */
  pawcareOut: false,
}

const wrongPasswords = ({ password, confirm }: JoiningTyped) => ({
  password:
    noPassword(password) ||
    (!isStrongPassword(password) &&
      `${say(sentenceOf('PASSWORD_INVALID'))} ${say(sentenceOf('WEAK_PASSWORD'))}`),
  confirm: wrongConfirmation(confirm, password),
})

/** Only for new people: owners with an account aren't asked. */
export const joiningRules: Rules<JoiningTyped> = (typed) => ({
  ...wrongFirstPet(typed),
  ...wrongBuyer(typed),
  ...wrongPasswords(typed),
})

export type JoiningForm = FormHandle<JoiningTyped>

/** What joining sends. The password is separate because we never store it. */
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
  promo,
  coupon: coupon || undefined,
  stripeToken: token,
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
  ...moreOf(typed),
  pet: {
    name: typed.name,
    type: Number(speciesTyped(typed)),
    breed: breedTyped(typed),
    dob: birthTyped(typed),
    dob_approximate: typed.ageBy === 'age',
    sex: sexTyped(typed),
  },
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
  pet_gender: sexTyped(typed),
  pet_dob: birthTyped(typed),
  pet_dob_approximate: typed.ageBy === 'age',
  agreed: typed.agreed,
  terms: TERMS_VERSION,
})

export const asTyped = (refusal: Refusal, typed: JoiningTyped) =>
  namedAsTyped(refusal, { ...firstPetNames(typed), ...BUYER_NAMES })
