import { useState } from 'react'
import { resetPassword } from '#contract/accounts.ts'
import { pageMeta } from '../lib/meta.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useCodeInAddress } from '../lib/code-in-address.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { useResetPassword } from './queries.ts'
import { RefusedDialog } from './refused-dialog.tsx'
import { WayIn } from './way-in.tsx'

export const meta = () => pageMeta('Set a new password', 'Set a new password with the code from your email.')

export default function ResetPassword() {
  const code = useCodeInAddress('/resetpwd')
  const send = useResetPassword()
  const [done, setDone] = useState(false)
  const [refused, setRefused] = useState<string[]>([])
  const form = useForm({ schema: resetPassword.input, defaults: { code, password: '' } })

  return (
    <WayIn title="Set a new password" lead="Your other devices are signed out when you do.">
      <Form
        form={form}
        method="post"
        onRefused={setRefused}
        onSubmit={async (values) => {
          await send(values)
          setDone(true)
        }}
      >
        <TextField
          label="Reset code"
          type="code"
          autoComplete="one-time-code"
          help="20 letters and digits from the email. Capitals, spaces and hyphens don’t matter."
          {...form.field('code')}
        />
        <NewPasswordField label="New password" {...form.field('password')} />
        <Button type="submit" variant="primary" size={56} wide busy={form.busy}>
          Set new password
        </Button>
      </Form>
      <p className="text-ink-soft">
        No code, or is it too old? <Link href="/forgotpassword">Ask for a new one</Link>.
      </p>
      <RefusedDialog
        title="We could not set your password"
        messages={refused}
        onClose={() => setRefused([])}
      />
      <Dialog
        small
        open={done}
        onClose={() => location.assign('/login')}
        title="Your password is set"
        foot={
          <LinkButton variant="primary" href="/login">
            Login
          </LinkButton>
        }
      >
        <p>Sign in with your new password. We also sent you an email that it was changed.</p>
      </Dialog>
    </WayIn>
  )
}
