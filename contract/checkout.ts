import * as z from 'zod'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import { agreement, email, id, nothing, optionalText, text, whole } from './fields.ts'
import * as lengths from './lengths.ts'
import { confirmation, honeypot } from './human.ts'
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
} from './purchases.ts'
import { signs } from './urgency.ts'

/* Buying one consult without an account. */

const consultType = id.pipe(z.literal([1, 2]))

/** A purchase with the same email, pet and words within this time is the same consult and isn't charged again. */
export const SAME_PURCHASE_MINUTES = 5

/** What the vet needs to know. */
const details = {
  name: petName,
  pet_species: petType,
  /** Dogs and cats only. */
  pet_breed: orNull(id),
  /** In years; a date of birth takes precedence. */
  pet_age: z.union([z.number().min(0).max(100), optionalText(3)]).nullish(),
  pet_dob: petBirth,
  /** The date was worked out from an age that the owner gave. */
  pet_dob_approximate: z.boolean().optional(),
  pet_sex: petSex,
  query: text(lengths.issue, sentenceOf('PET_ISSUE_MISSING')),
  /** The signs that the owner ticked. */
  signs,
  ...moreOfBuyer,
}

export const payForConsult = call('POST', '/pay', {
  summary: 'Pay for one consult; the same key is charged once',
  access: 'anyone',
  idempotent: true,
  input: z.object({
    /** Absent if a coupon leaves nothing to pay. */
    card: z.object({ token: cardToken }).nullish(),
    /** The price that the page showed. If ours differs, the call is refused with the right one. */
    amount: whole(0),
    currency: z.string().max(10),
    consult: consultType,
    user: z.object(buyer),
    ...confirmation,
    coupon_code: optionalText(lengths.code).nullish(),
    ...honeypot,
    /** What the consult is about, so that it can begin even if this browser never returns. */
    details: z.object(details).optional(),
    purchase: begunPurchase,
    ...agreement,
  }),
  output: z.object({
    status: z.enum(['succeeded', 'requires_action', 'processing']),
    customer: z.object({ id: z.string() }),
    purchase: z.string(),
    client_secret: z.string().optional(),
    /** The caller already has this consult open, so nothing was charged. */
    open: z.object({ id: z.number(), type: z.number() }).optional(),
  }),
})

export const newUserConsultation = call('POST', '/user/newUserConsultation', {
  summary: 'Begin the consult that was paid for; the same purchase gets the same answer for a day',
  access: 'anyone',
  input: z.object({
    purchase: text(100),
    customer_id: text(100),
    ...buyer,
    ...details,
    consult_type: consultType,
    coupon_code: optionalText(lengths.code).nullish(),
    ...agreement,
  }),
  output: z.object({ consultation: z.object({ id: z.number() }), token: z.string() }),
})

export const changeGuestEmail = call('POST', '/user/guestEmail', {
  summary: "Correct the address of a guest's open consult; the link to the consult is mailed to the new one",
  access: ['guest'],
  input: z.object({ email }),
  output: nothing,
})
