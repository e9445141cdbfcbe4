import * as z from 'zod'
import { sentenceOf } from './errors.ts'
import { call } from './call.ts'
import {
  currency,
  email,
  emptyAsNull,
  id,
  idOf,
  isoDate,
  isoTime,
  nothing,
  optionalText,
  text,
  typedName,
} from './fields.ts'
import * as lengths from './lengths.ts'

/* What every purchase asks for and answers, whatever is bought. */

export const orNull = <T extends z.ZodType>(schema: T) => emptyAsNull(schema).optional()

export const buyer = {
  firstName: typedName(sentenceOf('FIRST_NAME_MISSING')),
  lastName: typedName(sentenceOf('LAST_NAME_MISSING')),
  email,
  mobile: text(lengths.mobile, sentenceOf('PHONE_MISSING')),
}

export const moreOfBuyer = {
  postcode: optionalText(lengths.postcode).optional(),
  address: optionalText(lengths.address).optional(),
  user_clinic: optionalText(lengths.clinic).optional(),
  emailSubscription: z.boolean().default(false),
}

const MALE = ['1', 'male', 'm']
const FEMALE = ['2', '0', 'female', 'f']
const sexOf = (said: string | number) => {
  const word = String(said).toLowerCase()
  if (MALE.includes(word)) return 1
  return FEMALE.includes(word) ? 2 : said
}

/** A pet as described by a person without an account. */
export const petName = typedName(sentenceOf('PET_NAME_MISSING'))
export const petType = idOf(sentenceOf('PET_TYPE_MISSING'), 11)
/** Stored as 1 for male and 2 for female; forms also send words, and 0 for female. */
export const petSex = orNull(
  z
    .union([z.number(), optionalText(10)])
    .transform(sexOf)
    .pipe(z.literal([1, 2])),
)
export const petBirth = orNull(isoDate)

export const cardToken = text(300, sentenceOf('CARD_MISSING'), sentenceOf('CARD_MISSING'))

/** Identifies the purchase when the call is repeated after a bank's challenge. */
export const begunPurchase = text(100).nullish()

/** The bank asks its customer to confirm: the page runs the challenge, then repeats the call with `purchase`. */
export const RequiresAction = z.object({
  status: z.literal('requires_action'),
  client_secret: z.string(),
  purchase: z.string(),
})

/** A purchase that takes longer than this is shown to admins. */
export const UNFINISHED_MINUTES = 10

export const listUnfinished = call('GET', '/purchases/unfinished', {
  summary: 'Purchases whose payment or delivery has taken more than ten minutes, newest first',
  access: ['admin'],
  input: z.object({ cursor: id.optional() }),
  output: z.object({
    purchases: z.array(
      z.object({
        id: z.number(),
        email: z.string(),
        kind: z.enum(['consult', 'membership', 'pet', 'offer']),
        /** Still being paid, or paid and not delivered. */
        state: z.enum(['paying', 'paid']),
        amount: z.number(),
        currency,
        at: isoTime,
        attempts: z.number(),
      }),
    ),
    next: z.number().nullable(),
  }),
})

export const finishPurchase = call('POST', '/purchases/:id/finish', {
  summary: 'Ask the provider about an unfinished purchase straight away, and deliver it if it was paid',
  access: ['admin'],
  input: z.object({ id }),
  output: nothing,
})
