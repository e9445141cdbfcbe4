import * as z from 'zod'
import { call, people } from './call.ts'
import { sentenceOf } from './errors.ts'
import { agreement, id, nothing, optionalText, speciesOf, text } from './fields.ts'
import { plan, Subscription } from './memberships.ts'
import { Pet, petBreed, petFields, petMissing } from './pets.ts'
import { cardToken, RequiresAction } from './purchases.ts'

/* The card on file, and the memberships that it pays for. */

export const PaymentMethod = z.object({
  object: z.literal('card'),
  brand: z.string(),
  last4: z.string(),
  exp_month: z.number(),
  exp_year: z.number(),
})
export type PaymentMethod = z.infer<typeof PaymentMethod>

const purchase = text(100).optional()

export const myPaymentMethod = call('GET', '/subscription/userPayment/', {
  summary: 'The card on file, or null',
  access: people,
  input: nothing,
  output: PaymentMethod.nullable(),
})

export const updatePaymentMethod = call('POST', '/subscription/updatePayment', {
  summary: 'Put a card on file, or replace it; renewals are charged to it from now on',
  access: people,
  input: z.object({
    /** The provider's card token, or a setup whose challenge was passed. */
    payload: z.union([z.object({ token: cardToken }), z.object({ setup: cardToken })], {
      error: sentenceOf('CARD_MISSING'),
    }),
    customer: optionalText(100).optional(),
  }),
  output: z.union([
    PaymentMethod,
    z.object({ status: z.literal('requires_action'), client_secret: z.string(), setup: z.string() }),
  ]),
})

export const subscribePet = call('POST', '/pet/subscribe', {
  summary:
    'Add a pet if the membership has room; otherwise buy it a further membership with the card on file',
  access: ['owner'],
  idempotent: true,
  input: z.object({
    pet: z.object(
      { ...petFields, species_id: speciesOf(petMissing), breed_id: petBreed },
      { error: petMissing },
    ),
    plan: plan.optional(),
    ...agreement,
    purchase,
  }),
  output: z.union([z.object({ pet: Pet, subscription: Subscription }), RequiresAction]),
})

export const manageSubscription = call('POST', '/subscription/manage', {
  summary: 'Cancel a membership at the end of its period, restart it, or add a pet to it',
  access: ['owner'],
  idempotent: true,
  input: z.object({
    action: z.enum(['cancel', 'restart', 'add'], { error: sentenceOf('SUBSCRIPTION_UPDATE_FAILED') }),
    subscription: id.nullish(),
    pet_id: id.nullish(),
    plan: plan.nullish(),
    purchase,
  }),
  output: z.union([Subscription, RequiresAction]),
})
