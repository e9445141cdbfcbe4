import type { Attachment, Mark, Message } from '#contract/chat.ts'
import type { Room } from '#contract/consultations.ts'
import { dayAndTime } from '../lib/dates.ts'
import type { Unsent } from '../lib/unsent.ts'
import { say } from '../ui/say.ts'
import type { Side } from './talk.tsx'

export type Person = Room['people'][number]

/** Words of one author within this time are one group, with one time and one tail. */
const GROUP_MS = 2 * 60_000

/** What became of one's own words; said only under the last of those that have come so far. */
export type Standing = 'sending' | 'waiting' | 'failed' | 'sent' | 'delivered' | 'seen'

export type Row =
  | { kind: 'day'; key: string; said: string }
  | { kind: 'house'; key: string; body: string; at: string; joined: Person | undefined }
  | {
      kind: 'said'
      key: string
      seq: number | undefined
      body: string
      /** A file that was sent, in place of words. */
      attachment: Attachment | null
      at: string
      /** On the reader's side. */
      near: boolean
      author: string
      first: boolean
      last: boolean
      standing: Standing | undefined
      unsent: Unsent | undefined
    }
export type SaidRow = Extract<Row, { kind: 'said' }>

interface Conversation {
  messages: Message[]
  unsent: Unsent[]
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
  const { messages, unsent, people, me, side, isOnline, question } = conversation
  const of = new Map(people.map((one) => [one.id, one]))
  const standings = standingsOf(conversation)
  const owner = people.find((one) => one.side === 'owner')
  const rows: Row[] = []
  let lastDay = ''

  const dayFirst = (at: string) => {
    const day = new Date(at).toDateString()
    if (day === lastDay) return
    const said = dayOf(at)
    rows.push({ kind: 'day', key: `day ${said}`, said })
    lastDay = day
  }
  const add = (row: Omit<SaidRow, 'kind' | 'first' | 'last'>) => {
    dayFirst(row.at)
    const before = rows.at(-1)
    const goesOn =
      before?.kind === 'said' &&
      before.author === row.author &&
      Date.parse(row.at) - Date.parse(before.at) <= GROUP_MS
    if (goesOn) before.last = false
    rows.push({ ...row, kind: 'said', first: !goesOn, last: true })
  }
  const authorOf = (id: number) =>
    id === me ? say('You') : (of.get(id)?.name ?? (side === 'owner' ? say('The vet') : say('A vet')))
  const isNear = (id: number) => id === me || (of.get(id)?.side ?? 'vet') === side

  if (question)
    add({
      ...question,
      attachment: null,
      key: 'question',
      seq: undefined,
      near: side === 'owner',
      author: owner ? authorOf(owner.id) : say('Owner'),
      standing: undefined,
      unsent: undefined,
    })
  for (const { client_id: key, seq, user_id, body, attachment, at } of messages)
    if (user_id === null) {
      dayFirst(at)
      rows.push({
        kind: 'house',
        key,
        body,
        at,
        joined: people.find(({ name }) => body === `${name} joined`),
      })
    } else
      add({
        key,
        seq,
        body,
        attachment,
        at,
        near: isNear(user_id),
        author: authorOf(user_id),
        standing: standings.get(seq),
        unsent: undefined,
      })
  const lastWaiting = unsent.findLast(({ failed }) => !failed)
  for (const one of unsent)
    add({
      key: one.client_id,
      seq: undefined,
      body: one.body,
      attachment: null,
      at: one.at,
      near: true,
      author: say('You'),
      standing: one.failed ? 'failed' : one === lastWaiting ? (isOnline ? 'sending' : 'waiting') : undefined,
      unsent: one,
    })
  return rows
}

/** Under the last of one's own that the other side has seen, received, or that is stored. */
function standingsOf({ messages, marks, people, me, side }: Conversation): Map<number, Standing> {
  const others = new Set(people.filter((one) => one.side !== side).map(({ id }) => id))
  const far = (name: 'seen' | 'delivered') =>
    Math.max(0, ...marks.filter(({ user_id }) => others.has(user_id)).map((mark) => mark[name]))
  const mine = messages.filter(({ user_id }) => user_id === me).map(({ seq }) => seq)
  const upTo = (limit: number) => mine.findLast((seq) => seq <= limit)
  const found = new Map<number, Standing>()
  const say = (seq: number | undefined, standing: Standing) => seq !== undefined && found.set(seq, standing)
  say(mine.at(-1), 'sent')
  say(upTo(far('delivered')), 'delivered')
  say(upTo(far('seen')), 'seen')
  return found
}
