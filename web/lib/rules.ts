import { sentenceOf } from '#contract/errors.ts'
import { isEmail, isStrongPassword } from '#contract/fields.ts'
import type { Message } from '../ui/form-state.ts'

/** Puts `matter`, such as that details are missing, in front of the first of these messages. */
export function beginningWith<Asks extends Record<string, Message>>(matter: string, asks: Asks) {
  const first = Object.keys(asks).find((name) => asks[name])
  return first === undefined ? asks : { ...asks, [first]: `${matter} ${asks[first]}` }
}

export const wrongEmail = (email: string) =>
  email.trim() === '' ? sentenceOf('EMAIL_MISSING') : !isEmail(email) && sentenceOf('INVALID_EMAIL')

export const noPassword = (password: string) => password === '' && sentenceOf('PASSWORD_MISSING')

export const weakPassword = (password: string) =>
  noPassword(password) || (!isStrongPassword(password) && sentenceOf('WEAK_PASSWORD'))

export const wrongConfirmation = (confirm: string, password: string) =>
  confirm ? confirm !== password && sentenceOf('PASSWORDS_DIFFER') : sentenceOf('PASSWORD_NOT_CONFIRMED')

/** Spaces and hyphens alone are no code. */
export const noCode = (code: string, missing: 'FACTOR_CODE_MISSING' | 'RESET_CODE_MISSING') =>
  !/[^\s-]/.test(code) && sentenceOf(missing)

export const noNames = ({ firstName, lastName }: { firstName: string; lastName: string }) => ({
  firstName: !firstName.trim() && sentenceOf('FIRST_NAME_MISSING'),
  lastName: !lastName.trim() && sentenceOf('LAST_NAME_MISSING'),
})

/** A phone number in any notation. The server knows every country's numbers; the page only counts digits. */
export function wrongPhone(typed: string): string | false {
  const digits = typed.replace(/\D/g, '').length
  if (typed.trim() === '') return sentenceOf('PHONE_MISSING')
  // Phones put invisible marks around a number that is copied from their contacts.
  if (digits === 0 || /[^\d\s()+./\p{Cf}-]/u.test(typed)) return sentenceOf('PHONE_WRONG')
  if (digits < 9) return sentenceOf('PHONE_TOO_SHORT')
  return digits > 15 && sentenceOf('PHONE_TOO_LONG')
}
