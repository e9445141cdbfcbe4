import { ATTACHABLE } from '#contract/chat.ts'
import { words } from '#contract/errors.ts'
import { SMALL_BYTES } from '../lib/picture.ts'
import type { Unsent } from '../lib/unsent.ts'

const TOO_LARGE = {
  picture: words('CHAT_PICTURE_TOO_LARGE'),
  document: words('CHAT_PDF_TOO_LARGE'),
  video: words('CHAT_VIDEO_TOO_LARGE'),
}

/** Why a file is not sent as it is. */
export function wrongWith({ type, size }: File): string | undefined {
  const kind = type.startsWith('image/') ? 'picture' : type === 'application/pdf' ? 'document' : 'video'
  if (kind === 'video' && !type.startsWith('video/')) return words('FILE_WRONG_TYPE')
  return size > ATTACHABLE[kind].bytes ? TOO_LARGE[kind] : undefined
}

/** What is kept of a file from the moment that it was chosen. A picture is made small later, one after the other. */
export function chosen(file: File): Pick<Unsent, 'failed' | 'why' | 'file'> {
  const { name, size: before, type } = file
  const raw = type.startsWith('image/')
  const why = raw ? undefined : wrongWith(file)
  if (why) return { failed: true, why, file: { name, before, raw: false } }
  return { failed: false, file: { name, before, raw, content: file.slice(0, before, type) } }
}

/** Another try can not help, so nothing but its name is kept. */
export const refused = (one: Unsent, why: string): Unsent => ({
  ...one,
  failed: true,
  why,
  file: { name: one.file!.name, before: one.file!.before, raw: false },
})

export const smaller = (one: Unsent, small: File): Unsent => ({
  ...one,
  file: {
    name: small.name,
    before: one.file!.before,
    raw: false,
    content: small.slice(0, small.size, small.type),
  },
})

export function asFile({ file }: Unsent): File {
  const { name, content = new Blob() } = file!
  return new File([content], name, { type: content.type })
}

/** A browser can lose what it has kept. */
export const isReadable = (file: File) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      ({ byteLength }) => byteLength > 0,
      () => false,
    )

/** Photos are, or will be; words wait a little for them. */
export const isSmall = ({ file }: Unsent) =>
  file !== undefined && (file.raw || (file.content?.size ?? 0) <= SMALL_BYTES)
