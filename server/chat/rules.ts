import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Attachment } from '#contract/chat.ts'

const DAY = 86_400_000
/** An address lives to the end of the next day, so that it stays the same for a day and the phone keeps the file. */
export const ATTACHMENT_DAYS = 2

const signatureOf = (secret: Uint8Array, name: string, until: number) =>
  createHmac('sha256', secret).update(`attachment ${name} ${until}`).digest('base64url')

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
  const until = (Math.floor(now.getTime() / DAY) + ATTACHMENT_DAYS) * DAY
  const kind = type.startsWith('image/') ? 'picture' : type.startsWith('video/') ? 'video' : 'document'
  const url = `/media/consultations/${name}?until=${until}&signature=${signatureOf(secret, name, until)}`
  return { id, kind, filename, bytes, width, height, url }
}

export function isSigned(
  secret: Uint8Array,
  now: Date,
  name: string,
  { until = '', signature = '' }: { until?: string; signature?: string },
): boolean {
  const end = Number(until)
  if (!/^\d{1,15}$/.test(until) || end <= now.getTime()) return false
  const [given, right] = [Buffer.from(String(signature)), Buffer.from(signatureOf(secret, name, end))]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** A name for the list, without a way out of it. */
export const plainName = (filename: string) =>
  [...filename]
    .filter((letter) => letter >= ' ' && !'/\\:*?"<>|'.includes(letter))
    .join('')
    .slice(-100) || 'file'
