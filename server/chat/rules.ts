import { createHash } from 'node:crypto'
import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/chat.ts'
import type { Attachment } from '#contract/chat.ts'
import type { attachments } from '../db/schema/chat.ts'

/** The address of a consultation's file, for people who may read it. It never changes, so phones can cache the file. */
export const fileAddress = (name: string) => `/media/consultations/${name}`

/** A file as people in its room see it. */
export function asAttachment(stored: typeof attachments.$inferSelect): Attachment {
  const { id, name, filename, type, bytes, width, height } = stored
  const kind = type.startsWith('image/') ? 'picture' : type.startsWith('video/') ? 'video' : 'document'
  return { id, kind, filename, bytes, width, height, url: fileAddress(name) }
}

/** A file name without path separators, control characters and characters that reverse the direction of text. */
export function plainName(filename: string): string {
  const plain = filename
    .toWellFormed()
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?"<>|]/gu, '')
  return [...plain].slice(-100).join('') || 'file'
}

/** Where the first part of a file is kept: the same name at every try, and known to nobody else. */
export const partName = (userId: number, { consultation, client_id }: Parsed<typeof calls.readFilePart>) =>
  `${createHash('sha256').update(`${consultation} ${userId} ${client_id}`).digest('hex').slice(0, 32)}.part`
