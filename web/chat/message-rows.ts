import type { Attachment, Mark, Message } from '#contract/chat.ts'
import type { Room } from '#contract/consultations.ts'
import { dayAndTime } from '../lib/dates.ts'
import { say } from '../ui/say.ts'
import type { Side } from './conversation-store.ts'
import type { OutboxItem } from './outbox.ts'

export type Person = Room['people'][number]

/** Messages of one author within this time form a group, with one time and one tail. */
const GROUP_MS = 2 * 60_000

/** How far one's own message has come; shown only under the last that has come so far. */
export type Status = 'sending' | 'waiting' | 'failed' | 'sent' | 'delivered' | 'seen'

export type Row =
  | { kind: 'day'; key: string; day: string }
  | { kind: 'notice'; key: string; body: string; at: string; joined: Person | undefined }
  | {
      kind: 'message'
      key: string
      seq: number | undefined
      body: string
      /** A file that was sent, in place of text. */
      attachment: Attachment | null
      at: string
      /** From the reader's side. */
      near: boolean
      author: string
      first: boolean
      last: boolean
      status: Status | undefined
      item: OutboxItem | undefined
    }
export type BubbleRow = Extract<Row, { kind: 'message' }>

interface Conversation {
  messages: Message[]
  outbox: OutboxItem[]
  marks: Mark[]
  people: Person[]
  me: number
  side: Side
  isOnline: boolean
  /** The question with which the consult was started, once everything before it is there. */
  question: { body: string; at: string } | undefined
}

export const dayOf = (at: string) => dayAndTime(at).split(',')[0]!

/** What the list shows, in its order. */
export function rowsOf(conversation: Conversation): Row[] {
  const { messages, outbox, people, me, side, isOnline, question } = conversation
  const of = new Map(people.map((one) => [one.id, one]))
  const statuses = statusesOf(conversation)
  const owner = people.find((one) => one.side === 'owner')
  const rows: Row[] = []
  let lastDay = ''

  const dayFirst = (at: string) => {
    const date = new Date(at).toDateString()
    if (date === lastDay) return
    const day = dayOf(at)
    rows.push({ kind: 'day', key: `day ${day}`, day })
    lastDay = date
  }
  const add = (row: Omit<BubbleRow, 'kind' | 'first' | 'last'>) => {
    dayFirst(row.at)
    const before = rows.at(-1)
    const goesOn =
      before?.kind === 'message' &&
      before.author === row.author &&
      Date.parse(row.at) - Date.parse(before.at) <= GROUP_MS
    if (goesOn) before.last = false
    rows.push({ ...row, kind: 'message', first: !goesOn, last: true })
  }
  const authorOf = (id: number) =>
    id === me ? say('You') : (of.get(id)?.name ?? (side === 'owner' ? say('The vet') : say('A vet')))
  const isNear = (id: number) => id === me || (of.get(id)?.side ?? 'vet') === side
  const plain = { seq: undefined, attachment: null, status: undefined, item: undefined }

  if (question)
    add({
      ...plain,
      ...question,
      key: 'question',
      near: side === 'owner',
      author: owner ? authorOf(owner.id) : say('Owner'),
    })
  for (const { client_id: key, seq, user_id, body, attachment, at } of messages)
    if (user_id === null) {
      dayFirst(at)
      const joined = people.find(({ name }) => body === `${name} joined`)
      rows.push({ kind: 'notice', key, body, at, joined })
    } else {
      const [near, author] = [isNear(user_id), authorOf(user_id)]
      add({ ...plain, key, seq, body, attachment, at, near, author, status: statuses.get(seq) })
    }
  const texts = outbox.filter(({ file }) => !file)
  const lastWaiting = texts.findLast(({ failed }) => !failed)
  for (const item of texts) {
    const waits = item === lastWaiting ? (isOnline ? 'sending' : 'waiting') : undefined
    const { client_id: key, body, at, failed } = item
    add({ ...plain, key, body, at, near: true, author: say('You'), status: failed ? 'failed' : waits, item })
  }
  return rows
}

/** Under the last of one's own that the other side has seen, received, or that is stored. */
function statusesOf({ messages, marks, people, me, side }: Conversation): Map<number, Status> {
  const others = new Set(people.filter((one) => one.side !== side).map(({ id }) => id))
  const far = (name: 'seen' | 'delivered') =>
    Math.max(0, ...marks.filter(({ user_id }) => others.has(user_id)).map((mark) => mark[name]))
  const mine = messages.filter(({ user_id }) => user_id === me).map(({ seq }) => seq)
  const upTo = (limit: number) => mine.findLast((seq) => seq <= limit)
  const found = new Map<number, Status>()
  const put = (seq: number | undefined, status: Status) => seq !== undefined && found.set(seq, status)
  put(mine.at(-1), 'sent')
  put(upTo(far('delivered')), 'delivered')
  put(upTo(far('seen')), 'seen')
  return found
}
