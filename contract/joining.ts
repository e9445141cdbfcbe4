import * as z from 'zod'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import { agreement, id, newPassword, nothing, optionalText } from './fields.ts'
import * as lengths from './lengths.ts'
import { confirmation } from './human.ts'
import { plan, Subscription } from './memberships.ts'
import { policyNumber } from './policies.ts'
import {
  begunPurchase,
  buyer,
  cardToken,
  moreOfBuyer,
  orNull,
  petBirth,
  petName,
  petSex,
  petType,
  RequiresAction,
} from './purchases.ts'

/* Becoming a member: with a card, or as the holder of a partner's policy. */

const sold = {
  plan,
  promo: optionalText(lengths.code).nullish(),
  coupon: optionalText(lengths.code).nullish(),
  ...confirmation,
  /** Opts out of PawCare cover. */
  pawcare_out: z.boolean().default(false),
  /** Absent to pay with the card on file. Free months need a card too, which is charged after them. */
  stripeToken: cardToken.nullish(),
  purchase: begunPurchase,
  ...agreement,
}
const bought = z.union([z.object({ subscription: Subscription }), RequiresAction])

export const subscribe = call('POST', '/subscription/v2', {
  summary: 'Join: an account, its first pet and a membership, paid once',
  access: 'anyone',
  idempotent: true,
  input: z.object({
    ...sold,
    ...buyer,
    ...moreOfBuyer,
    password: newPassword,
    pet: z.object(
      {
        name: petName,
        type: petType,
        breed: orNull(id),
        dob: petBirth,
        /** The date was worked out from an age. */
        dob_approximate: z.boolean().optional(),
        sex: petSex,
      },
      { error: sentenceOf('PET_NAME_MISSING') },
    ),
    query: optionalText(lengths.issue).optional(),
    couponCode: optionalText(lengths.code).nullish(),
  }),
  output: bought,
})

export const upgrade = call('POST', '/subscription/upgrade', {
  summary: 'A membership for an account that has none',
  access: ['owner'],
  idempotent: true,
  input: z.object(sold),
  output: bought,
})

export const signUpWithPolicy = call('POST', '/user/signup', {
  summary:
    "An account for the holder of a partner insurer's policy; covered once the holder confirms by mail",
  access: 'anyone',
  limit: 'signUpAddress',
  input: z.object({
    policy: policyNumber,
    fname: buyer.firstName,
    sname: buyer.lastName,
    email: buyer.email,
    mobile: buyer.mobile,
    password: newPassword,
    pet_name: petName,
    pet_type: petType,
    pet_breed: orNull(id),
    pet_gender: petSex,
    pet_dob: petBirth,
    pet_dob_approximate: z.boolean().optional(),
    ...agreement,
    ...confirmation,
  }),
  output: nothing,
})
