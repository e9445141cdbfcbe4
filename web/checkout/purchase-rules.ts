import { TERMS_VERSION } from '#contract/accounts.ts'
import type { Input, Parsed } from '#contract/call.ts'
import type { payForConsult } from '#contract/checkout.ts'
import { sentenceOf } from '#contract/errors.ts'
import type { Currency } from '#contract/regions.ts'
import { EMPTY_FIRST_PET, firstPetNames, sexTyped, speciesTyped, wrongFirstPet } from '../pets/first-pet.ts'
import { birthTyped, breedTyped } from '../pets/pet-rules.ts'
import { BUYER_NAMES, EMPTY_BUYER, moreOf, namedAsTyped, wrongBuyer } from '../purchases/buyer.ts'
import { signsChecked } from '../urgency/check-place.ts'
import type { Rules } from '../ui/form-state.ts'
import type { FormHandle, Refusal } from '../ui/form.tsx'

export type ConsultType = Parsed<typeof payForConsult>['consult']

/** The fields as typed, without the card's. */
export type PurchaseTyped = typeof NOTHING_TYPED
export const NOTHING_TYPED = {
  ...EMPTY_FIRST_PET,
  ...EMPTY_BUYER,
  issue: '',
  /** A hidden field that only bots fill in. */
  website: '',
  coupon: '',
  /** The camera check was done or skipped. */
  camera: false,
  /** The emergency check's answers, in the form in which its draft stores them. */
  checked: '',
}

export const purchaseRules: Rules<PurchaseTyped> = (typed) => ({
  ...wrongFirstPet(typed),
  issue: !typed.issue.trim() && sentenceOf('PET_ISSUE_MISSING'),
  ...wrongBuyer(typed),
})

export type PurchaseForm = FormHandle<PurchaseTyped>

export type PayInput = Input<typeof payForConsult> & { amount: number; currency: Currency }

interface Bill {
  type: ConsultType
  amount: number
  currency: Currency
  coupon: string
  token: string | undefined
}

/** Includes everything the consult needs, so the server can start it even if this browser never returns. */
export function payInput(typed: PurchaseTyped, { type, amount, currency, coupon, token }: Bill): PayInput {
  const { firstName, lastName, email, mobile } = typed
  return {
    card: token === undefined ? undefined : { token },
    amount,
    currency,
    consult: type,
    user: { firstName, lastName, email, mobile },
    coupon_code: coupon || undefined,
    website: typed.website,
    details: {
      name: typed.name,
      pet_species: Number(speciesTyped(typed)),
      pet_breed: breedTyped(typed),
      pet_dob: birthTyped(typed),
      pet_dob_approximate: typed.ageBy === 'age',
      pet_sex: sexTyped(typed),
      query: typed.issue,
      signs: signsChecked(typed.checked),
      ...moreOf(typed),
    },
    agreed: typed.agreed,
    terms: TERMS_VERSION,
  }
}

export const asTyped = (refusal: Refusal, typed: PurchaseTyped) =>
  namedAsTyped(refusal, { ...firstPetNames(typed), ...BUYER_NAMES, query: 'issue', coupon_code: 'coupon' })
