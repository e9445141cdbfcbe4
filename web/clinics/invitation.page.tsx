import { useState } from 'react'
import { CLINIC_PASSWORD_RULE } from '#contract/clinics.ts'
import { sentenceOf } from '#contract/errors.ts'
import { useRefusedDialog } from '../accounts/refused-dialog.tsx'
import { SignInFrame } from '../accounts/sign-in-frame.tsx'
import { useCodeInAddress } from '../lib/code-in-address.ts'
import { pageMeta } from '../lib/meta.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { useAcceptInvitation } from './queries.ts'

export const meta = () => pageMeta('Clinic portal: set a password', 'Set the password for your clinic.')

const asked = ({ password }: { code: string; password: string }) => ({
  password: !CLINIC_PASSWORD_RULE.met(password) && sentenceOf('CLINIC_PASSWORD_SHORT'),
})

/** Where a clinic, or one of its people, sets a password with a mailed link. */
export default function Invitation() {
  const code = useCodeInAddress('/clinic-invitation')
  const send = useAcceptInvitation()
  const { onRefused, refusedDialog } = useRefusedDialog('We couldn’t set your password')
  const [done, setDone] = useState<{ clinic: string; username: string }>()
  const form = useForm({ rules: asked, defaults: { code, password: '' } })

  if (done)
    return (
      <SignInFrame
        title="Your password is set"
        lead={`You can sign in to the clinic portal for ${done.clinic} now.`}
      >
        <p>
          Your username is <strong className="font-semi break-all">{done.username}</strong>.
        </p>
        <LinkButton variant="primary" size={56} wide href="/clinic-portal">
          Open the clinic portal
        </LinkButton>
      </SignInFrame>
    )
  if (!code)
    return (
      <SignInFrame title="Set a password" lead="Please open the link in our email again.">
        <p className="text-ink-soft">No link, or has it expired? Ask VetChat for a new one.</p>
      </SignInFrame>
    )
  return (
    <SignInFrame title="Set a password" lead="You’ll use it to sign in to the clinic portal.">
      <Form form={form} onRefused={onRefused} onSubmit={async (values) => setDone(await send(values))}>
        <PasswordField
          label="Password"
          autoComplete="new-password"
          rules={[CLINIC_PASSWORD_RULE]}
          {...form.field('password')}
        />
        <Button type="submit" variant="primary" size={56} wide busy={form.busy}>
          Set my password
        </Button>
      </Form>
      {refusedDialog}
    </SignInFrame>
  )
}
