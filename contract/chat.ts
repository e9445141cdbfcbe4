import * as z from 'zod'
import { call, event, push } from './call.ts'
import { sentenceOf } from './errors.ts'
import { file, id, isoTime, nothing, whole } from './fields.ts'

/* The conversation of a consult: its messages and files, and how far each side has read. */

/** Who may enter a consultation's room: its owner, its guest, and our vets. */
const inRoom = ['owner', 'guest', 'vet', 'admin'] as const

export const MESSAGE_LENGTH = 10_000
/** How many messages load with the room, and per request for missed ones. If they are long, fewer do. */
export const HISTORY_FIRST = 50
export const HISTORY_MOST = 200
/** After the end the owner can still write for this long, and the vet can answer. */
export const FOLLOW_UP_HOURS = 48

/** What can be sent, and up to how many bytes. */
export const ATTACHABLE = {
  picture: { bytes: 16_777_216, tooLarge: 'CHAT_PICTURE_TOO_LARGE' },
  document: { bytes: 10 * 1024 * 1024, tooLarge: 'CHAT_PDF_TOO_LARGE' },
  video: { bytes: 50 * 1024 * 1024, tooLarge: 'CHAT_VIDEO_TOO_LARGE' },
} as const
export const VIDEO_SECONDS = 60

/** A sent file. Only people who may read the consultation can open its address, and only with their session. */
const Attachment = z.object({
  id: z.number(),
  kind: z.enum(['picture', 'document', 'video']),
  filename: z.string(),
  bytes: z.number(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  url: z.string(),
})
export type Attachment = z.infer<typeof Attachment>

/** One stored message, the same for everyone. Numbers only grow within a consultation, and some may be missing. */
export const Message = z.object({
  seq: z.number(),
  /** Chosen by the sender, who recognises the message by it. A message that is sent twice is stored once. */
  client_id: z.string(),
  /** Null for VetChat itself, as in "Dr Naidoo joined". */
  user_id: z.number().nullable(),
  body: z.string(),
  attachment: Attachment.nullable(),
  at: isoTime,
})
export type Message = z.infer<typeof Message>

/** How far one side has received and read. */
const Mark = z.object({ user_id: z.number(), delivered: z.number(), seen: z.number() })
export type Mark = z.infer<typeof Mark>

const number = whole(0)

const history = z.object({
  messages: z.array(Message),
  marks: z.array(Mark),
  /** Whether there are more messages after the last one, or before the first. */
  more: z.boolean(),
})

/** `after` asks for missed messages, `before` for older ones. With neither, the latest are returned. */
const which = { consultation: id, after: number.optional(), before: number.optional() }

const said = {
  consultation: id,
  client_id: z.string().regex(/^[\w-]{8,64}$/),
  body: z
    .string({ error: sentenceOf('MESSAGE_EMPTY') })
    .max(MESSAGE_LENGTH, { error: sentenceOf('MESSAGE_TOO_LONG') })
    .refine((body) => body.trim() !== '', { error: sentenceOf('MESSAGE_EMPTY') }),
}
const stored = z.object({ seq: z.number(), at: isoTime })
const marked = { consultation: id, delivered: number, seen: number }

export const joinRoom = event('joinRoom', {
  summary: 'Enter the room and get its messages, without missing any in between',
  access: inRoom,
  input: z.object(which),
  output: history,
})

export const leaveRoom = event('leaveRoom', {
  summary: 'Leave the room',
  access: inRoom,
  input: z.object({ consultation: id }),
  output: nothing,
})

export const sendMessage = event('sendMessage', {
  summary: 'Send a message, acknowledged once it is stored. The same client_id stores it once',
  access: inRoom,
  input: z.object(said),
  output: stored,
})

export const sendMarks = event('sendMarks', {
  summary: 'How far this side has received and read',
  access: inRoom,
  input: z.object(marked),
  output: nothing,
})

export const tellTyping = event('tellTyping', {
  summary: 'This side is typing, or has stopped',
  access: inRoom,
  input: z.object({ consultation: id, writing: z.boolean() }),
  output: nothing,
})

/* The same as plain calls, for networks that block sockets. */

export const readMessages = call('GET', '/consultation/:consultation/messages', {
  summary: 'The messages, as on joining the room',
  access: inRoom,
  files: 'opened',
  input: z.object(which),
  output: history,
})

export const listFiles = call('GET', '/consultation/:consultation/files', {
  summary: 'Every file of a consult, newest first; for staff',
  access: ['vet', 'admin'],
  files: 'opened',
  input: z.object({ consultation: id }),
  output: z.array(z.object({ attachment: Attachment, user_id: z.number().nullable(), at: isoTime })),
})

export const sendMessageByCall = call('POST', '/consultation/:consultation/messages', {
  summary: 'Send a message without a socket',
  access: inRoom,
  input: z.object(said),
  output: stored,
})

export const sendMarksByCall = call('POST', '/consultation/:consultation/marks', {
  summary: 'How far this side has received and read, without a socket',
  access: inRoom,
  input: z.object(marked),
  output: nothing,
})

const aFile = { consultation: id, client_id: said.client_id }

export const attachFile = call('POST', '/consultation/:consultation/attachments', {
  summary:
    'Send a picture, a short video or a PDF as a message of its own; `from` sends the rest of one that broke off',
  access: inRoom,
  upload: { maxBytes: ATTACHABLE.video.bytes, keepsParts: true },
  files: 'opened',
  input: z.object({ ...aFile, from: number.optional(), file }),
  output: stored.extend({ attachment: Attachment }),
})

export const readFilePart = call('GET', '/consultation/:consultation/attachments/:client_id', {
  summary: 'How many bytes were kept of a file that broke off',
  access: inRoom,
  input: z.object(aFile),
  output: z.object({ bytes: z.number() }),
})

const ofRoom = { consultation: z.number() }
export const messageSaid = push('messageSaid', z.object({ ...ofRoom, message: Message }))
export const marksMoved = push('marksMoved', z.object({ ...ofRoom, mark: Mark }))
export const someoneTypes = push(
  'someoneTypes',
  z.object({ ...ofRoom, side: z.enum(['owner', 'vet']), writing: z.boolean() }),
)
