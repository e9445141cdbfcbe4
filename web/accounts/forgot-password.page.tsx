import { useEffect, useState } from 'react'
import { RESET_CODE_MINUTES } from '#contract/accounts.ts'
import { LIMITS } from '#contract/limits.ts'
import { pageMeta } from '../lib/meta.ts'
import { wrongEmail } from '../lib/rules.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { leaveDraft } from '../ui/form-draft.ts'
import { Form, useForm } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { useRequestResetCode } from './queries.ts'
import { useRefusedDialog } from './refused-dialog.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

export const meta = () =>
  pageMeta(say('Forgot your password'), say('Get a code by email and set a new password.'))

const asked = ({ email }: { email: string }) => ({ email: wrongEmail(email) })

export default function ForgotPassword() {
  const send = useRequestResetCode()
  const [sentTo, setSentTo] = useState('')
  const { onRefused, refusedDialog } = useRefusedDialog(say('We couldn’t send a code'))
  // Fills in the email that was typed to sign in.
  const form = useForm({ rules: asked, defaults: { email: '' }, draft: 'login' })

  // Sending the form deleted its draft, but the person will soon sign in with this email.
  useEffect(() => {
    if (sentTo) leaveDraft('login', { email: sentTo })
  }, [sentTo])

  return (
    <SignInFrame
      title={say('Forgot your password?')}
      lead={say('Enter your email and we’ll send you a code to set a new one.')}
    >
      <Form
        form={form}
        onRefused={onRefused}
        onSubmit={async ({ email }) => {
          await send({ email })
          setSentTo(email)
        }}
      >
        <TextField label={say('Email')} type="email" autoComplete="username" {...form.field('email')} />
        <Button type="submit" variant="primary" size={56} wide busy={form.busy} busyLabel={say('Sending…')}>
          {say('Submit')}
        </Button>
      </Form>
      <p className="text-ink-soft">
        {say('Have a code already? {reset}.', {
          reset: <Link href="/resetpwd">{say('Set a new password')}</Link>,
        })}
      </p>
      {refusedDialog}
      {sentTo && (
        <Dialog
          small
          onClose={() => setSentTo('')}
          title={say('Check your email')}
          foot={
            <LinkButton variant="primary" href="/resetpwd">
              {say('Reset Password')}
            </LinkButton>
          }
        >
          <p>
            {say(
              'If {email} has an account, we’ve emailed it a reset code. The newest code works once, for {minutes} minutes.',
              { email: <strong>{sentTo}</strong>, minutes: RESET_CODE_MINUTES },
            )}
          </p>
          <p>
            {say(
              'If you bought a consult with it and have no account yet, the email has a link to set a password.',
            )}
          </p>
          <p className="text-ink-soft">
            {say(
              'Nothing there? Check your spam folder, or try the email address you signed up with. We send up to {count} codes in {minutes} minutes.',
              { count: LIMITS.resetCodeEmail.max, minutes: LIMITS.resetCodeEmail.minutes },
            )}
          </p>
        </Dialog>
      )}
    </SignInFrame>
  )
}
