import { useState } from 'react'
import { RESET_CODE_LENGTH } from '#contract/accounts.ts'
import { pageMeta } from '../lib/meta.ts'
import { noCode, weakPassword } from '../lib/rules.ts'
import { useSession } from '../lib/session.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useCodeInAddress } from '../lib/code-in-address.ts'
import { say } from '../ui/say.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { useResetPassword } from './queries.ts'
import { useRefusedDialog } from './refused-dialog.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

export const meta = () =>
  pageMeta(say('Set a new password'), say('Set a new password with the code from your email.'))

const asked = ({ code, password }: { code: string; password: string }) => ({
  code: noCode(code, 'RESET_CODE_MISSING'),
  password: weakPassword(password),
})

export default function ResetPassword() {
  const code = useCodeInAddress('/resetpwd')
  const send = useResetPassword()
  const [done, setDone] = useState(false)
  // Somebody who is still signed in here, with this account or another, signs out first.
  const next = useSession() === 'in' ? '/logout' : '/login'
  const { onRefused, refusedDialog } = useRefusedDialog(say('We couldn’t set your password'))
  const form = useForm({ rules: asked, defaults: { code, password: '' } })

  return (
    <SignInFrame title={say('Set a new password')} lead={say('This will sign out your other devices.')}>
      <Form
        form={form}
        onRefused={onRefused}
        onSubmit={async (values) => {
          await send(values)
          setDone(true)
        }}
      >
        <TextField
          label={say('Reset code')}
          type="code"
          autoComplete="one-time-code"
          help={say('{count} letters and digits from the email. Capitals, spaces and hyphens don’t matter.', {
            count: RESET_CODE_LENGTH,
          })}
          {...form.field('code')}
        />
        <NewPasswordField label={say('New password')} {...form.field('password')} />
        <Button type="submit" variant="primary" size={56} wide busy={form.busy}>
          {say('Set new password')}
        </Button>
      </Form>
      <p className="text-ink-soft">
        {say('No code, or has it expired? {ask}.', {
          ask: <Link href="/forgotpassword">{say('Ask for a new one')}</Link>,
        })}
      </p>
      {refusedDialog}
      {done && (
        <Dialog
          small
          onClose={() => location.assign(next)}
          title={say('Your password is set')}
          foot={
            <LinkButton variant="primary" href={next}>
              {say('Login')}
            </LinkButton>
          }
        >
          <p>{say('Sign in with your new password. We’ve also emailed you to say it was changed.')}</p>
        </Dialog>
      )}
    </SignInFrame>
  )
}
