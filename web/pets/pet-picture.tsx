import { useEffect, useRef, useState } from 'react'
import { PICTURE_BYTES } from '#contract/pets.ts'
import { ApiError } from '../lib/api.ts'
import { cutSquare, openPicture, type Square, WrongPicture } from '../lib/picture.ts'
import { Button } from '../ui/button.tsx'
import { FileField } from '../ui/file-field.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { say, sentence } from '../ui/say.ts'
import { PetFace } from './pet-face.tsx'
import { sendPicture } from './queries.ts'

const loadCrop = () => import('./crop-dialog.tsx')

const NOT_SENT = sentence('The picture wasn’t sent. It’s still here.')

interface Chosen {
  file: File | null
  /** From 0 to 1; undefined while nothing is on its way. */
  sent?: number
  error?: string
  /** It can be sent again as it is. */
  again?: boolean
}

/** A picture that is being placed in its square. */
interface Placing {
  picture: ImageBitmap
  name: string
}

/** A chosen picture, cut to a square, made small and sent at once, so that it is there when the form is saved. */
export function usePicture() {
  const [chosen, setChosen] = useState<Chosen>({ file: null })
  const [placing, setPlacing] = useState<Placing>()
  const sending = useRef<AbortController | undefined>(undefined)
  /** The name under which it arrived; undefined while none is wanted. */
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
      show({ file, error: answered ? error.message : say(NOT_SENT), again: true })
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
    if (!file) return begin(async () => (setChosen({ file: null }), undefined))
    try {
      setPlacing({ picture: await openPicture(file, PICTURE_BYTES), name: file.name })
    } catch (error) {
      if (!(error instanceof WrongPicture)) throw error
      begin(async () => (setChosen({ file: null, error: error.message }), undefined))
    }
  }
  /** Without a square nothing of it is wanted after all. */
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
  /** Waits for it where it is still on its way. */
  const arrived = () =>
    arrival.current.catch(() => {
      throw { errors: [say(NOT_SENT)] }
    })
  return { chosen, placing, choose, place, retry, arrived }
}

type Picture = ReturnType<typeof usePicture>

/** Stands beside the form and not in it: its keys and its zoom are not the form's. */
export const PlacePicture = ({ picture: { placing, place } }: { picture: Picture }) =>
  placing && (
    <LateDialog load={loadCrop} title={say('Position the picture')} onClose={() => place()}>
      {({ CropDialog }) => <CropDialog picture={placing.picture} onCut={place} onClose={() => place()} />}
    </LateDialog>
  )

export function PetPicture({
  picture: { chosen, choose, retry },
  species,
  current,
}: {
  picture: Picture
  species: number | null
  current: string | null
}) {
  return (
    <div className="stack gap-2">
      <FileField
        label={say('Picture of your pet')}
        choose={say('Add a picture')}
        change={say('Change picture')}
        accept="image/jpeg,image/png"
        picture
        value={chosen.file}
        onValueChange={(file) => void choose(file)}
        current={current ?? undefined}
        fallback={<PetFace species={species} size={96} />}
        progress={chosen.sent}
        error={chosen.error}
        help={say('Optional. JPEG or PNG, up to 16 MB.')}
      />
      {chosen.again && (
        <div className="pl-29">
          <Button size={44} icon="rotate-cw" onClick={retry}>
            {say('Send again')}
          </Button>
        </div>
      )}
    </div>
  )
}
