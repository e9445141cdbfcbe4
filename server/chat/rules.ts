import type { Attachment } from '#contract/chat.ts'
import { signedQuery } from '../identity/signed-links.ts'

/** What the signature of a file's address is over. */
export const signedName = (name: string) => `attachment ${name}`

/** The address of a file in a consultation, for whoever was let in. */
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

/** A file as those see it who are let into its room, with an address that opens it for a while. */
export function asAttachment(secret: Uint8Array, now: Date, stored: Stored): Attachment {
  const { id, name, filename, type, bytes, width, height } = stored
  const kind = type.startsWith('image/') ? 'picture' : type.startsWith('video/') ? 'video' : 'document'
  return { id, kind, filename, bytes, width, height, url: signedAddress(secret, now, name) }
}

/** A name for the list, without a way out of it. */
export const plainName = (filename: string) =>
  [...filename]
    .filter((letter) => letter >= ' ' && !'/\\:*?"<>|'.includes(letter))
    .join('')
    .slice(-100) || 'file'
