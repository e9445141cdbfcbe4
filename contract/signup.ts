import * as z from 'zod/mini'
import { call } from './call.ts'
import { words } from './errors.ts'
import { id, isoDate, nothing, text } from './fields.ts'
import { orNull, person, petType, sex } from './joining.ts'

/* Holders of the partner insurer's policies. */

export const signUpWithPolicy = call({
  method: 'POST',
  path: '/user/signup',
  summary:
    "An account for a holder of the partner insurer's policy; covered once the holder's address confirms it",
  access: 'anyone',
  limit: 'signUpAddress',
  input: z.object({
    ...person,
    policy: text(60, words('POLICY_INVALID'), words('POLICY_INVALID')),
    fname: text(80, words('FIRST_NAME_MISSING')),
    sname: text(80, words('LAST_NAME_MISSING')),
    pet_name: text(80, words('PET_NAME_MISSING')),
    pet_type: petType,
    pet_breed: orNull(id),
    pet_gender: sex,
    pet_dob: orNull(isoDate),
    agreed: z.optional(z.boolean()),
    terms: z.optional(z.string().check(z.maxLength(40))),
  }),
  output: nothing,
})
