import { useEffect, type ReactNode } from 'react'
import { Button, LinkButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { say, sayLines } from '../ui/say.ts'
import { Scene } from '../ui/scene.tsx'
import { FormReplacement } from '../purchases/form-replacement.tsx'
import { Outcome } from '../purchases/outcome.tsx'

export const AlreadyMember = () => (
  <FormReplacement
    title={say('You already have an active membership')}
    act={
      <LinkButton variant="primary" size={56} href="/myaccount#membership" className="max-xs:w-full">
        {say('Manage Subscription')}
      </LinkButton>
    }
  >
    {say('You’ll find its plan, next payment and pets on My account.')}
  </FormReplacement>
)

/** Long enough to read what happened. */
export const THEN_LOGIN_SECONDS = 3

/** Says that it worked. The sign-in page opens automatically. */
export function Done({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    scrollTo(0, 0)
    const timer = setTimeout(() => location.assign('/login'), THEN_LOGIN_SECONDS * 1000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Outcome
      picture={<Scene scene="cat-on-lap" className="w-48 rounded-card" />}
      title={title}
      says={children}
    >
      <div>
        <LinkButton variant="primary" href="/login">
          {say('Login')}
        </LinkButton>
      </div>
    </Outcome>
  )
}

export const Refusals = ({
  says,
  signIn,
  signInSays = say('We’ve kept your plan, so you can continue with your account.'),
  onClear,
}: {
  says: string[]
  /** The address of /login, if the email already has an account. */
  signIn: string | undefined
  signInSays?: string
  onClear: () => void
}) => (
  <Dialog
    small
    onClose={onClear}
    title={say('Errors Occurred')}
    foot={
      <>
        {signIn && (
          <LinkButton variant="primary" href={signIn}>
            {say('Sign in')}
          </LinkButton>
        )}
        <Button variant={signIn ? 'text' : 'primary'} onClick={onClear}>
          {say('Clear')}
        </Button>
      </>
    }
  >
    <div role="alert" className="stack gap-2">
      {says.map((message) => (
        <p key={message}>{sayLines(message)}</p>
      ))}
      {signIn && <p className="text-ink-soft">{signInSays}</p>}
    </div>
  </Dialog>
)
