import * as z from 'zod/mini'
import { call } from './call.ts'
import { words } from './errors.ts'
import { email, id, idOf, isoDate, optionalText, text } from './fields.ts'
import { userConfirmation } from './human.ts'

/* Buying one consult without an account. */

const consultType = z.pipe(id, z.union([z.literal(1), z.literal(2)]))
const agreement = {
  agreed: z.optional(z.boolean()),
  terms: z.optional(z.string().check(z.maxLength(40))),
}
const buyer = {
  firstName: text(80, words('FIRST_NAME_MISSING')),
  lastName: text(80, words('LAST_NAME_MISSING')),
  email,
  mobile: text(40, words('PHONE_MISSING')),
}
const empty = z.pipe(
  z.transform((value: unknown) => (value === '' ? undefined : value)),
  z.optional(z.nullable(id)) as z.ZodMiniType<any, any>,
) as unknown as z.ZodMiniType<number | null | undefined, number | string | null | undefined>

/** The pet and its problem, as the vet needs them. */
const details = {
  name: text(80, words('PET_NAME_MISSING')),
  pet_species: z.pipe(
    idOf(words('PET_TYPE_MISSING')),
    z.int().check(z.maximum(11, { error: words('PET_TYPE_MISSING') })),
  ),
  /** A dog or a cat has one. */
  pet_breed: empty,
  /** In years; a date of birth wins over it. */
  pet_age: z.optional(z.nullable(z.union([z.number().check(z.minimum(0), z.maximum(100)), optionalText(3)]))),
  pet_dob: z.optional(z.nullable(z.union([isoDate, z.literal('')]))),
  pet_sex: z.optional(z.nullable(z.union([z.number(), optionalText(10)]))),
  query: text(4000, words('PET_ISSUE_MISSING')),
  postcode: z.optional(optionalText(20)),
  address: z.optional(optionalText(300)),
  user_clinic: z.optional(optionalText(120)),
  emailSubscription: z._default(z.boolean(), false),
}

export const pay = call({
  method: 'POST',
  path: '/pay',
  summary: 'Pay for one consult; the same key pays once',
  access: 'anyone',
  idempotent: true,
  input: z.object({
    /** Absent where a coupon leaves nothing to pay. */
    card: z.optional(
      z.nullable(z.object({ token: text(300, words('CARD_MISSING'), words('CARD_MISSING')) })),
    ),
    /** What the page showed; another price is refused with the right one. */
    amount: z.pipe(
      z.union([z.number(), z.string().check(z.regex(/^\d{1,9}$/))]),
      z.pipe(z.transform(Number), z.int().check(z.minimum(0))),
    ),
    currency: z.string().check(z.maxLength(10)),
    consult: consultType,
    user: z.object(buyer),
    userConfirmation: z.optional(z.nullable(userConfirmation)),
    coupon_code: z.optional(z.nullable(optionalText(60))),
    /** People do not see this field. */
    website: z._default(z.string().check(z.maxLength(1000)), ''),
    /** What the consult is about, so that it can begin even if this browser never comes back. */
    details: z.optional(z.object(details)),
    /** To go on after a bank's challenge. */
    purchase: z.optional(z.nullable(text(100))),
    ...agreement,
  }),
  output: z.object({
    status: z.enum(['succeeded', 'requires_action', 'processing']),
    customer: z.object({ id: z.string() }),
    purchase: z.string(),
    client_secret: z.optional(z.string()),
  }),
})

export const newUserConsultation = call({
  method: 'POST',
  path: '/user/newUserConsultation',
  summary: 'Begin the consult that was paid for; the same purchase gets the same answer for a day',
  access: 'anyone',
  input: z.object({
    purchase: text(100),
    customer_id: text(100),
    ...buyer,
    ...details,
    consult_type: consultType,
    coupon_code: z.optional(z.nullable(optionalText(60))),
    ...agreement,
  }),
  output: z.object({ consultation: z.object({ id: z.number() }), token: z.string() }),
})
