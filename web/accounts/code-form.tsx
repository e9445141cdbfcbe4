import { useEffect, useState } from 'react'
import { FACTOR_DIGITS } from '#contract/factor.ts'
import { noCode } from '../lib/rules.ts'
import { Button } from '../ui/button.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { LoginButton } from './login-button.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

const asked = ({ code }: { code: string }) => ({ code: noCode(code, 'FACTOR_CODE_MISSING') })

/** The second step of signing in, for people who turned on a second factor. */
export function CodeForm({
  welcome,
  onSubmit,
  onRefused,
  onBack,
}: {
  welcome: boolean
  onSubmit: (typed: { code: string }) => Promise<void>
  onRefused: (messages: string[]) => void
  onBack: () => void
}) {
  const [lost, setLost] = useState(false)
  const form = useForm({ rules: asked, defaults: { code: '' } })
  const { setFocus, setValue, setError } = form.hook

  useEffect(() => setFocus('code'), [setFocus, lost])

  return (
    <SignInFrame
      title={lost ? say('Use a recovery code') : say('Enter your code')}
      lead={
        lost
          ? say('One of the ten that you kept when you set up your second factor. Each works once.')
          : say('Open your authenticator app and type the {count} digits for VetChat.', {
              count: FACTOR_DIGITS,
            })
      }
    >
      <Form form={form} onSubmit={onSubmit} onRefused={onRefused}>
        {lost ? (
          <TextField key="lost" label={say('Recovery code')} type="code" {...form.field('code')} />
        ) : (
          <TextField
            key="app"
            label={say('Code from your app')}
            type="digits"
            autoComplete="one-time-code"
            {...form.field('code')}
          />
        )}
        <LoginButton busy={form.busy} welcome={welcome} />
      </Form>
      <div className="-ml-3 flex flex-wrap gap-2">
        <Button
          variant="text"
          size={44}
          onClick={() => {
            setValue('code', '')
            setError('code', undefined)
            setLost(!lost)
          }}
        >
          {lost ? say('Use the app instead') : say('I don’t have my phone')}
        </Button>
        <Button variant="text" size={44} onClick={onBack}>
          {say('Sign in as someone else')}
        </Button>
      </div>
      {lost && (
        <p className="text-ink-soft">
          {say('No recovery codes either? Ask an admin to remove your second factor.')}
        </p>
      )}
    </SignInFrame>
  )
}
