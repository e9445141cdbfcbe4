import * as z from 'zod'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import { email, nothing, optionalText, text, typedName } from './fields.ts'
import * as lengths from './lengths.ts'
import { confirmation, honeypot } from './human.ts'

/* Messages to us, the newsletter, and one email once a vet is back on duty. */

/** Why people write to us. For the first two we need to know the clinic or company. */
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

const reasonMissing = sentenceOf('CONTACT_REASON_MISSING')
const reason = z
  .union([z.number(), z.string().regex(/^[1-7]$/, { error: reasonMissing })], {
    error: reasonMissing,
  })
  .transform(Number)
  .pipe(z.int().min(1).max(7, { error: reasonMissing }))

export const contactUs = call('POST', '/contactus', {
  summary: 'Write to us; with a human check, the writer gets a receipt by mail',
  access: 'anyone',
  input: z
    .object({
      queryAbout: reason,
      name: typedName(sentenceOf('CONTACT_NAME_MISSING'), lengths.fullName),
      email: z
        .string({ error: sentenceOf('EMAIL_MISSING') })
        .trim()
        .toLowerCase()
        .min(1, { error: sentenceOf('EMAIL_MISSING'), abort: true })
        .max(lengths.email, { error: sentenceOf('CONTACT_EMAIL_INVALID') })
        .check(z.email({ error: sentenceOf('CONTACT_EMAIL_INVALID') })),
      mobile: optionalText(lengths.mobile).default(''),
      clinicOrCompany: optionalText(lengths.company).default(''),
      body: text(lengths.enquiry, sentenceOf('CONTACT_BODY_MISSING'), sentenceOf('CONTACT_BODY_TOO_LONG')),
      /** A form without scripts can't solve the check. Its message still arrives, but the sender gets no receipt. */
      ...confirmation,
      ...honeypot,
    })
    .refine(
      ({ queryAbout, clinicOrCompany }) =>
        !OF_A_COMPANY.includes(queryAbout) || clinicOrCompany.trim() !== '',
      { error: sentenceOf('CONTACT_CLINIC_MISSING'), path: ['clinicOrCompany'] },
    ),
  output: nothing,
})

export const joinNewsletter = call('POST', '/newsletter', {
  summary: 'Ask for our newsletter; it starts once the link in the mail is clicked',
  access: 'anyone',
  input: z.object({
    ...confirmation,
    name: typedName(sentenceOf('CONTACT_NAME_MISSING'), lengths.fullName),
    email,
    ...honeypot,
  }),
  output: nothing,
})

/** How long we keep the email of a visitor who asked to hear when a vet is back. */
export const BACK_HOURS = 24

export const tellWhenBack = call('POST', '/queue/tell', {
  summary: 'Ask for one mail once a vet is on duty; the address is deleted with it, or after a day',
  access: 'anyone',
  input: z.object({
    ...confirmation,
    email,
    ...honeypot,
  }),
  output: nothing,
})

const code = z.string().min(1).max(600)

export const confirmNewsletter = call('POST', '/newsletter/confirm', {
  summary: 'Confirm the newsletter with the link from the mail',
  access: 'anyone',
  input: z.object({ code }),
  output: nothing,
})

export const leaveNewsletter = call('POST', '/newsletter/leave', {
  summary: 'Unsubscribe with the link in each newsletter',
  access: 'anyone',
  input: z.object({ code }),
  output: nothing,
})
