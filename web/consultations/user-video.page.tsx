import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { words } from '#contract/errors.ts'
import { WayIn } from '../accounts/way-in.tsx'
import { useLoginByLink } from './room-queries.ts'
import { ApiError } from '../lib/api.ts'
import { pageMeta } from '../lib/meta.ts'
import { canStore, NO_STORAGE } from '../lib/no-storage.ts'
import { keepSingleToken } from '../lib/session.ts'
import { Button } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { say } from '../ui/say.ts'

export const meta = () => pageMeta(say('Your consult'), say('Opens the consult our email is about.'))

/** Needs a press, so that a mail scanner that follows the link doesn't use it up. */
export default function UserVideo() {
  const { mutate, isPending, isSuccess, error } = useLoginByLink()
  const [full, setFull] = useState(false)
  const link = useLinkInAddress()
  const lost = error instanceof ApiError && error.status === 0
  const useless = error !== null && !lost
  const open = () => {
    const stores = canStore()
    setFull(!stores)
    // The link works once, so it isn't used in vain.
    if (!stores) return
    mutate(link, {
      onSuccess: ({ token }) => {
        keepSingleToken(token, Number(link.consult_id))
        location.replace(`/video-chat/${link.consult_id}`)
      },
    })
  }
  if (!link.signature)
    return (
      <WayIn title={say('Your consult')} lead={say('Please open the link in our email again.')}>
        <p className="text-ink-soft">
          {say('If you have an account, your consults are under {account}.', {
            account: <Link href="/myaccount">{say('My account')}</Link>,
          })}
        </p>
      </WayIn>
    )
  return (
    <WayIn
      title={say('Your consult')}
      lead={say('This opens the consult on this device. The link works once.')}
    >
      {full && (
        <div role="alert">
          <Note tone="bad" title={say('We couldn’t open your consult')}>
            {say(NO_STORAGE)}
          </Note>
        </div>
      )}
      {error && !isPending && (
        <div role="alert">
          {lost ? (
            <Note tone="bad" title={say('We couldn’t reach VetChat')}>
              {say('The link still works. Please try again.')}
            </Note>
          ) : (
            <Note tone="bad" title={say(error.message)}>
              {error.message === words('LINK_SPENT')
                ? say('It should arrive within a minute. Check your spam folder too.')
                : say('The link in an older email may have been shortened or broken.')}
            </Note>
          )}
        </div>
      )}
      {!useless && (
        <div>
          <Button
            variant="primary"
            size={56}
            busy={isPending || isSuccess}
            busyLabel={say('Opening…')}
            onClick={open}
          >
            {error ? say('Try again') : say('Open my consult')}
          </Button>
        </div>
      )}
    </WayIn>
  )
}

/** Removes the signature from the address and the history straight away, and keeps it for the press. */
function useLinkInAddress() {
  const { customer_id = '', consult_id = '' } = useParams()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [link] = useState(() => {
    const asked = new URLSearchParams(search)
    return {
      customer_id,
      consult_id,
      expires: asked.get('expires') ?? '',
      signature: asked.get('signature') ?? '',
    }
  })
  useEffect(() => {
    if (search) void navigate(pathname, { replace: true, preventScrollReset: true })
  }, [pathname, search, navigate])
  return link
}
