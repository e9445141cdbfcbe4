import { useState } from 'react'
import type { Attachment } from '#contract/chat.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Failed } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { LatePart } from '../ui/late-part.ts'
import { say, sentence } from '../ui/say.ts'
import { sizeSaid } from '../ui/size-said.ts'

const loadViewer = () => import('./picture-viewer.tsx')

const SAID = { picture: sentence('Picture'), video: sentence('Video'), document: sentence('PDF') }

/** The words for a file where it can’t be shown. */
export const attachmentSaid = ({ kind, filename }: Attachment) => `${say(SAID[kind])}, ${filename}`

interface ViewProps {
  attachment: Attachment
  /** The picture as this page sent it. */
  own?: string | undefined
  tail?: string
  /** Whose picture it is, and when it was sent. */
  said?: string
  /** One of several pictures in a row: all have the same shape, and each opens at full size. */
  album?: boolean
}

/** The box has the file's shape before the file loads, so nothing moves. Films and documents load on request. */
export function AttachmentView(props: ViewProps) {
  const { attachment, tail = '' } = props
  const { kind, url, filename, bytes } = attachment
  if (kind === 'picture') return <Picture {...props} />
  if (kind === 'video')
    return (
      <figure className={`m-0 max-w-full overflow-hidden rounded-card border border-line bg-card ${tail}`}>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a film from a phone has no captions */}
        <video
          controls
          preload="none"
          src={url}
          aria-label={filename}
          className="block aspect-[4/3] w-80 max-w-full bg-black"
        />
        <figcaption className="px-3 py-2 text-14 text-ink-soft">
          {say('Video, {size}', { size: sizeSaid(bytes) })}
        </figcaption>
      </figure>
    )
  return (
    <a
      href={url}
      className={`grid min-h-14 max-w-full grid-cols-[24px_minmax(0,1fr)] items-center gap-3 rounded-card border border-line bg-card px-4 py-3 text-inherit no-underline hover:bg-paper-sunk ${tail}`}
    >
      <Icon name="file-text" size={24} className="text-green" />
      <span className="grid">
        <span className="truncate font-medium">{filename}</span>
        <span className="text-14 text-ink-soft">{say('PDF, {size}', { size: sizeSaid(bytes) })}</span>
      </span>
    </a>
  )
}

/** A link to the picture. A plain click opens it over the page. */
function Picture({ attachment: picture, own, tail = '', said = '', album }: ViewProps) {
  const { filename, width, height } = picture
  // A browser may lose what it sent.
  const [isLost, lose] = useState(false)
  const url = isLost ? picture.url : (own ?? picture.url)
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <a
        href={picture.url}
        target="_blank"
        rel="noreferrer"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          setOpen(true)
        }}
        style={album ? undefined : { aspectRatio: `${width ?? 4} / ${height ?? 3}` }}
        className={`block max-w-full overflow-clip rounded-card border border-line bg-paper-sunk ${album ? 'aspect-[4/3]' : 'max-h-96 w-[232px] lg:w-80'} ${tail}`}
      >
        <img
          src={url}
          alt={said}
          loading="lazy"
          onError={own === undefined ? undefined : () => lose(true)}
          className="size-full object-cover"
        />
      </a>
      {open && (
        <LatePart
          load={loadViewer}
          renderFailed={(retry) => (
            <Dialog small title={said} onClose={close}>
              <Failed what={say('this picture')} onRetry={retry} />
            </Dialog>
          )}
        >
          {({ PictureViewer }) => <PictureViewer picture={{ url, filename }} said={said} onClose={close} />}
        </LatePart>
      )}
    </>
  )
}
