import { useEffect, useState } from 'react'
import { sentenceOf } from '#contract/errors.ts'
import { useLoginByLink } from './room-queries.ts'
import { ApiError } from '../lib/api.ts'
import { canStore, NO_STORAGE } from '../lib/no-storage.ts'
import { replaceAddress } from '../lib/page-address.tsx'
import { keepSingleToken } from '../lib/session.ts'
import { NeedsScript } from '../shell/needs-script.tsx'
import { Button } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { say } from '../ui/say.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { RoomFrame } from './room-frame.tsx'

/**
 * Opens the consult that a mail is about, in the same document. Needs a press, so that a mail scanner that follows the
 * link doesn't use it up.
 */
export function ConsultLink({ pathname, search }: Pick<Location, 'pathname' | 'search'>) {
  const { mutate, isPending, isSuccess, error } = useLoginByLink()
  const [full, setFull] = useState(false)
  const link = useLinkInAddress(pathname, search)
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
        replaceAddress(`/video-chat/${link.consult_id}`)
      },
    })
  }
  return (
    <RoomFrame
      back={{ href: '/', name: 'VetChat' }}
      face={<Skeleton round className="size-10 animate-none!" />}
      title={say('Your consult')}
      state={say('Not open yet')}
    >
      <div className="stack w-full max-w-[460px] content-center gap-6 justify-self-center overflow-auto px-5 py-8">
        <NeedsScript />
        {link.signature ? (
          <p>{say('This opens the consult on this device. The link works once.')}</p>
        ) : (
          <>
            <p>{say('Please open the link in our email again.')}</p>
            <p className="text-ink-soft">
              {say('If you have an account, your consults are under {account}.', {
                account: <Link href="/myaccount">{say('My account')}</Link>,
              })}
            </p>
          </>
        )}
        {full && (
          <Note tone="bad" role="alert" title={say('We couldn’t open your consult')}>
            {say(NO_STORAGE)}
          </Note>
        )}
        {error && !isPending && (
          <Note tone="bad" role="alert" title={lost ? say('We couldn’t reach VetChat') : say(error.message)}>
            {lost
              ? say('The link still works. Please try again.')
              : error.message === sentenceOf('LINK_SPENT')
                ? say('It should arrive within a minute. Check your spam folder too.')
                : say('The link in an older email may have been shortened or broken.')}
          </Note>
        )}
        {link.signature && !useless && (
          <div>
            <Button
              variant="primary"
              size={56}
              wide
              busy={isPending || isSuccess}
              busyLabel={say('Opening…')}
              onClick={open}
            >
              {error ? say('Try again') : say('Open my consult')}
            </Button>
          </div>
        )}
      </div>
    </RoomFrame>
  )
}

/** Removes the signature from the address and the history straight away, and keeps it for the press. */
function useLinkInAddress(pathname: string, search: string) {
  const [link] = useState(() => {
    const [customer_id = '', consult_id = ''] = pathname.split('/').slice(2).map(decoded)
    const asked = new URLSearchParams(search)
    return {
      customer_id,
      consult_id,
      expires: asked.get('expires') ?? '',
      signature: asked.get('signature') ?? '',
    }
  })
  useEffect(() => {
    if (search) replaceAddress(pathname)
  }, [pathname, search])
  return link
}

/** A link that was broken on its way may not decode. The server then says that it doesn't work. */
function decoded(part: string) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
