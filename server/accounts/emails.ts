import { CLAIM_LINK_HOURS, RESET_CODE_MINUTES } from '#contract/accounts.ts'
import { EMAIL_LINK_HOURS } from '#contract/profile.ts'
import { readable } from '../identity/codes.ts'
import { greeting, type Letter, newPassword, type Part } from '../mail/mail-template.ts'

export const resetCodeLetter = (firstName: string, code: string): Letter => ({
  subject: 'Your VetChat reset code',
  parts: [
    greeting(firstName),
    `Here is the code to set a new password. It works once, for ${RESET_CODE_MINUTES} minutes.`,
    { code: readable(code) },
    { button: 'Set a new password', to: `/resetpwd/${code}` },
    { quiet: 'If you didn’t ask for this, you can ignore this email. Your password stays as it is.' },
  ],
})

export const passwordChangedLetter = (
  firstName: string,
  signedOut: 'every device' | 'every other device',
): Letter => ({
  subject: 'Your VetChat password was changed',
  parts: [
    greeting(firstName),
    `Your account password was just changed, and ${signedOut} was signed out.`,
    'If this was you, there’s nothing to do. If not, set a new password straight away.',
    newPassword,
  ],
})

/** For an account that had no password before. */
export const passwordSetLetter = (firstName: string): Letter => ({
  subject: 'Your VetChat account is open',
  parts: [
    greeting(firstName),
    'You’ve set a password. From now on, sign in with it and this email address.',
    'If this wasn’t you, set a new password straight away.',
    newPassword,
  ],
})

const CLAIMS = {
  join: 'This email has an account, but this consult isn’t in it. You can add it, with the pet and the receipt.',
  open: 'Set a password to open your account. Your pets, consults and receipts are there.',
  'begin as a vet': 'You’re one of our vets now. Set a password to open your account.',
  'begin as an admin': 'You’re a VetChat admin now. Set a password to open your account.',
}

/** The link opens an account, or joins a purchase to the account that the email already has. */
export const claimLink = (code: string, does: keyof typeof CLAIMS): Part[] => [
  CLAIMS[does],
  {
    button: does === 'join' ? 'Add it to my account' : 'Set my password',
    to: `/claim/${code}`,
  },
  {
    quiet: `The link works once, for ${CLAIM_LINK_HOURS} hours, for anyone who opens it. Leave it out if you forward this email.`,
  },
]

export const claimLetter = (firstName: string, link: Part[]): Letter => ({
  subject: 'Your VetChat account',
  parts: [greeting(firstName), ...link],
})

export const welcomeLetter = (
  firstName: string,
  code: string,
  { also, joins }: { also: Part[]; joins: boolean },
): Letter => ({
  subject: 'Welcome to VetChat: please confirm your email',
  parts: [
    greeting(firstName),
    ...also,
    'Your account is ready. Please confirm that this is your address, so nobody else can use it here.',
    ...(joins
      ? ['Once you confirm, the consults you bought with this address are in your account too.']
      : []),
    { button: 'Confirm my email', to: `/confirm-email/${code}` },
    {
      quiet: `The link works once, for ${EMAIL_LINK_HOURS} hours. After that, you can confirm your email through Forgot your password.`,
    },
    {
      quiet: joins
        ? 'If you didn’t create this account, please don’t confirm it: the person who did could then read your consults.'
        : 'If you didn’t create this account, you can ignore this email.',
    },
  ],
})
