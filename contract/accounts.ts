import * as z from 'zod'
import { call, people, push } from './call.ts'
import { sentenceOf } from './errors.ts'
import { secondFactorCode } from './factor.ts'
import { currentPassword, email, id, newPassword, nothing, optionalText, typedCode } from './fields.ts'
import * as lengths from './lengths.ts'
import { Consultation } from './consultations.ts'
import { confirmation } from './human.ts'
import { Subscription } from './memberships.ts'
import { REGION_IDS } from './regions.ts'

/* Signing in and out, and setting a password with a mailed code or link. */

/** Shown for an admin who has no name yet: the command makes admins without one. */
export const NAMELESS_ADMIN = 'An admin'

export const USER_TYPES = { owner: 1, vet: 2, admin: 3 } as const

/** Dangerous actions need the password to have been entered within this time. */
export const PASSWORD_AGAIN_MINUTES = 10
export const SESSION_DAYS = 30
export const SHORT_SESSION_HOURS = 12
export const RESET_CODE_MINUTES = 30
export const RESET_CODE_LENGTH = 20
export const CLAIM_LINK_HOURS = 48
/** The version of the terms and the privacy policy that forms ask people to agree to. */
export const TERMS_VERSION = '2'

export const User = z.object({
  id: z.number(),
  type: z.literal([1, 2, 3]),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  /** Whether they opened a link or used a code that was mailed there. */
  email_confirmed: z.boolean(),
  mobile: z.string(),
  postcode: z.string(),
  address: z.string(),
  user_clinic: z.string(),
  customer_id: z.string(),
  can_consult: z.boolean(),
  region: z.enum(REGION_IDS),
  /** Which mails they want, apart from those about purchases and safety. */
  notifications: z.object({ care: z.boolean(), check_in: z.boolean(), news: z.boolean() }),
  /** Whether they have pets that died or moved to another home. */
  has_pets_away: z.boolean(),
  subscriptions: z.array(Subscription),
  /** The active one. */
  subscription: Subscription.nullable(),
  /** Vets only: the consults that they took most recently. */
  consultations: z.array(Consultation).optional(),
})
export type User = z.infer<typeof User>

/** The parts of an account that can change elsewhere. The person's open pages then reload them. */
export const CHANGES = ['me', 'pets', 'consultations', 'card'] as const
export const accountChanged = push('accountChanged', z.object({ what: z.array(z.enum(CHANGES)) }))

export const login = call('POST', '/login', {
  summary:
    'Sign in with email and password; with a second factor, answers FACTOR_NEEDED until its code is sent too',
  access: 'anyone',
  input: z.object({
    email,
    password: currentPassword,
    remember: z.boolean().default(false),
    /** The second factor: a code from the app, or a recovery code. */
    code: secondFactorCode.nullish(),
    ...confirmation,
  }),
  output: z.object({ token: z.string(), id }),
})

export const logout = call('POST', '/logout', {
  summary: 'End the session of the token in the request',
  access: 'anyone',
  files: 'closed',
  settingUp: true,
  input: nothing,
  output: nothing,
})

/** Tells the open pages of an ended session to stop showing its data. */
export const sessionEnded = push('sessionEnded', nothing)

export const me = call('GET', '/user/me', {
  summary: 'The person who is signed in',
  access: people,
  settingUp: true,
  input: nothing,
  output: User,
})

export const requestResetCode = call('POST', '/user/resetpwdcode', {
  summary: 'Mail a code that sets a new password; the answer is the same whether the email is known or not',
  access: 'anyone',
  limit: 'resetCodeAddress',
  input: z.object({ email, ...confirmation }),
  output: nothing,
})

export const resetPassword = call('POST', '/user/resetpwd', {
  summary: 'Set a new password with a mailed code',
  access: 'anyone',
  limit: 'resetAddress',
  input: z.object({
    code: typedCode(lengths.mailedCode, sentenceOf('RESET_CODE_MISSING'), sentenceOf('RESET_CODE_WRONG')),
    password: newPassword,
    ...confirmation,
  }),
  output: nothing,
})

export const askForClaimLink = call('POST', '/user/claim-link', {
  summary: 'Mail the buyer of this consult a link that makes an account of what they bought',
  access: ['guest'],
  input: nothing,
  output: nothing,
})

export const claimAccount = call('POST', '/user/claim', {
  summary: 'Take over the account that a mailed link belongs to, by setting its password',
  access: 'anyone',
  limit: 'claimAddress',
  input: z.object({ code: optionalText(100), password: newPassword, ...confirmation }),
  /**
   * Without a token, the person has to sign in. If `joined`, the email already had an account: the purchase is now
   * in it, and its password is unchanged. Otherwise the password is set, and a missing token means a second factor.
   */
  output: z.object({ token: z.string().nullable(), joined: z.boolean() }),
})
