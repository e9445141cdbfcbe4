import * as z from 'zod/mini'
import { call } from './call.ts'
import { words } from './errors.ts'
import { nothing, optionalText, text } from './fields.ts'

/** What people write to us about. About the first two we need to know for which clinic or company. */
export const CONTACT_REASONS = {
  1: 'Clinic triage',
  2: 'Partnership',
  3: 'A consultation',
  4: 'Membership and payment',
  5: 'PawCare',
  6: 'Privacy',
  7: 'Other',
} as const
const OF_A_COMPANY = [1, 2]

const reasonMissing = words('CONTACT_REASON_MISSING')
const reason = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^[1-7]$/, { error: reasonMissing }))], {
    error: reasonMissing,
  }),
  z.pipe(z.transform(Number), z.int().check(z.minimum(1), z.maximum(7, { error: reasonMissing }))),
)

export const contactUs = call({
  method: 'POST',
  path: '/contactus',
  summary: 'Write to us; the writer gets a receipt by mail',
  access: 'anyone',
  input: z
    .object({
      queryAbout: reason,
      name: text(120, words('CONTACT_NAME_MISSING')),
      email: z
        .string({ error: words('EMAIL_MISSING') })
        .check(
          z.trim(),
          z.toLowerCase(),
          z.minLength(1, { error: words('EMAIL_MISSING'), abort: true }),
          z.maxLength(254, { error: words('CONTACT_EMAIL_INVALID') }),
          z.email({ error: words('CONTACT_EMAIL_INVALID') }),
        ),
      mobile: z._default(optionalText(40), ''),
      clinicOrCompany: z._default(optionalText(160), ''),
      body: text(5000, words('CONTACT_BODY_MISSING')),
      /** People do not see this field. */
      website: z._default(z.string().check(z.maxLength(1000)), ''),
    })
    .check(
      z.refine(
        ({ queryAbout, clinicOrCompany }) =>
          !OF_A_COMPANY.includes(queryAbout) || clinicOrCompany.trim() !== '',
        { error: words('CONTACT_CLINIC_MISSING'), path: ['clinicOrCompany'] },
      ),
    ),
  output: nothing,
})
