import { useState } from 'react'
import { CLINIC_PASSWORD_RULE } from '#contract/clinics.ts'
import { sentenceOf } from '#contract/errors.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { useResetClinicPassword } from './queries.ts'

const asked = ({ current, password }: { current: string; password: string }) => ({
  current: current === '' && sentenceOf('CURRENT_PASSWORD_MISSING'),
  password:
    password === ''
      ? sentenceOf('NEW_PASSWORD_MISSING')
      : !CLINIC_PASSWORD_RULE.met(password) && sentenceOf('CLINIC_PASSWORD_SHORT'),
})

export function PasswordDialog({
  title,
  person,
  onClose,
}: {
  title: string
  person: string | null
  onClose: () => void
}) {
  const send = useResetClinicPassword()
  const [done, setDone] = useState(false)
  const form = useForm({ rules: asked, defaults: { current: '', password: '' } })
  if (done)
    return (
      <Dialog small title="Your password has been changed" onClose={onClose} keeps="Ok">
        <p role="status">Every other device that used the old one was signed out.</p>
      </Dialog>
    )
  return (
    <FormDialog
      small
      title={title}
      form={form}
      does="Change it"
      keeps="Not now"
      onClose={onClose}
      onSubmit={async (values) => {
        await send(values)
        setDone(true)
      }}
    >
      <PasswordField label="Current password" {...form.field('current')} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        rules={[CLINIC_PASSWORD_RULE]}
        {...form.field('password')}
      />
      {person === null && (
        <p className="text-14 text-ink-soft">
          Everybody at the clinic who signs in with its username needs the new one.
        </p>
      )}
    </FormDialog>
  )
}
