import { greeting, type Letter, newPassword } from '../mail/mail-template.ts'

const NOT_YOU =
  'If this was you, there’s nothing to do. If not, set a new password straight away, and tell an admin.'

export const factorOnLetter = (firstName: string): Letter => ({
  subject: 'Your second factor is on',
  parts: [
    greeting(firstName),
    'From now on, signing in to VetChat takes your password and a code from your authenticator app. Your other devices were signed out.',
    'Keep your recovery codes somewhere safe. Each opens your account once if you lose your phone.',
    NOT_YOU,
    newPassword,
  ],
})

export const factorOffLetter = (firstName: string, by: 'you' | 'an admin'): Letter => ({
  subject: 'Your second factor is off',
  parts: [
    greeting(firstName),
    by === 'you'
      ? 'Signing in to VetChat takes only your password now. The codes of your authenticator app and your recovery codes no longer work.'
      : 'An admin removed your second factor, because it was lost. Signing in to VetChat takes only your password now. Please set up a new one under Profile.',
    NOT_YOU,
    newPassword,
  ],
})

export const newCodesLetter = (firstName: string): Letter => ({
  subject: 'You have new recovery codes',
  parts: [
    greeting(firstName),
    'New recovery codes were made for your account. The old ones no longer work.',
    NOT_YOU,
    newPassword,
  ],
})

export const codeUsedLetter = (firstName: string, left: number): Letter => ({
  subject: 'A recovery code was used',
  parts: [
    greeting(firstName),
    `One of your recovery codes was just used, and ${left === 0 ? 'none is left. Make new ones under Profile.' : `you have ${left} left.`}`,
    NOT_YOU,
    newPassword,
  ],
})

export const wrongCodesLetter = (firstName: string): Letter => ({
  subject: 'Somebody may know your VetChat password',
  parts: [
    greeting(firstName),
    'Somebody entered your password and then several wrong codes, so we stopped taking codes for a while.',
    'If this was you, wait a quarter of an hour and use the code that your app shows then. If not, somebody knows your password: set a new one straight away.',
    newPassword,
  ],
})
