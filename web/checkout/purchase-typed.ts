import { TERMS_VERSION } from '#contract/accounts.ts'
import type { Input } from '#contract/call.ts'
import type { pay } from '#contract/checkout.ts'
import { words } from '#contract/errors.ts'
import type { Currency } from '#contract/regions.ts'
import { birthTyped, hasBreed } from '../pets/pet-rules.ts'
import type { Refusal, Schema } from '../ui/form.tsx'
import {
  type PetAndBuyer,
  EMPTY_PET_AND_BUYER,
  refusePerson,
  refusePet,
  speciesTyped,
} from '../purchases/pet-and-buyer.ts'

export type ConsultType = 1 | 2
export const [TEXT, VIDEO] = [1, 2] as const

/** The fields as they are typed; the card's are none of them. */
export interface PurchaseTyped extends PetAndBuyer {
  issue: string
  /** People do not see it. */
  website: string
  /** The code that was applied. */
  coupon: string
  /** The camera was looked at, or nobody wants to. */
  camera: boolean
}

export const NOTHING_TYPED: PurchaseTyped = {
  ...EMPTY_PET_AND_BUYER,
  issue: '',
  website: '',
  coupon: '',
  camera: false,
}

/** What has to be there before anything is charged; the server looks again. */
export const purchaseRules: Schema<PurchaseTyped> = {
  '~standard': {
    validate(value) {
      const typed = value as PurchaseTyped
      const wrong: { path: [keyof PurchaseTyped]; message: string }[] = []
      const refuse = (path: keyof PurchaseTyped, message: string) => wrong.push({ path: [path], message })
      refusePet(typed, refuse)
      if (!typed.issue.trim()) refuse('issue', words('PET_ISSUE_MISSING'))
      refusePerson(typed, refuse)
      return wrong.length > 0 ? { issues: wrong } : { value: typed }
    },
  },
}

export type PayInput = Input<typeof pay> & { amount: number; currency: Currency }

interface Bill {
  type: ConsultType
  amount: number
  currency: Currency
  coupon: string
  token: string | undefined
}

/** What is sent: also all that the consult needs, so that it begins even if this browser never comes back. */
export function payInput(typed: PurchaseTyped, { type, amount, currency, coupon, token }: Bill): PayInput {
  const { firstName, lastName, email, mobile } = typed
  return {
    ...(token !== undefined && { card: { token } }),
    amount,
    currency,
    consult: type,
    user: { firstName, lastName, email, mobile },
    ...(coupon && { coupon_code: coupon }),
    website: typed.website,
    details: {
      name: typed.name,
      pet_species: Number(speciesTyped(typed)),
      pet_breed: hasBreed(typed.species) ? Number(typed.breed) : null,
      pet_dob: birthTyped(typed),
      pet_sex: typed.sex === '' ? null : Number(typed.sex),
      query: typed.issue,
      postcode: typed.postcode,
      address: typed.address,
      user_clinic: typed.shares ? typed.clinic : '',
      emailSubscription: typed.news,
    },
    agreed: typed.agreed,
    terms: TERMS_VERSION,
  }
}

const FIELDS: Record<string, keyof PurchaseTyped> = {
  pet_species: 'species',
  pet_breed: 'breed',
  pet_age: 'years',
  pet_dob: 'dob',
  pet_sex: 'sex',
  query: 'issue',
  user_clinic: 'clinic',
  emailSubscription: 'news',
  coupon_code: 'coupon',
}

/** A refusal names fields as the call does; the form has its own names. */
export function asTyped({ errors, fields = {} }: Refusal, { ageBy }: PurchaseTyped): Refusal {
  const named = Object.entries(fields).map(([path, message]) => {
    const name = path.slice(path.lastIndexOf('.') + 1)
    const field = FIELDS[name] ?? name
    return [field === 'dob' && ageBy === 'age' ? 'years' : field, message]
  })
  return { errors, fields: Object.fromEntries(named) as Record<string, string> }
}
