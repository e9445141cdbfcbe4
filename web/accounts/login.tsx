import { useEffect, useState } from 'react'
import { sentenceOf } from '#contract/errors.ts'
import { claimTab } from '../lib/claim-tab.ts'
import { usePageAddress } from '../lib/page-address.tsx'
import { safePath } from '../lib/safe-path.ts'
import { noPassword, wrongEmail } from '../lib/rules.ts'
import { canStore, NO_STORAGE } from '../lib/no-storage.ts'
import { signIn, useSession } from '../lib/session.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { CodeForm } from './code-form.tsx'
import { useLogin, useMe } from './queries.ts'
import { useRefusedDialog } from './refused-dialog.tsx'
import { LoginButton } from './login-button.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

interface Details {
  email: string
  password: string
  remember: boolean
  code?: string
  /** They have just joined. */
  isNew?: boolean
}

/** Long enough to read the welcome. */
const THEN_GO_AFTER = 1000

export function Login() {
  const { searchParams: search } = usePageAddress()
  const session = useSession()
  const send = useLogin()
  const { onRefused, refusedDialog } = useRefusedDialog(say('We couldn’t sign you in'))
  const [welcome, setWelcome] = useState(false)
  const [halfway, setHalfway] = useState<Details>()
  const form = useForm({
    rules: (typed) => ({
      email: wrongEmail(typed.email),
      password: noPassword(typed.password),
    }),
    defaults: { email: search.get('email') ?? '', password: '', remember: false, isNew: false },
    // Joining leaves the email there.
    draft: 'login',
  })
  const from = search.get('from')
  const isNew = form.hook.watch('isNew')
  // Fetched while the person reads the welcome, so that an owner's page can load all its data at the same time.
  useMe(welcome)

  useEffect(() => {
    if (session !== 'in') return
    const go = () => location.replace(safePath(from) ?? '/myaccount')
    const timer = setTimeout(go, welcome ? THEN_GO_AFTER : 0)
    return () => clearTimeout(timer)
  }, [session, welcome, from])

  async function submit(details: Details) {
    if (!canStore()) throw { errors: [say(NO_STORAGE)] } satisfies Refusal
    try {
      const { token, id } = await send(details)
      setWelcome(true)
      claimTab(id)
      signIn(token, details.remember)
    } catch (error) {
      if ((error as Refusal).code !== 'FACTOR_NEEDED') throw error
      setHalfway(details)
    }
  }

  if (halfway)
    return (
      <>
        <CodeForm
          welcome={welcome}
          onSubmit={({ code }) => submit({ ...halfway, code })}
          onRefused={onRefused}
          onBack={() => setHalfway(undefined)}
        />
        {refusedDialog}
      </>
    )
  return (
    <SignInFrame
      title={isNew ? say('Welcome to VetChat') : say('Welcome back')}
      lead={
        isNew
          ? say('Sign in with the password you’ve just chosen.')
          : say('Your pets and their history are where you left them.')
      }
    >
      {from && (
        <Note tone="info" title={say(sentenceOf('PLEASE_LOGIN'))}>
          {say('You’ll come back to where you were.')}
        </Note>
      )}
      <Form form={form} onSubmit={submit} onRefused={onRefused}>
        <TextField label={say('Email')} type="email" autoComplete="username" {...form.field('email')} />
        <PasswordField
          label={say('Password')}
          aside={
            <Link href="/forgotpassword" className="-my-2.5 inline-flex min-h-11 items-center">
              {say('Forgot your password?')}
            </Link>
          }
          {...form.field('password')}
        />
        <Checkbox label={say('Remember me')} {...form.check('remember')} />
        <LoginButton busy={form.busy} welcome={welcome} />
      </Form>
      <Note tone="info" icon="mail" title={say('Paid for a single consult?')}>
        {say('You don’t need a password. Open the link in the email we sent you.')}
      </Note>
      <p className="text-ink-soft">
        {say('New here? {talk} or {join}.', {
          talk: <Link href="/how-it-works#hiw-pricing2">{say('Talk to a vet')}</Link>,
          join: <Link href="/petculture-plus">{say('become a member')}</Link>,
        })}
      </p>
      {refusedDialog}
    </SignInFrame>
  )
}
