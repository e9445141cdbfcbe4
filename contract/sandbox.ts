import * as z from 'zod'
import { call } from './call.ts'
import { email, isoTime, nothing, optionalText, sentTime } from './fields.ts'
import * as lengths from './lengths.ts'

/* The sandbox answers in place of the mail, SMS and payment providers while none is configured. */

export const sandboxMail = call('GET', '/sandbox/mail', {
  summary: 'Mails sent while no mail server is configured, newest first',
  access: 'anyone',
  sandbox: 'mail',
  input: z.object({ to: email.optional() }),
  output: z.array(
    z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string(), sentAt: z.string() }),
  ),
})

export const sandboxSms = call('GET', '/sandbox/sms', {
  summary: 'SMS sent while no SMS provider is configured, newest first',
  access: 'anyone',
  sandbox: 'sms',
  input: z.object({ to: optionalText(lengths.mobile).optional() }),
  output: z.array(z.object({ to: z.string(), text: z.string(), sentAt: z.string() })),
})

export const sandboxCard = call('POST', '/sandbox/card', {
  summary: "A card token, as the provider's own script would give it",
  access: 'anyone',
  sandbox: 'payments',
  input: z.object({
    number: z.string().max(40),
    exp_month: z.union([z.number(), z.string().max(4)]),
    exp_year: z.union([z.number(), z.string().max(4)]),
    cvc: z.string().max(4),
  }),
  output: z.object({ token: z.string() }),
})

export const sandboxChallenge = call('POST', '/sandbox/challenge', {
  summary: "A bank's answer to a challenge: whether its customer confirmed",
  access: 'anyone',
  sandbox: 'payments',
  input: z.object({ client_secret: z.string().max(300), succeed: z.boolean() }),
  output: z.object({ status: z.string() }),
})

export const sandboxClock = call('POST', '/sandbox/clock', {
  summary: "Move the provider's clock and ours, to see renewals",
  access: 'anyone',
  sandbox: 'payments',
  input: z.object({
    days: z.number().min(0).max(3660).optional(),
    until: sentTime.optional(),
  }),
  output: z.object({ now: isoTime }),
})

export const FAULTS = [
  'lostAnswer',
  'error500',
  'slow',
  'hang',
  'decline',
  'challenge',
  'duplicateEvents',
  'shuffledEvents',
  'refundFails',
  'dispute',
  'disputeWon',
  'disputeLost',
] as const

export const sandboxFaults = call('POST', '/sandbox/faults', {
  summary: 'Arm a fault for the next requests to the provider',
  access: 'anyone',
  sandbox: 'payments',
  input: z.object({
    /** Such as POST /v1/subscriptions; * is any. Refund and dispute faults name a payment, or * for the latest. */
    call: z.string().max(100).default('*'),
    fault: z.enum(FAULTS),
    times: z.int().min(0).max(100_000).default(1),
  }),
  output: nothing,
})
