import { useQuery } from '@tanstack/react-query'
import { sentenceOf } from '#contract/errors.ts'
import { useRefusedDialog } from '../accounts/refused-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { PortalFrame } from './portal-frame.tsx'
import { useLoginClinic, whyEnded } from './queries.ts'

const empty = sentenceOf('CLINIC_SIGN_IN_EMPTY')
const asked = ({ username, password }: { username: string; password: string }) =>
  username.trim() === '' ? { username: empty } : { password: password === '' && empty }

export function SignIn({ endedToken }: { endedToken: string | undefined }) {
  const login = useLoginClinic()
  const { onRefused, refusedDialog } = useRefusedDialog('We couldn’t sign you in')
  const form = useForm({ rules: asked, defaults: { username: '', password: '' } })
  return (
    <PortalFrame clinic={undefined}>
      <div className="stack mx-auto w-full max-w-112 content-start gap-6 px-4 pt-10 pb-16">
        <div className="stack gap-2">
          <h1 className="t36">Clinic portal</h1>
          <p className="text-ink-soft">
            See which of your patients talked to a VetChat vet, and confirm that you have the case.
          </p>
        </div>
        {endedToken && <SignedOut token={endedToken} />}
        <Form form={form} onSubmit={login} onRefused={onRefused}>
          <TextField
            label="Username"
            help="Your clinic’s, or your own email if that’s how you sign in"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            {...form.field('username')}
          />
          <PasswordField label="Password" {...form.field('password')} />
          <Button type="submit" variant="primary" size={56} wide busy={form.busy} busyLabel="Signing in…">
            Sign in
          </Button>
        </Form>
        <p className="text-ink-soft">
          Forgot the password, or not a partner clinic yet? <Link href="/contact">Contact us</Link> and we’ll
          email you a link.
        </p>
        <p className="text-ink-soft">
          A pet owner? <Link href="/login">Sign in here</Link>.
        </p>
      </div>
      {refusedDialog}
    </PortalFrame>
  )
}

function SignedOut({ token }: { token: string }) {
  const { data, isPending } = useQuery({ ...whyEnded(token), retry: false })
  if (isPending) return null
  return data?.removed_from ? (
    <Note tone="info" role="status" title={`You no longer have access to ${data.removed_from}`}>
      Somebody removed your access. If that’s a mistake, ask your clinic, or{' '}
      <Link href="/contact">contact us</Link>.
    </Note>
  ) : (
    <Note tone="info" role="status" title="You were signed out">
      A session lasts 12 hours, and ends when the password changes. Please sign in again.
    </Note>
  )
}
