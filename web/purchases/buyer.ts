import { words } from '#contract/errors.ts'
import { isEmail } from '#contract/fields.ts'
import type { Refusal } from '../ui/form.tsx'

/** Who buys, as it is typed. */
export interface Buyer {
  firstName: string
  lastName: string
  email: string
  mobile: string
  postcode: string
  address: string
  clinic: string
  /** The clinic may hear from us. */
  shares: boolean
  news: boolean
}

export const EMPTY_BUYER: Buyer = {
  firstName: '',
  lastName: '',
  email: '',
  mobile: '',
  postcode: '',
  address: '',
  clinic: '',
  shares: false,
  news: false,
}

/** What is wrong with it, by field. */
export const wrongBuyer = ({ firstName, lastName, email, mobile }: Buyer) => ({
  firstName: !firstName.trim() && words('FIRST_NAME_MISSING'),
  lastName: !lastName.trim() && words('LAST_NAME_MISSING'),
  email: !isEmail(email) && words('INVALID_EMAIL'),
  mobile: !mobile.trim() && words('PHONE_MISSING'),
})

/** What may be left out, as calls take it. */
export const moreOf = ({ postcode, address, shares, clinic, news }: Buyer) => ({
  postcode,
  address,
  user_clinic: shares ? clinic : '',
  emailSubscription: news,
})

/** The form's fields by the names that calls have for them. */
export const BUYER_NAMES: Record<string, keyof Buyer> = {
  fname: 'firstName',
  sname: 'lastName',
  user_clinic: 'clinic',
  emailSubscription: 'news',
}

/** A refusal names fields as the call does; the form has its own names. */
export const namedAsTyped = ({ errors, fields = {} }: Refusal, names: Record<string, string>): Refusal => ({
  errors,
  fields: Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const name = path.replace(/^(.*\.)?(pet_)?/, '')
      return [names[name] ?? name, message]
    }),
  ),
})
