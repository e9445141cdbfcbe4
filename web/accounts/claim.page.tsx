import { useState } from 'react'
import { pageMeta } from '../lib/meta.ts'
import { weakPassword } from '../lib/rules.ts'
import { claimTab } from '../lib/claim-tab.ts'
import { signIn } from '../lib/session.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { useCodeInAddress } from '../lib/code-in-address.ts'
import { say } from '../ui/say.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { useClaimAccount } from './queries.ts'
import { useRefusedDialog } from './refused-dialog.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

export const meta = () => pageMeta(say('Open your account'), say('Set a password to open your account.'))

const asked = ({ password }: { code: string; password: string }) => ({
  password: weakPassword(password),
})

export default function Claim() {
  const code = useCodeInAddress('/claim')
  const send = useClaimAccount()
  const { onRefused, refusedDialog } = useRefusedDialog(say('We couldn’t open your account'))
  const [done, setDone] = useState<'joined' | 'set'>()
  const form = useForm({ rules: asked, defaults: { code, password: '' } })

  if (!code) return <OpenTheLink />
  return (
    <SignInFrame title={say('Open your account')} lead={say('Choose a password, and your account is ready.')}>
      <Form
        form={form}
        onRefused={onRefused}
        onSubmit={async (values) => {
          const { token, joined } = await send(values)
          if (token === null) return setDone(joined ? 'joined' : 'set')
          claimTab()
          signIn(token, false)
          location.replace('/myaccount')
        }}
      >
        <NewPasswordField label={say('Password')} {...form.field('password')} />
        <Button type="submit" variant="primary" size={56} wide busy={form.busy}>
          {say('Set my password')}
        </Button>
      </Form>
      <p className="text-ink-soft">
        {say('Has the link expired? {ask} instead.', {
          ask: <Link href="/forgotpassword">{say('Get a code by email')}</Link>,
        })}
      </p>
      {refusedDialog}
      {done && (
        <Dialog
          small
          onClose={() => location.assign('/login')}
          title={done === 'joined' ? say('You already have an account') : say('Your password is set')}
          foot={
            <LinkButton variant="primary" href="/login">
              {say('Login')}
            </LinkButton>
          }
        >
          <p>
            {done === 'joined'
              ? say(
                  'What you bought is in it now. Its password is the one you had before, so sign in with that.',
                )
              : say('Sign in with it, and with a code from your authenticator app.')}
          </p>
        </Dialog>
      )}
    </SignInFrame>
  )
}

/** The code was removed from the address, so a reload loses it. */
const OpenTheLink = () => (
  <SignInFrame title={say('Open your account')} lead={say('Please open the link in our email again.')}>
    <p className="text-ink-soft">
      {say('No link, or has it expired? {ask} instead.', {
        ask: <Link href="/forgotpassword">{say('Get a code by email')}</Link>,
      })}
    </p>
  </SignInFrame>
)
