import { useState } from 'react'
import * as lengths from '#contract/lengths.ts'
import { useAddPrivateNote } from '../clinical/queries.ts'
import { Button } from '../ui/button.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Key } from '../ui/key.tsx'
import { useTextDraft } from '../ui/text-draft.ts'

const tool = 'px-2!'

/** What a vet can add beside a message: a request for a photo, a reply, or a note between vets. */
export const Tools = ({
  writes,
  onAskPhoto,
  onReplies,
  onNote,
}: {
  writes: boolean
  onAskPhoto: () => void
  onReplies: () => void
  /** Undefined while the box for a note is open. */
  onNote: (() => void) | undefined
}) => (
  <>
    {writes && (
      <IconButton
        label="Ask for a photo"
        icon="camera"
        className="max-sm:hidden pointer-fine:size-9"
        onClick={onAskPhoto}
      />
    )}
    {writes && (
      <Button variant="text" size={36} icon="zap" className={tool} onClick={onReplies}>
        Replies{' '}
        <span className="contents pointer-coarse:hidden">
          <Key>/</Key>
        </span>
      </Button>
    )}
    {onNote && (
      <Button variant="text" size={36} icon="lock" className={tool} onClick={onNote}>
        <span>
          Private<span className="max-sm:sr-only"> note</span>
        </span>
      </Button>
    )}
  </>
)

/** A note that only vets see. Its own dashed box keeps it from being mistaken for a message. */
export function PrivateNote({ id, onClose }: { id: number; onClose: () => void }) {
  const add = useAddPrivateNote()
  const { words, write, forget } = useTextDraft(`private:${id}`)
  const [isEmpty, setEmpty] = useState(false)
  const send = () => {
    const body = words.trim()
    setEmpty(body === '')
    if (body === '' || add.isPending) return
    add.mutate(
      { id, body },
      {
        onSuccess: () => {
          forget()
          onClose()
        },
      },
    )
  }
  return (
    <div className="mb-2 grid gap-2 rounded-[12px] border border-dashed border-line-strong bg-paper-sunk p-3 text-14">
      <label htmlFor={`private-${id}`} className="flex items-center gap-2 font-semi">
        <Icon name="lock" size={16} /> Private, only vets see this
      </label>
      <textarea
        id={`private-${id}`}
        rows={2}
        dir="auto"
        maxLength={lengths.handOver}
        value={words}
        aria-invalid={isEmpty || undefined}
        aria-describedby={isEmpty ? `private-${id}-error` : undefined}
        className="control max-h-36 min-h-11! resize-none py-2! [field-sizing:content]"
        onChange={({ target }) => {
          write(target.value)
          setEmpty(false)
        }}
        onKeyDown={(event) => {
          const adds = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
          if (!adds && event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          if (adds) send()
          else onClose()
        }}
      />
      <ErrorLine id={`private-${id}-error`}>{isEmpty && 'Write the note first.'}</ErrorLine>
      <ErrorLine>
        {add.isError && 'We couldn’t add the note. It’s still here, so please try again.'}
      </ErrorLine>
      <div className="flex flex-wrap gap-2">
        <Button size={36} className={tool} busy={add.isPending} busyLabel="Adding…" onClick={send}>
          Add private note{' '}
          <span aria-hidden="true" className="contents pointer-coarse:hidden">
            <Key>Ctrl Enter</Key>
          </span>
        </Button>
        <Button variant="text" size={36} className={tool} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
