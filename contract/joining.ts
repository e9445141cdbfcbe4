import * as z from 'zod/mini'
import { call } from './call.ts'
import { words } from './errors.ts'
import { email, id, idOf, isoDate, newPassword, optionalText, text } from './fields.ts'
import { userConfirmation } from './human.ts'
import { plan, Subscription } from './memberships.ts'
import { RequiresAction } from './payments.ts'

/* Becoming a member. */

export const orNull = <T extends z.ZodMiniType>(schema: T) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => (value === '' ? null : value)),
      z.nullable(schema) as z.ZodMiniType<any, any>,
    ) as unknown as z.ZodMiniType<z.output<T> | null, z.input<T> | '' | null>,
  )

export const petType = z.pipe(
  idOf(words('PET_TYPE_MISSING')),
  z.int().check(z.maximum(11, { error: words('PET_TYPE_MISSING') })),
)
export const sex = z.optional(z.nullable(z.union([z.number(), optionalText(10)])))
export const person = {
  email,
  mobile: text(40, words('PHONE_MISSING')),
  password: newPassword,
}
const sold = {
  plan,
  promo: z.optional(z.nullable(optionalText(60))),
  coupon: z.optional(z.nullable(optionalText(60))),
  userConfirmation: z.optional(z.nullable(userConfirmation)),
  /** Leaves PawCare cover out. */
  pawcare_out: z._default(z.boolean(), false),
  purchase: z.optional(z.nullable(text(100))),
  agreed: z.optional(z.boolean()),
  terms: z.optional(z.string().check(z.maxLength(40))),
}
const bought = z.union([z.object({ subscription: Subscription }), RequiresAction])

export const subscribe = call({
  method: 'POST',
  path: '/subscription/v2',
  summary: 'Join: an account, its first pet and a membership, paid once',
  access: 'anyone',
  idempotent: true,
  input: z.object({
    ...sold,
    ...person,
    firstName: text(80, words('FIRST_NAME_MISSING')),
    lastName: text(80, words('LAST_NAME_MISSING')),
    postcode: z.optional(optionalText(20)),
    address: z.optional(optionalText(300)),
    user_clinic: z.optional(optionalText(120)),
    pet: z.object(
      {
        name: text(80, words('PET_NAME_MISSING')),
        type: petType,
        breed: orNull(id),
        dob: orNull(isoDate),
        sex,
      },
      { error: words('PET_NAME_MISSING') },
    ),
    query: z.optional(optionalText(4000)),
    /** Absent where a coupon leaves nothing to pay now and later. */
    stripeToken: z.optional(z.nullable(text(300, words('CARD_MISSING'), words('CARD_MISSING')))),
    couponCode: z.optional(z.nullable(optionalText(60))),
    emailSubscription: z._default(z.boolean(), false),
  }),
  output: bought,
})

export const upgrade = call({
  method: 'POST',
  path: '/subscription/upgrade',
  summary: 'A membership for an account that has none',
  access: ['owner'],
  idempotent: true,
  input: z.object({
    ...sold,
    stripeToken: z.optional(z.nullable(text(300, words('CARD_MISSING'), words('CARD_MISSING')))),
  }),
  output: bought,
})
