import { ATTACHABLE } from '#contract/chat.ts'
import { sentenceOf } from '#contract/errors.ts'
import { say } from '../ui/say.ts'
import { SMALL_BYTES, smallPhoto } from '../lib/picture.ts'

export interface OutboxFile {
  name: string
  /** Its size when it was chosen. */
  before: number
  /** A picture that has not been shrunk yet. */
  raw: boolean
  /** Missing if another try can't help. A plain Blob, because not every browser stores a File with its name. */
  content?: Blob
}

/** A file as the outbox stores it, and why it can't be sent, if so. */
interface Checked {
  file: OutboxFile
  failed: boolean
  why?: string
}

const asBlob = (file: File) => file.slice(0, file.size, file.type)

/** Stores only the file's name, because another try can't help. */
export const rejected = ({ name, before }: OutboxFile, why: string): Checked => ({
  failed: true,
  why,
  file: { name, before, raw: false },
})

const TOO_LARGE = {
  picture: sentenceOf('CHAT_PICTURE_TOO_LARGE'),
  document: sentenceOf('CHAT_PDF_TOO_LARGE'),
  video: sentenceOf('CHAT_VIDEO_TOO_LARGE'),
}

function problemOf({ type, size }: File): string | undefined {
  // Phones also list files that are only in their owner's cloud.
  if (size === 0) return say('This file is empty. Open it on this device, then choose it again.')
  const kind = type.startsWith('image/') ? 'picture' : type === 'application/pdf' ? 'document' : 'video'
  if (kind === 'video' && !type.startsWith('video/')) return sentenceOf('FILE_WRONG_TYPE')
  return size > ATTACHABLE[kind].bytes ? TOO_LARGE[kind] : undefined
}

/** A file that was just chosen. `raw` pictures are shrunk later, one after the other; of others, the server limits the size. */
export function chosen(file: File, raw = file.type.startsWith('image/')): Checked {
  const stored = { name: file.name, before: file.size, raw, content: asBlob(file) }
  const why = raw && file.size > 0 ? undefined : problemOf(file)
  return why ? rejected(stored, why) : { failed: false, file: stored }
}

export async function shrunk(file: OutboxFile): Promise<Checked> {
  const whole = await readFile(file)
  const small = whole && (await smallPhoto(whole))
  const why = small ? problemOf(small) : sentenceOf('PHOTO_WRONG_TYPE')
  return why
    ? rejected(file, why)
    : { failed: false, file: { ...file, name: small!.name, raw: false, content: asBlob(small!) } }
}

/** Undefined if the browser has lost what it stored. */
export async function readFile({ name, content = new Blob() }: OutboxFile): Promise<File | undefined> {
  const isThere = await content
    .slice(0, 1)
    .arrayBuffer()
    .then(
      ({ byteLength }) => byteLength > 0,
      () => false,
    )
  return isThere ? new File([content], name, { type: content.type }) : undefined
}

/** Photos are small, or will be. */
export const isSmall = ({ raw, content }: OutboxFile) => raw || (content?.size ?? 0) <= SMALL_BYTES
