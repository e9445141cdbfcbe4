import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { PICTURE_BYTES } from '#contract/pets.ts'
import { ApiError } from '../lib/api.ts'
import { cutSquare, openPicture, type Square, WrongPicture } from '../lib/picture.ts'
import { Button } from '../ui/button.tsx'
import { FileField } from '../ui/file-field.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { say, sentence } from '../ui/say.ts'
import { sendPicture } from './queries.ts'

const loadCrop = () => import('./crop-dialog.tsx')

const NOT_SENT = sentence('The picture wasn’t sent. It’s still here.')

interface Chosen {
  file: File | null
  /** Upload progress from 0 to 1; undefined when nothing is uploading. */
  sent?: number
  /** With a file, the upload can be retried. */
  error?: string
}

/** A chosen picture is cropped, shrunk and uploaded straight away, so that it's stored when the form is saved. */
export function usePicture() {
  const [chosen, setChosen] = useState<Chosen>({ file: null })
  const [placing, setPlacing] = useState<{ picture: ImageBitmap; name: string }>()
  const latest = useRef<File>(null)
  const sending = useRef<AbortController | undefined>(undefined)
  /** The stored picture's name; undefined if there is none. */
  const arrival = useRef<Promise<string | undefined>>(Promise.resolve(undefined))
  useEffect(() => () => sending.current?.abort(), [])

  async function send(file: File, { signal }: AbortController) {
    const show = (next: Chosen) => signal.aborted || setChosen(next)
    show({ file, sent: 0 })
    try {
      const { filename } = await sendPicture(
        file,
        (sent) => show({ file, sent: Math.min(sent, 0.99) }),
        signal,
      )
      show({ file })
      return filename
    } catch (error) {
      const answered = error instanceof ApiError && error.status !== 0
      show({ file, error: answered ? error.message : say(NOT_SENT) })
      throw error
    }
  }
  function begin(work: (own: AbortController) => Promise<string | undefined>) {
    sending.current?.abort()
    const own = (sending.current = new AbortController())
    arrival.current = work(own)
    arrival.current.catch(() => {})
  }
  async function choose(file: File | null) {
    latest.current = file
    if (!file) return begin(async () => (setChosen({ file: null }), undefined))
    try {
      const picture = await openPicture(file, PICTURE_BYTES)
      if (latest.current === file) setPlacing({ picture, name: file.name })
      else picture.close()
    } catch (error) {
      if (!(error instanceof WrongPicture)) throw error
      begin(async () => (setChosen({ file: null, error: error.message }), undefined))
    }
  }
  /** Called without a square when the person cancels. */
  function place(square?: Square) {
    if (!placing) return
    const { picture, name } = placing
    setPlacing(undefined)
    if (!square) return picture.close()
    begin(async (own) => {
      const small = await cutSquare(picture, square, name).finally(() => picture.close())
      return own.signal.aborted ? undefined : send(small, own)
    })
  }
  const retry = () => {
    const { file } = chosen
    if (file) begin((own) => send(file, own))
  }
  /** Waits for a running upload. */
  const arrived = () =>
    arrival.current.catch(() => {
      throw { errors: [say(NOT_SENT)] }
    })
  return { chosen, placing, choose, place, retry, arrived }
}

type Picture = ReturnType<typeof usePicture>

/** Beside the form, not in it, so that its keys and its zoom don't reach the form. */
export const PlacePicture = ({ picture: { placing, place } }: { picture: Picture }) =>
  placing && (
    <LateDialog load={loadCrop} title={say('Position the picture')} onClose={() => place()}>
      {({ CropDialog }) => <CropDialog picture={placing.picture} onCut={place} onClose={() => place()} />}
    </LateDialog>
  )

/** A round picture of a pet or a vet, with a way to send it again. */
export const PictureField = ({
  picture: { chosen, choose, retry },
  label,
  help,
  current,
  fallback,
}: Pick<ComponentProps<typeof FileField>, 'label' | 'help' | 'fallback'> & {
  picture: Picture
  current: string | null
}) => (
  <div className="stack gap-2">
    <FileField
      label={label}
      choose={say('Add a picture')}
      change={say('Change picture')}
      accept="image/jpeg,image/png"
      picture
      value={chosen.file}
      onValueChange={(file) => void choose(file)}
      current={current ?? undefined}
      fallback={fallback}
      progress={chosen.sent}
      error={chosen.error}
      help={help}
    />
    {chosen.file && chosen.error && (
      <div className="pl-29">
        <Button size={44} icon="rotate-cw" onClick={retry}>
          {say('Send again')}
        </Button>
      </div>
    )}
  </div>
)
