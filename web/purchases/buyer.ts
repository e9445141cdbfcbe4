import { sentenceOf } from '#contract/errors.ts'
import { isEmail } from '#contract/fields.ts'
import { noNames, wrongPhone } from '../lib/rules.ts'
import type { Refusal } from '../ui/form.tsx'

export type Buyer = typeof EMPTY_BUYER
export const EMPTY_BUYER = {
  firstName: '',
  lastName: '',
  email: '',
  mobile: '',
  postcode: '',
  address: '',
  clinic: '',
  /** Whether we may share the consult with the buyer's clinic. */
  shares: false,
  news: false,
}

export const wrongBuyer = (buyer: Buyer) => ({
  ...noNames(buyer),
  email: !isEmail(buyer.email) && sentenceOf('INVALID_EMAIL'),
  mobile: wrongPhone(buyer.mobile),
})

/** The optional fields, as calls take them. */
export const moreOf = ({ postcode, address, shares, clinic, news }: Buyer) => ({
  postcode,
  address,
  user_clinic: shares ? clinic : '',
  emailSubscription: news,
})

/** Maps the calls' field names to the form's. */
export const BUYER_NAMES: Record<string, keyof Buyer> = {
  fname: 'firstName',
  sname: 'lastName',
  user_clinic: 'clinic',
  emailSubscription: 'news',
}

/** Translates a refusal's field names, which are the call's, to the form's. */
export const namedAsTyped = ({ errors, fields = {} }: Refusal, names: Record<string, string>): Refusal => ({
  errors,
  fields: Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const name = path.replace(/^(.*\.)?(pet_)?/, '')
      return [names[name] ?? name, message]
    }),
  ),
})
