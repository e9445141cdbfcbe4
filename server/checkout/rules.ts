import { randomBytes } from 'node:crypto'
import { daysAfter, localDay, type Region } from '#contract/regions.ts'
import { BLANK_PET } from '../pets/rules.ts'
import type { CheckedPet } from '../pets/writes.ts'
import type { Buyer } from '../purchases/rules.ts'

/** The buyer, and what the consult is about. */
export interface Given extends Buyer {
  pet: CheckedPet
  query: string
  /** Signs of an emergency that the buyer ticked. */
  signs?: string[] | undefined
}

/** Everything needed to charge and deliver a consult; stored with the purchase. */
export interface Order {
  consult: 1 | 2
  /** Identifies the buyer in answers about this purchase only. It's in no link, and no person has it. */
  customer: string
  coupon: string | null
  buyer: Pick<Given, 'firstName' | 'lastName' | 'email' | 'mobile'>
  /** The details given before paying, in case the page never returns. */
  given: Given | null
  token?: string | undefined
  agreed?: boolean | undefined
  terms?: string | undefined
}

export const newBuyerId = () => `buyer_${randomBytes(12).toString('hex')}`

const OTHER = 11

/** The details to use if a buyer paid and wrote nothing else. */
export const blankDetails = ({ buyer }: Order): Given => ({
  ...buyer,
  postcode: '',
  address: '',
  userClinic: '',
  news: false,
  pet: { ...BLANK_PET, name: 'Your pet', species_id: OTHER },
  query: 'Not given yet',
})

const DAYS_A_YEAR = 365.25

/** A date of birth counts more than an age. From an age alone we work out a date. */
export function bornOn(
  dob: string | null | undefined,
  age: string | number | null | undefined,
  region: Region,
  now: Date,
): string | null {
  if (dob) return dob
  const years = age == null || age === '' ? Number.NaN : Number(age)
  return Number.isFinite(years) && years >= 0 && years <= 100
    ? daysAfter(localDay(region, now), -Math.round(years * DAYS_A_YEAR))
    : null
}
