import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ATTACHABLE } from '#contract/chat.ts'
import { words } from '#contract/errors.ts'
import { ApiError } from '../lib/api.ts'
import { smallPhoto } from '../lib/picture.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Progress } from '../ui/progress.tsx'
import { say } from '../ui/say.ts'
import { sizeSaid } from './attachment.tsx'
import { sendFile } from './queries.ts'

const ACCEPTS = 'image/jpeg,image/png,video/mp4,video/webm,video/quicktime,application/pdf'

/** A file on its way, by the same name at every try. */
interface Sending {
  id: string
  name: string
  /** As it was chosen; a picture is sent smaller. */
  before: number
  file: File | undefined
  /** From 0 to 1. */
  sent: number
  failed: string | undefined
  /** Another try can help. */
  again: boolean
}

const lost = () =>
  navigator.onLine
    ? say('The network stopped half-way.')
    : say('There is no network now. It is sent when you are back.')

/** Files that were chosen, sent one after the other. What is stored comes back as a message like any other. */
export function useFiles(consultation: number) {
  const [files, setFiles] = useState<Sending[]>([])
  const running = useRef(new Map<string, AbortController>())
  const change = (id: string, to: Partial<Sending>) =>
    setFiles((all) => all.map((one) => (one.id === id ? { ...one, ...to } : one)))
  const remove = (id: string) => {
    running.current.get(id)?.abort()
    running.current.delete(id)
    setFiles((all) => all.filter((one) => one.id !== id))
  }
  useEffect(() => {
    const all = running.current
    return () => all.forEach((one) => one.abort())
  }, [])

  async function send(id: string, file: File) {
    const abort = new AbortController()
    running.current.set(id, abort)
    change(id, { file, sent: 0, failed: undefined })
    try {
      await sendFile(consultation, { id, file }, (sent) => change(id, { sent }), abort.signal)
      remove(id)
    } catch (error) {
      if (abort.signal.aborted) return
      const refused = error instanceof ApiError && error.status >= 400 && error.status < 500
      change(id, { failed: refused ? error.message : lost(), again: !refused })
    }
  }

  const back = useEffectEvent(async () => {
    for (const { id, file, failed, again } of files) if (failed && again && file) await send(id, file)
  })
  useEffect(() => {
    const online = () => void back()
    window.addEventListener('online', online)
    return () => window.removeEventListener('online', online)
  }, [])

  async function choose(chosen: File[]) {
    for (const original of chosen) {
      const id = crypto.randomUUID()
      const one = {
        id,
        name: original.name,
        before: original.size,
        file: undefined,
        sent: 0,
        failed: undefined,
        again: false,
      }
      setFiles((all) => [...all, one])
      const made = original.type.startsWith('image/') ? await smallPhoto(original) : original
      const wrong = made ? wrongWith(made) : words('FILE_WRONG_TYPE')
      if (wrong) change(id, { failed: wrong })
      else await send(id, made!)
    }
  }

  return { files, choose, remove, retry: ({ id, file }: Sending) => file && void send(id, file) }
}
export type Files = ReturnType<typeof useFiles>

function wrongWith({ type, size }: File): string | undefined {
  const kind = type.startsWith('image/') ? 'picture' : type === 'application/pdf' ? 'document' : 'video'
  if (kind === 'video' && !type.startsWith('video/')) return words('FILE_WRONG_TYPE')
  return size > ATTACHABLE[kind].bytes ? ATTACHABLE[kind].says : undefined
}

/** They stand above the box, with what they weigh before and after. */
export function FileRows({ files: { files, remove, retry } }: { files: Files }) {
  if (files.length === 0) return null
  return (
    <ul className="stack gap-2 pb-2">
      {files.map((one) => (
        <li
          key={one.id}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 rounded-card border border-line bg-paper px-4 py-2"
        >
          {one.failed ? (
            <div className="text-14">
              <p className="truncate font-medium">{one.name}</p>
              <p role="alert" className="text-red">
                {one.failed}
              </p>
              {one.again && (
                <button
                  type="button"
                  className="min-h-11 font-semi underline underline-offset-[3px]"
                  onClick={() => retry(one)}
                >
                  {say('Try again')}
                </button>
              )}
            </div>
          ) : (
            <div className="text-14">
              <Progress
                label={
                  one.file
                    ? say('Sending {name}', { name: one.name })
                    : say('Making {name} small', { name: one.name })
                }
                value={Math.round(one.sent * 100)}
                far={`${Math.round(one.sent * 100)}%`}
              />
              {one.file && one.file.size < one.before && (
                <p className="text-ink-soft">
                  {say('Made smaller: {sizeSaid} to {sizeSaid2}', {
                    sizeSaid: sizeSaid(one.before),
                    sizeSaid2: sizeSaid(one.file.size),
                  })}
                </p>
              )}
            </div>
          )}
          <IconButton
            label={say('Remove {name}', { name: one.name })}
            icon="x"
            onClick={() => remove(one.id)}
          />
        </li>
      ))}
    </ul>
  )
}

export const FileButton = ({ onChoose }: { onChoose: (files: File[]) => void }) => (
  <label className="relative inline-grid size-11 flex-none cursor-pointer place-items-center rounded-full hover:bg-green-soft has-focus-visible:outline-3 has-focus-visible:outline-focus">
    <input
      type="file"
      multiple
      accept={ACCEPTS}
      aria-label={say('Send pictures, a short video or a PDF')}
      className="absolute inset-0 size-full cursor-pointer opacity-0 file:cursor-pointer"
      onChange={(event) => {
        onChoose([...(event.target.files ?? [])])
        // The same file can then be chosen again after it was removed.
        event.target.value = ''
      }}
    />
    <Icon name="paperclip" />
  </label>
)
