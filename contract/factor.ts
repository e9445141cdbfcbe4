import * as z from 'zod'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import { currentPassword, id, isoTime, nothing, typedCode } from './fields.ts'

/* The second factor of staff: a code from an authenticator app, besides the password (decision 048). */

export const FACTOR_DIGITS = 6
export const RECOVERY_CODES = 10
const staff = ['vet', 'admin'] as const

/** A code from the app, or a recovery code. */
export const secondFactorCode = typedCode(
  40,
  sentenceOf('FACTOR_CODE_MISSING'),
  sentenceOf('FACTOR_CODE_WRONG'),
)

const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

export const getFactor = call('GET', '/user/factor', {
  summary: 'Whether the second factor is on, and how many recovery codes are left',
  access: staff,
  settingUp: true,
  input: nothing,
  output: z.object({
    on_since: isoTime.nullable(),
    recovery_codes_left: z.number(),
    /** It can't be turned off. */
    required: z.boolean(),
  }),
})

export const startFactor = call('POST', '/user/factor/start', {
  summary: 'Make the secret that an authenticator app scans; it does nothing until it is turned on',
  access: staff,
  again: true,
  settingUp: true,
  input: nothing,
  output: z.object({
    /** For people who can't scan the QR code. */
    key: z.string(),
    /** The QR code: an SVG path of squares, in a drawing with this many units on each side. */
    qr: z.object({ path: z.string(), size: z.number() }),
  }),
})

export const checkFactor = call('POST', '/user/factor/check', {
  summary: 'Confirm the app with its code, and get the recovery codes, which are never shown again',
  access: staff,
  settingUp: true,
  input: z.object({ code: secondFactorCode }),
  output: recoveryCodes,
})

export const turnOnFactor = call('POST', '/user/factor/on', {
  summary: 'Ask for a code at every sign-in from now on',
  access: staff,
  settingUp: true,
  input: nothing,
  output: nothing,
})

export const turnOffFactor = call('POST', '/user/factor/off', {
  summary: 'Ask for no more codes',
  access: staff,
  input: z.object({ password: currentPassword, code: secondFactorCode }),
  output: nothing,
})

export const renewRecoveryCodes = call('POST', '/user/factor/codes', {
  summary: 'Get new recovery codes; the old ones stop working',
  access: staff,
  input: z.object({ password: currentPassword, code: secondFactorCode }),
  output: recoveryCodes,
})

export const removeFactor = call('DELETE', '/user/factor/:id', {
  summary: 'Remove a colleague’s lost second factor',
  access: ['admin'],
  again: true,
  input: z.object({ id }),
  output: nothing,
})
