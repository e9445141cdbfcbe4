import * as z from 'zod'
import { words } from './errors.ts'
import { email, idOf, isoDate, optionalText, text } from './fields.ts'

/* What every purchase asks for and answers, whatever is bought. */

/** Forms send an empty field as an empty string. */
export const orNull = <T extends z.ZodType>(schema: T) =>
  z.preprocess((sent: z.input<T> | '' | null) => (sent === '' ? null : sent), schema.nullable()).optional()

export const buyer = {
  firstName: text(80, words('FIRST_NAME_MISSING')),
  lastName: text(80, words('LAST_NAME_MISSING')),
  email,
  mobile: text(40, words('PHONE_MISSING')),
}

/** What may be told of a buyer. */
export const moreOfBuyer = {
  postcode: optionalText(20).optional(),
  address: optionalText(300).optional(),
  user_clinic: optionalText(120).optional(),
  emailSubscription: z.boolean().default(false),
}

export const agreement = {
  agreed: z.boolean().optional(),
  terms: z.string().max(40).optional(),
}

const MALE = ['1', 'male', 'm']
const FEMALE = ['2', '0', 'female', 'f']
const sexOf = (said: string | number) => {
  const word = String(said).toLowerCase()
  return MALE.includes(word) ? 1 : FEMALE.includes(word) ? 2 : said
}

/** A pet as somebody describes it who has no account yet. */
export const petName = text(80, words('PET_NAME_MISSING'))
export const petType = idOf(words('PET_TYPE_MISSING')).pipe(
  z.int().max(11, { error: words('PET_TYPE_MISSING') }),
)
/** Stored as 1 for a male and 2 for a female; forms also send words, and 0 for a female. */
export const petSex = orNull(
  z
    .union([z.number(), optionalText(10)])
    .transform(sexOf)
    .pipe(z.literal([1, 2])),
)
export const petBirth = orNull(isoDate)

export const cardToken = text(300, words('CARD_MISSING'), words('CARD_MISSING'))

/** Names a purchase whose bank asked its customer, when the same call is made again. */
export const begunPurchase = text(100).nullish()

/** A bank wants its customer to confirm: the page runs the challenge and makes the call again, naming what it paid for. */
export const RequiresAction = z.object({
  status: z.literal('requires_action'),
  client_secret: z.string(),
  purchase: z.string(),
})
