import { useQuery } from '@tanstack/react-query'
import { sentenceOf } from '#contract/errors.ts'
import { ApiError } from '../lib/api.ts'
import { useCodeInAddress } from '../lib/code-in-address.ts'
import { currentUser } from '../lib/current-user.ts'
import { pageMeta } from '../lib/meta.ts'
import { useSession } from '../lib/session.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { useFocusAfter } from '../ui/focus-after.ts'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { useConfirmEmail } from './queries.ts'
import { SignInFrame } from '../accounts/sign-in-frame.tsx'
import { say, sayLines } from '../ui/say.ts'

export const meta = () =>
  pageMeta(say('Confirm your email'), say('Confirm that this email address is yours.'))

/** Needs a press, so that a mail scanner that follows the link doesn't use it up. */
export default function ConfirmEmail() {
  const code = useCodeInAddress('/confirm-email')
  const { mutate, isPending, data, error } = useConfirmEmail()
  const useless = error?.message === sentenceOf('EMAIL_LINK_WRONG')
  useFocusAfter(!data && !useless, () => document.getElementById('main'))

  if (!code)
    return (
      <SignInFrame title={say('Confirm your email')} lead={say('Please open the link in our email again.')}>
        <p className="text-ink-soft">
          {say('Already confirmed it? Then there’s nothing left to do.')} <GoOn />
        </p>
      </SignInFrame>
    )
  if (data)
    return (
      <SignInFrame
        title={say('Your email is confirmed')}
        lead={say('You now sign in with it, and our emails go there.')}
      >
        <p role="status" className="t18 break-words">
          {data.email}
        </p>
        <div>
          <GoOn confirmed={data.email} />
        </div>
      </SignInFrame>
    )
  return (
    <SignInFrame
      title={say('Confirm your email')}
      lead={
        error && !isPending
          ? useless
            ? say('This link doesn’t work any more.')
            : say('Your email hasn’t changed.')
          : say('You’ll sign in with this address, and our emails will go there.')
      }
    >
      {error && !isPending && (
        <div role="alert">
          {error instanceof ApiError && error.status === 0 ? (
            <Note tone="bad" title={say('We couldn’t reach VetChat')}>
              {say('The link still works. Please try again.')}
            </Note>
          ) : (
            <Note tone="bad" title={sayLines(error.message)}>
              {useless && (
                <>
                  <p>{say('Already confirmed it? Then there’s nothing left to do.')}</p>
                  <p>
                    {say('Otherwise {change}, or {reset}, which confirms it too.', {
                      change: (
                        <Link href="/myaccount/profile">{say('change your email in your profile')}</Link>
                      ),
                      reset: <Link href="/forgotpassword">{say('set a new password')}</Link>,
                    })}
                  </p>
                </>
              )}
            </Note>
          )}
        </div>
      )}
      {!useless && (
        <div>
          <Button
            variant="primary"
            size={56}
            busy={isPending}
            busyLabel={say('Confirming…')}
            onClick={() => mutate({ code })}
          >
            {error ? say('Try again') : say('Use this email')}
          </Button>
        </div>
      )}
    </SignInFrame>
  )
}

/** Leads to the account whose email was confirmed. If somebody else is signed in here, they sign out first. */
function GoOn({ confirmed }: { confirmed?: string }) {
  const isIn = useSession() === 'in'
  const user = useQuery({ ...currentUser, enabled: isIn && confirmed !== undefined }).data
  const [href, says] = !isIn
    ? ['/login', say('Login')]
    : user && user.email !== confirmed
      ? ['/logout', say('Login')]
      : ['/myaccount', say('My account')]
  return confirmed !== undefined ? (
    <LinkButton variant="primary" size={56} href={href}>
      {says}
    </LinkButton>
  ) : (
    <Link href={href}>{says}</Link>
  )
}
