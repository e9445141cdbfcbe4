import type { ComponentProps } from 'react'
import { PASSWORD_RULES } from '#contract/fields.ts'
import { PasswordField } from '../ui/password-field.tsx'

const rules = PASSWORD_RULES.map(({ says, met }) => ({ label: says, met }))

export const NewPasswordField = (
  field: Omit<ComponentProps<typeof PasswordField>, 'autoComplete' | 'rules'>,
) => <PasswordField autoComplete="new-password" rules={rules} {...field} />
