import { useState } from 'react'
import { EMAIL_LINK_HOURS } from '#contract/profile.ts'
import { noPassword, wrongEmail } from '../lib/rules.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { useChangeEmail } from './queries.ts'

const asked = ({ email, password }: { email: string; password: string }) => ({
  email: wrongEmail(email),
  password: noPassword(password),
})

/** Nothing changes until the link in the new mailbox is opened. */
export function EmailDialog({ onClose }: { onClose: () => void }) {
  const send = useChangeEmail()
  const [sentTo, setSentTo] = useState('')
  const form = useForm({ rules: asked, defaults: { email: '', password: '' } })

  if (sentTo)
    return (
      <Dialog small onClose={onClose} title={say('Check your new inbox')} keeps={say('Ok')}>
        <p>
          {say(
            'We’ve sent a link to {email}. Open it within {hours} hours to change your email. Until then, sign in as before.',
            { email: <strong className="break-words">{sentTo}</strong>, hours: EMAIL_LINK_HOURS },
          )}
        </p>
      </Dialog>
    )
  return (
    <FormDialog
      small
      title={say('Change email')}
      form={form}
      does={say('Send the link')}
      doing={say('Sending…')}
      onClose={onClose}
      onSubmit={async (values) => {
        await send(values)
        setSentTo(values.email)
      }}
    >
      <p className="text-ink-soft">
        {say(
          'We’ll send a link to the new address and a notice to the old one. Your email changes when you open the link.',
        )}
      </p>
      <TextField label={say('New email')} type="email" {...form.field('email')} />
      <PasswordField
        label={say('Your password')}
        help={say('So that nobody else can change it.')}
        {...form.field('password')}
      />
    </FormDialog>
  )
}
