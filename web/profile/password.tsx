import { sentenceOf } from '#contract/errors.ts'
import { useRef, useState } from 'react'
import { weakPassword, wrongConfirmation } from '../lib/rules.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { NewPasswordField } from '../accounts/new-password-field.tsx'
import { say } from '../ui/say.ts'
import { useUpdatePassword } from './queries.ts'

export function ProfilePassword({ email }: { email: string }) {
  const { show } = useAlert()
  const [changes, setChanges] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Card aria-labelledby="password" className="stack gap-6">
      <div className="stack gap-1">
        <h2 id="password" ref={heading} tabIndex={-1} className="t22">
          {say('Password')}
        </h2>
        <p className="text-ink-soft">{say('Changing it signs you out on every other device.')}</p>
      </div>
      <PasswordForm
        key={changes}
        email={email}
        onChanged={() => {
          show(say('Your password has been changed. Your other devices were signed out.'))
          heading.current?.focus()
          setChanges(changes + 1)
        }}
      />
    </Card>
  )
}

function PasswordForm({ email, onChanged }: { email: string; onChanged: () => void }) {
  const update = useUpdatePassword()
  const form = useForm({
    rules: ({ passwordCurrent, passwordNew, confirm }) => ({
      passwordCurrent: passwordCurrent === '' && sentenceOf('CURRENT_PASSWORD_MISSING'),
      passwordNew: passwordNew === '' ? sentenceOf('NEW_PASSWORD_MISSING') : weakPassword(passwordNew),
      confirm: wrongConfirmation(confirm, passwordNew),
    }),
    defaults: { passwordCurrent: '', passwordNew: '', confirm: '' },
  })
  return (
    <Form
      form={form}
      className="stack gap-5"
      onSubmit={async ({ passwordCurrent, passwordNew }) => {
        await update({ passwordCurrent, passwordNew })
        onChanged()
      }}
    >
      {/* Tells a password manager whose password this is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label={say('Current password')} {...form.field('passwordCurrent')} />
      <NewPasswordField label={say('New password')} {...form.field('passwordNew')} />
      <PasswordField
        label={say('Confirm new password')}
        autoComplete="new-password"
        {...form.field('confirm')}
      />
      <div>
        <Button type="submit" busy={form.busy}>
          {say('Change password')}
        </Button>
      </div>
    </Form>
  )
}
