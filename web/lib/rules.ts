import { words } from '#contract/errors.ts'
import { isEmail, isStrongPassword } from '#contract/fields.ts'
import type { Schema } from '../ui/form.tsx'

/**
 * What a form checks before it sends: what's wrong with each field, from top to bottom. The server
 * checks again with the contract's schema, which pages don't carry.
 */
export const rules = <Typed extends object>(
  look: (typed: Typed) => { [Name in keyof Typed]?: string | false | undefined },
): Schema<Typed> => ({
  '~standard': {
    validate(value) {
      const issues = Object.entries<string | false | undefined>(look(value as Typed)).flatMap(
        ([name, message]) => (message ? [{ path: [name], message }] : []),
      )
      return issues.length > 0 ? { issues } : { value: value as Typed }
    },
  },
})

export const wrongEmail = (email: string) =>
  email.trim() === '' ? words('EMAIL_MISSING') : !isEmail(email) && words('INVALID_EMAIL')

export const noPassword = (password: string) => password === '' && words('PASSWORD_MISSING')

export const weakPassword = (password: string) =>
  noPassword(password) || (!isStrongPassword(password) && words('WEAK_PASSWORD'))
