import { useEffect, useRef } from 'react'
import { words } from '#contract/errors.ts'
import { ApiError } from '../lib/api.ts'
import { useCodeInAddress } from '../lib/code-in-address.ts'
import { pageMeta } from '../lib/meta.ts'
import { useSession } from '../lib/session.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useConfirmEmail } from './queries.ts'
import { WayIn } from '../accounts/way-in.tsx'

export const meta = () => pageMeta('Confirm your email', 'Changes the email of your account.')

export default function ConfirmEmail() {
  const code = useCodeInAddress('/confirm-email')
  const { mutate, data, error } = useConfirmEmail()
  const asked = useRef(false)

  useEffect(() => {
    // A code counts once, and effects may run twice.
    if (code && !asked.current) mutate({ code })
    asked.current = true
  }, [code, mutate])

  if (!code)
    return (
      <WayIn title="Confirm your email" lead="Please open the link in our email once more.">
        <p className="text-ink-soft">
          Opened it before? Then your email is changed already. <GoOn />
        </p>
      </WayIn>
    )
  if (data)
    return (
      <WayIn title="Your email is changed" lead="From now on you sign in with it, and our emails go there.">
        <p role="status" className="t18 break-words">
          {data.email}
        </p>
        <div>
          <GoOn button />
        </div>
      </WayIn>
    )
  if (error) {
    const unreached = error instanceof ApiError && error.status === 0
    return (
      <WayIn title="Confirm your email" lead="Your email is as it was.">
        <div role="alert">
          <Note tone="bad" title={unreached ? 'We could not reach VetChat' : error.message}>
            {unreached
              ? 'The link still counts. Please try again.'
              : error.message === words('EMAIL_LINK_WRONG') && (
                  <Link href="/myaccount/profile">To your profile</Link>
                )}
          </Note>
        </div>
        {unreached && (
          <div>
            <Button variant="primary" onClick={() => mutate({ code })}>
              Try again
            </Button>
          </div>
        )}
      </WayIn>
    )
  }
  return (
    <WayIn title="Confirm your email" lead="One moment, we are changing it.">
      <div aria-busy="true" className="stack gap-4">
        <p role="status" className="sr-only">
          Changing your email
        </p>
        <Skeleton className="h-6 w-3/5" />
        <Skeleton round className="h-12 w-44" />
      </div>
    </WayIn>
  )
}

/** To the account of whoever is signed in here, or to the way in. */
function GoOn({ button }: { button?: boolean }) {
  const [href, says] = useSession() === 'in' ? ['/myaccount', 'My account'] : ['/login', 'Login']
  return button ? (
    <LinkButton variant="primary" size={56} href={href}>
      {says}
    </LinkButton>
  ) : (
    <Link href={href}>{says}</Link>
  )
}
