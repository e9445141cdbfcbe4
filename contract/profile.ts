import * as z from 'zod'
import { User } from './accounts.ts'
import { call, people } from './call.ts'
import { sentenceOf } from './errors.ts'
import {
  changedText,
  currentPassword,
  email,
  isoTime,
  newPassword,
  nothing,
  text,
  typedName,
} from './fields.ts'
import * as lengths from './lengths.ts'
import { confirmation } from './human.ts'

/* What people change about their own account: details, password, email, sessions, and deleting it. */

export const EMAIL_LINK_HOURS = 48
/** How long the law requires us to keep clinical records. */
export const RECORDS_KEPT_YEARS = 3

export const updateMe = call('POST', '/user/update', {
  summary: 'Change the details of the person who is signed in',
  access: people,
  input: z.object({
    firstName: typedName(sentenceOf('FIRST_NAME_MISSING')),
    lastName: typedName(sentenceOf('LAST_NAME_MISSING')),
    mobile: text(lengths.mobile, sentenceOf('PHONE_MISSING')),
    postcode: changedText(lengths.postcode),
    address: changedText(lengths.address),
    user_clinic: changedText(lengths.clinic),
    notifications: z
      .object({
        care: z.boolean().optional(),
        check_in: z.boolean().optional(),
        news: z.boolean().optional(),
      })
      .optional(),
  }),
  output: User,
})

export const updatePassword = call('POST', '/user/updatePassword', {
  summary: 'Set a new password; this session continues, every other one ends',
  access: people,
  input: z.object({ passwordCurrent: currentPassword, passwordNew: newPassword }),
  output: z.object({ token: z.string() }),
})

export const confirmPassword = call('POST', '/user/confirm-password', {
  summary: 'Enter the password again, before an action that asks for it',
  access: people,
  settingUp: true,
  input: z.object({ password: currentPassword }),
  output: nothing,
})

export const changeEmail = call('POST', '/user/email', {
  summary: 'Mail a link to a new address, and a notice to the old one; the link changes the email',
  access: people,
  input: z.object({ email, password: currentPassword }),
  output: nothing,
})

export const confirmEmail = call('POST', '/user/email/confirm', {
  summary: 'Change the email with the link from the mail',
  access: 'anyone',
  limit: 'confirmEmailAddress',
  input: z.object({
    code: text(100, sentenceOf('EMAIL_LINK_WRONG'), sentenceOf('EMAIL_LINK_WRONG')),
    ...confirmation,
  }),
  output: z.object({ email: z.string() }),
})

export const listSessions = call('GET', '/user/sessions', {
  summary: 'Where the person is signed in, most recently used first',
  access: people,
  input: nothing,
  output: z.array(
    z.object({
      id: z.string(),
      /** The browser's user agent. */
      agent: z.string(),
      here: z.boolean(),
      started: isoTime,
      last_used: isoTime,
    }),
  ),
})

export const endSession = call('DELETE', '/user/sessions/:id', {
  summary: 'Sign out one other session',
  access: people,
  input: z.object({ id: text(60) }),
  output: nothing,
})

export const endOtherSessions = call('POST', '/user/sessions/end', {
  summary: 'Sign out everywhere else',
  access: people,
  input: nothing,
  output: nothing,
})

/** What one of our people looked at or changed. */
export const Look = z.object({
  name: z.string(),
  action: z.string(),
  reason: z.string(),
  at: isoTime,
  /** The number of the consult or the receipt that it was about; null for the account. */
  about: z.number().nullable(),
})
export type Look = z.infer<typeof Look>

export const listAccountAccess = call('GET', '/user/looks', {
  summary: 'What staff viewed and changed about the caller, and why, latest first',
  access: people,
  input: nothing,
  output: z.array(Look),
})

export const exportMyData = call('GET', '/user/export', {
  summary: 'Everything that we keep about the caller',
  access: people,
  input: nothing,
  output: z.record(z.string(), z.unknown()),
})

export const deleteAccount = call('POST', '/user/delete', {
  summary:
    'Delete the account: the membership ends now, and everything that the law does not require us to keep is removed',
  access: ['owner'],
  input: z.object({ password: currentPassword }),
  output: nothing,
})
