import { useEffect, useRef, useState } from 'react'
import { PICTURE_BYTES } from '#contract/pets.ts'
import { ApiError } from '../lib/api.ts'
import { smallSquare, WrongPicture } from '../lib/picture.ts'
import { Button } from '../ui/button.tsx'
import { FileField } from '../ui/file-field.tsx'
import { PetFace } from './pet-face.tsx'
import { sendPicture } from './queries.ts'

const NOT_SENT = 'The picture was not sent. It is still here.'

interface Chosen {
  file: File | null
  /** From 0 to 1; undefined while nothing is on its way. */
  sent?: number
  error?: string
  /** It can be sent again as it is. */
  again?: boolean
}

/** A chosen picture, made small and sent at once, so that it is there when the form is saved. */
export function usePicture() {
  const [chosen, setChosen] = useState<Chosen>({ file: null })
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
      show({ file, error: answered ? error.message : NOT_SENT, again: true })
      throw error
    }
  }
  function begin(work: (own: AbortController) => Promise<string | undefined>) {
    sending.current?.abort()
    const own = (sending.current = new AbortController())
    arrival.current = work(own)
    arrival.current.catch(() => {})
  }
  function choose(file: File | null) {
    if (!file) return begin(async () => (setChosen({ file: null }), undefined))
    begin(async (own) => {
      try {
        const small = await smallSquare(file, PICTURE_BYTES)
        return own.signal.aborted ? undefined : send(small, own)
      } catch (error) {
        if (!(error instanceof WrongPicture)) throw error
        setChosen({ file: null, error: error.message })
        return undefined
      }
    })
  }
  const retry = () => {
    const { file } = chosen
    if (file) begin((own) => send(file, own))
  }
  /** Waits for it where it is still on its way. */
  const arrived = () =>
    arrival.current.catch(() => {
      throw { errors: [NOT_SENT] }
    })
  return { chosen, choose, retry, arrived }
}

export function PetPicture({
  picture: { chosen, choose, retry },
  species,
  current,
}: {
  picture: ReturnType<typeof usePicture>
  species: number | null
  current: string | null
}) {
  return (
    <div className="stack gap-2">
      <FileField
        label="Picture of your pet"
        choose="Add a picture"
        change="Change picture"
        accept="image/jpeg,image/png"
        picture
        value={chosen.file}
        onValueChange={choose}
        current={current ?? undefined}
        fallback={<PetFace species={species} size={96} />}
        progress={chosen.sent}
        error={chosen.error}
        help="Optional. JPEG or PNG, up to 16 MB."
      />
      {chosen.again && (
        <div className="pl-29">
          <Button size={44} icon="rotate-cw" onClick={retry}>
            Send again
          </Button>
        </div>
      )}
    </div>
  )
}
