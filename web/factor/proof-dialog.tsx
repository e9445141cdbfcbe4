import type { ReactNode } from 'react'
import { noCode, noPassword } from '../lib/rules.ts'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { TextField } from '../ui/text-field.tsx'

/** Asks for the password and a code before the second factor changes. */
export function ProofDialog({
  title,
  does,
  doing,
  danger,
  onProven,
  onClose,
  children,
}: {
  title: string
  does: string
  doing: string
  danger?: boolean
  onProven: (proof: { password: string; code: string }) => Promise<void>
  onClose: () => void
  children: ReactNode
}) {
  const form = useForm({
    rules: ({ password, code }) => ({
      password: noPassword(password),
      code: noCode(code, 'FACTOR_CODE_MISSING'),
    }),
    defaults: { password: '', code: '' },
  })
  return (
    <FormDialog
      small
      title={title}
      form={form}
      does={does}
      doing={doing}
      danger={danger}
      keeps="Leave as it is"
      onClose={onClose}
      onSubmit={onProven}
    >
      {children}
      <PasswordField label="Your password" {...form.field('password')} />
      <TextField
        label="Code from your app"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        help="Or a recovery code."
        {...form.field('code')}
      />
    </FormDialog>
  )
}
