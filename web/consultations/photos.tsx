import { useEffect, useRef, useState } from 'react'
import { sentenceOf } from '#contract/errors.ts'
import { FileButton } from '../ui/file-button.tsx'
import { FilePicture } from '../ui/file-picture.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { smallPhoto } from '../lib/picture.ts'
import { useId } from '../ui/id.ts'
import { say } from '../ui/say.ts'
import { keepPhotos, keptPhotos, type Photo, textsOf } from './photo-draft.ts'

const MOST_PHOTOS = 5

/** Photos are shrunk when they're chosen, so that only small ones wait to be sent. */
export function Photos({
  draft,
  photos,
  onPhotos,
}: {
  /** The name of the form's draft. The photos are stored under it and survive a reload. */
  draft: string
  photos: Photo[]
  onPhotos: (change: (photos: Photo[]) => Photo[]) => void
}) {
  const id = useId()
  const [wrong, setWrong] = useState('')
  /** Whether the person has added or removed some here, and hears how many there are. */
  const [hasChanged, setHasChanged] = useState(false)
  const group = useRef<HTMLDivElement>(null)
  /** How many are being shrunk. */
  const [making, setMaking] = useState(0)

  useEffect(() => {
    const kept = keptPhotos(draft)
    if (kept.length > 0) onPhotos((here) => (here.length > 0 ? here : kept))
  }, [draft, onPhotos])
  const before = useRef(photos)
  useEffect(() => {
    if (before.current === photos) return
    before.current = photos
    let isOver = false
    void textsOf(photos).then((texts) => isOver || keepPhotos(draft, texts))
    return () => void (isOver = true)
  }, [draft, photos])

  async function choose(files: File[]) {
    setWrong('')
    const room = MOST_PHOTOS - photos.length - making
    const taken = files.slice(0, room)
    setMaking((before) => before + taken.length)
    const made = await Promise.all(taken.map(smallPhoto))
    setMaking((before) => before - taken.length)
    const ready = made.filter((file) => file !== null)
    if (ready.length < made.length) setWrong(say(sentenceOf('PHOTO_WRONG_TYPE')))
    else if (files.length > room)
      setWrong(say('You can add up to {most} photos now and send more later.', { most: MOST_PHOTOS }))
    if (ready.length > 0)
      change((before) => [...before, ...ready.map((file) => ({ id: crypto.randomUUID(), file }))])
  }
  function change(photos: (before: Photo[]) => Photo[]) {
    setHasChanged(true)
    onPhotos(photos)
  }
  // What had the focus disappears with the photo, and with the last one that may be added.
  useEffect(() => {
    if (hasChanged && document.activeElement === document.body)
      group.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [photos, hasChanged])

  return (
    <div ref={group} role="group" aria-labelledby={`${id}-label`} className="stack justify-items-start gap-2">
      <span id={`${id}-label`} className="leading-snug font-semi">
        {say('Photos {optional}', {
          optional: <span className="font-regular text-ink-soft">{say('(optional)')}</span>,
        })}
      </span>
      {photos.length > 0 && (
        <ul className="flex flex-wrap gap-x-5 gap-y-4 pt-2">
          {photos.map((photo, at) => (
            <li key={photo.id} className="relative">
              <FilePicture
                file={photo.file}
                alt={say('Photo {n}', { n: at + 1 })}
                className="size-24 rounded-card border border-line object-cover"
              />
              <IconButton
                label={say('Remove photo {n}', { n: at + 1 })}
                icon="x"
                className="absolute -top-3 -right-3 border border-line bg-card"
                onClick={() => change((before) => before.filter(({ id }) => id !== photo.id))}
              />
            </li>
          ))}
        </ul>
      )}
      {photos.length < MOST_PHOTOS && (
        <FileButton
          icon="camera"
          accept="image/jpeg,image/png"
          multiple
          aria-describedby={`${id}-words`}
          onFiles={(files) => void choose(files)}
        >
          {making > 0
            ? say('Resizing photos…')
            : photos.length > 0
              ? say('Add another photo')
              : say('Add photos')}
        </FileButton>
      )}
      <p id={`${id}-words`} role="status" className="text-14 text-ink-soft">
        {wrong ||
          say(
            'Show what worries you, in good light. Photos are made smaller on your phone before they’re sent.',
          )}
      </p>
      <p role="status" className="sr-only">
        {hasChanged && say('Photos: {count}', { count: photos.length })}
      </p>
    </div>
  )
}
