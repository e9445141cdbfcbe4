import type { Attachment } from '#contract/chat.ts'
import { signedQuery } from '../identity/signed-links.ts'

/** The text that a file's address signs. */
export const signedName = (name: string) => `attachment ${name}`

/** A file's signed address, for people who may enter the consultation. */
export const signedAddress = (secret: Uint8Array, now: Date, name: string) =>
  `/media/consultations/${name}?${signedQuery(secret, now, signedName(name))}`

interface Stored {
  id: number
  name: string
  filename: string
  type: string
  bytes: number
  width: number | null
  height: number | null
}

/** A file as people in its room see it, with an address that works for a while. */
export function asAttachment(secret: Uint8Array, now: Date, stored: Stored): Attachment {
  const { id, name, filename, type, bytes, width, height } = stored
  const kind = type.startsWith('image/') ? 'picture' : type.startsWith('video/') ? 'video' : 'document'
  return { id, kind, filename, bytes, width, height, url: signedAddress(secret, now, name) }
}

/** A file name without path separators or control characters. */
export const plainName = (filename: string) =>
  [...filename]
    .filter((letter) => letter >= ' ' && !'/\\:*?"<>|'.includes(letter))
    .join('')
    .slice(-100) || 'file'
