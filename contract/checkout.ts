import * as z from 'zod/mini'
import { call } from './call.ts'
import { words } from './errors.ts'
import { id, optionalText, text } from './fields.ts'
import { userConfirmation } from './human.ts'
import {
  agreement,
  begunPurchase,
  buyer,
  cardToken,
  moreOfBuyer,
  orNull,
  petBirth,
  petName,
  petSex,
  petType,
} from './purchases.ts'

/* Buying one consult without an account. */

const consultType = z.pipe(id, z.union([z.literal(1), z.literal(2)]))

/** The pet and its problem, as the vet needs them. */
const details = {
  name: petName,
  pet_species: petType,
  /** A dog or a cat has one. */
  pet_breed: orNull(id),
  /** In years; a date of birth wins over it. */
  pet_age: z.optional(z.nullable(z.union([z.number().check(z.minimum(0), z.maximum(100)), optionalText(3)]))),
  pet_dob: petBirth,
  pet_sex: petSex,
  query: text(4000, words('PET_ISSUE_MISSING')),
  ...moreOfBuyer,
}

export const pay = call({
  method: 'POST',
  path: '/pay',
  summary: 'Pay for one consult; the same key pays once',
  access: 'anyone',
  idempotent: true,
  input: z.object({
    /** Absent where a coupon leaves nothing to pay. */
    card: z.optional(z.nullable(z.object({ token: cardToken }))),
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
    purchase: begunPurchase,
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
