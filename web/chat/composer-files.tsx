import { useState } from 'react'
import type { Attachment } from '#contract/chat.ts'
import { FileInput } from '../ui/file-button.tsx'
import { FilePicture } from '../ui/file-picture.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Progress } from '../ui/progress.tsx'
import { say, sentence, type Sentence } from '../ui/say.ts'
import { sizeSaid } from '../ui/size-said.ts'
import { type ConversationStore, useConversationState } from './conversation-store.ts'
import type { OutboxItem } from './outbox.ts'

const ACCEPTS = 'image/jpeg,image/png,video/mp4,video/webm,video/quicktime,application/pdf'

const SENT: Record<Attachment['kind'], Sentence> = {
  picture: sentence('Picture sent'),
  video: sentence('Video sent'),
  document: sentence('PDF sent'),
}

/** The files of the outbox, above the text box, with their sizes before and after. */
export function FileRows({ conversation }: { conversation: ConversationStore }) {
  const { outbox, upload, arrived, reach } = useConversationState(conversation)
  const { retry, remove } = conversation.outbox
  const files = outbox.filter(({ file }) => file)
  return (
    <>
      {/* In the page from the start, so that screen readers read out what appears in it. */}
      <div role="status" className="sr-only">
        {arrived && <p key={arrived.seq}>{say(SENT[arrived.kind])}</p>}
      </div>
      {files.length > 0 && (
        <ul className="stack max-h-[40dvh] gap-2 overflow-y-auto pb-2">
          {files.map((one) => (
            <li
              key={one.client_id}
              className="grid grid-cols-[48px_minmax(0,1fr)_auto] items-center gap-3 rounded-card border border-line bg-paper py-2 pr-1 pl-2"
            >
              <Face key={one.file!.content?.size} of={one} />
              {one.failed ? (
                <NotSent one={one} onRetry={() => void retry(one)} />
              ) : (
                <OnItsWay
                  one={one}
                  percent={upload?.n === one.n ? upload.percent : 0}
                  isOnline={reach !== 'lost'}
                />
              )}
              <IconButton
                label={say('Remove {name}', { name: one.file!.name })}
                icon="x"
                onClick={() => void remove(one)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const NotSent = ({ one: { file, why }, onRetry }: { one: OutboxItem; onRetry: () => void }) => (
  <div className="text-14">
    <p className="truncate font-medium">{file!.name}</p>
    <p role="alert" className="text-red">
      {why ? say(why) : say('The connection dropped halfway.')}
    </p>
    {file!.content && (
      <button type="button" className="min-h-11 font-semi underline underline-offset-[3px]" onClick={onRetry}>
        {say('Try again')}
      </button>
    )}
  </div>
)

function OnItsWay({
  one: { file, pageOnly },
  percent,
  isOnline,
}: {
  one: OutboxItem
  percent: number
  isOnline: boolean
}) {
  const { name, raw, before, content } = file!
  const after = content?.size ?? before
  return (
    <div className="text-14">
      {raw || isOnline ? (
        <Progress
          label={raw ? say('Resizing {name}', { name }) : say('Sending {name}', { name })}
          value={percent}
        />
      ) : (
        <>
          <p className="truncate font-medium">{name}</p>
          <p>{say('You’re offline. It will be sent when you’re back online.')}</p>
        </>
      )}
      {!raw && after < before && (
        <p className="text-ink-soft">
          {say('Reduced from {before} to {after}', {
            before: sizeSaid(before),
            after: sizeSaid(after),
          })}
        </p>
      )}
      {pageOnly && (
        <p className="text-amber-soft-ink">
          {say('Your browser has no room to save it. Keep this page open until it’s sent.')}
        </p>
      )}
    </div>
  )
}

const iconOf = (type = ''): IconName =>
  type.startsWith('image/') ? 'image' : type.startsWith('video/') ? 'video' : 'file-text'

/** The picture as it is sent, or an icon for other files. */
function Face({ of: { file } }: { of: OutboxItem }) {
  // Each read of the outbox creates a new object for the same file.
  const [{ content, raw }] = useState(file!)
  if (!raw && content?.type.startsWith('image/'))
    return (
      <FilePicture file={content} alt="" className="size-12 rounded-small border border-line object-cover" />
    )
  return (
    <span className="grid size-12 place-items-center rounded-small bg-green-soft text-green-soft-ink">
      <Icon name={iconOf(content?.type)} size={24} />
    </span>
  )
}

interface ChooserProps {
  label: string
  icon: IconName
  accept: string
  /** As small as staff's other buttons, for a mouse. */
  small?: boolean
  onChoose: (files: File[]) => void
}

const PICTURES = 'image/jpeg,image/png'
const SHOWN = {
  all: 'inline-grid',
  touch: 'hidden pointer-coarse:inline-grid',
  mouse: 'inline-grid pointer-coarse:hidden',
}

/** A button that is a file input. With `camera` it takes a picture; without, one or several files are chosen. */
const Chooser = ({
  label,
  icon,
  accept,
  small,
  camera = false,
  on = 'all',
  onChoose,
}: ChooserProps & { camera?: boolean; on?: keyof typeof SHOWN }) => (
  <span
    title={label}
    className={`relative flex-none ${small ? 'size-9 pointer-coarse:size-11' : 'size-11'} cursor-pointer place-items-center rounded-full hover:bg-green-soft has-focus-visible:outline-3 has-focus-visible:outline-focus ${SHOWN[on]}`}
  >
    <FileInput
      accept={accept}
      {...(camera ? { capture: 'environment' } : { multiple: true })}
      aria-label={label}
      onFiles={onChoose}
    />
    <Icon name={icon} />
  </span>
)

/** Buttons for files, and for owners also for photos: a phone takes them, a computer already has them. */
export const FileButtons = ({ onChoose, small }: Pick<ChooserProps, 'onChoose' | 'small'>) => (
  <>
    {!small && (
      <>
        <Chooser
          label={say('Take a picture')}
          icon="camera"
          accept={PICTURES}
          camera
          on="touch"
          onChoose={onChoose}
        />
        <Chooser label={say('Add photos')} icon="camera" accept={PICTURES} on="mouse" onChoose={onChoose} />
      </>
    )}
    <Chooser
      label={say('Send pictures, a short video or a PDF')}
      icon="paperclip"
      accept={ACCEPTS}
      small={small}
      onChoose={onChoose}
    />
  </>
)
