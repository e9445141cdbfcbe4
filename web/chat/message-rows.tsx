import { memo } from 'react'
import type { Attachment, Mark, Message } from '#contract/chat.ts'
import type { Room } from '#contract/consultations.ts'
import { MINUTE } from '#contract/time.ts'
import { briefDay, time } from '../lib/dates.ts'
import { VetAvatar } from '../ui/avatar.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say, sentence, type Sentence } from '../ui/say.ts'
import { AttachmentView } from './attachment.tsx'
import { Linked } from './linked.tsx'
import type { Side } from './conversation-store.ts'
import type { OutboxItem } from './outbox.ts'
import { ownPicture } from './own-pictures.ts'

export type Person = Room['people'][number]

/** Messages of one author within this time form a group, with one time and one tail. */
const GROUP_MS = 2 * MINUTE

/** How far one's own message has got; shown only under the last one that got this far. */
type Status = 'sending' | 'waiting' | 'failed' | 'sent' | 'delivered' | 'seen'

/** What a vet wrote to colleagues: the message for the next vet, or a private note. */
export interface StaffNote {
  /** What it is, and that the owner doesn't see it. */
  label: string
  by: string
  body: string
  at: string
}

type Row =
  | { kind: 'staff'; key: string; note: StaffNote }
  | { kind: 'day'; key: string; day: string }
  | { kind: 'notice'; key: string; body: string; at: string; joined: Person | undefined }
  | {
      kind: 'message'
      key: string
      seq: number | undefined
      body: string
      /** What was sent instead of text: a film, a document, or several pictures in a row. */
      attachment: Attachment | null
      album: { seq: number | undefined; picture: Attachment; own: string | undefined; at: string }[]
      at: string
      /** From the reader's side. */
      near: boolean
      author: string
      first: boolean
      last: boolean
      status: Status | undefined
      item: OutboxItem | undefined
    }
type BubbleRow = Extract<Row, { kind: 'message' }>

interface Conversation {
  messages: Message[]
  outbox: OutboxItem[]
  marks: Mark[]
  people: Person[]
  me: number
  side: Side
  isOnline: boolean
  notes: StaffNote[]
  /** The question that started the consult, once all older messages have loaded. */
  question: { body: string; at: string } | undefined
}

export function rowsOf(conversation: Conversation): Row[] {
  const { messages, outbox, people, me, side, isOnline, question } = conversation
  const of = new Map(people.map((one) => [one.id, one]))
  const notes = [...conversation.notes]
  const statuses = statusesOf(conversation)
  const owner = people.find((one) => one.side === 'owner')
  const rows: Row[] = []
  let lastDay = ''

  const dayFirst = (at: string) => {
    const date = new Date(at).toDateString()
    if (date === lastDay) return
    const day = briefDay(at)
    rows.push({ kind: 'day', key: `day ${day}`, day })
    lastDay = date
  }
  const add = ({ attachment, ...rest }: Omit<BubbleRow, 'kind' | 'first' | 'last' | 'album'>) => {
    const isPicture = attachment?.kind === 'picture'
    const row = {
      ...rest,
      attachment: isPicture ? null : attachment,
      album: isPicture
        ? [{ seq: rest.seq, picture: attachment, own: ownPicture(rest.key), at: rest.at }]
        : [],
    }
    dayFirst(row.at)
    const before = rows.at(-1)
    const continues =
      before?.kind === 'message' &&
      before.author === row.author &&
      Date.parse(row.at) - Date.parse(before.at) <= GROUP_MS
    if (continues && isPicture && before.album.length > 0) {
      before.album.push(...row.album)
      Object.assign(before, { at: row.at, status: row.status })
      return
    }
    if (continues) before.last = false
    rows.push({ ...row, kind: 'message', first: !continues, last: true })
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
  const addNote = (note: StaffNote) => {
    dayFirst(note.at)
    rows.push({ kind: 'staff', key: `note ${note.at} ${note.by}`, note })
  }
  for (const { client_id: key, seq, user_id, body, attachment, at } of messages) {
    while (notes[0] && notes[0].at <= at) addNote(notes.shift()!)
    if (user_id === null) {
      dayFirst(at)
      const joined = people.find(({ name }) => body === `${name} joined`)
      rows.push({ kind: 'notice', key, body, at, joined })
    } else {
      const [near, author] = [isNear(user_id), authorOf(user_id)]
      add({ ...plain, key, seq, body, attachment, at, near, author, status: statuses.get(seq) })
    }
  }
  notes.forEach(addNote)
  const texts = outbox.filter(({ file }) => !file)
  const lastWaiting = texts.findLast(({ failed }) => !failed)
  for (const item of texts) {
    const waits = item === lastWaiting ? (isOnline ? 'sending' : 'waiting') : undefined
    const { client_id: key, body, at, failed } = item
    add({ ...plain, key, body, at, near: true, author: say('You'), status: failed ? 'failed' : waits, item })
  }
  return rows
}

/** Under the reader's last message that the other side has seen, that it has received, and that is stored. */
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

const STATUSES: Record<Exclude<Status, 'failed'>, { icon: IconName; says: Sentence }> = {
  sending: { icon: 'clock', says: sentence('Sending') },
  waiting: { icon: 'clock', says: sentence('Waiting for connection') },
  sent: { icon: 'check', says: sentence('Sent') },
  delivered: { icon: 'check-check', says: sentence('Delivered') },
  seen: { icon: 'check-check', says: sentence('Seen') },
}

interface Acts {
  onRetry: (item: OutboxItem) => void
  onDelete: (item: OutboxItem) => void
}

/** Rows are rebuilt at every change, so they are compared by their content. */
export const MessageRow = memo(
  function MessageRow({ row, side, onRetry, onDelete }: { row: Row; side: Side } & Acts) {
    if (row.kind === 'staff') return <Between note={row.note} />
    if (row.kind === 'day') return <Day day={row.day} />
    if (row.kind === 'notice') return row.joined ? <Joined row={row} /> : <Notice row={row} />
    return <Bubble row={row} side={side} onRetry={onRetry} onDelete={onDelete} />
  },
  (before, after) =>
    before.side === after.side &&
    before.onRetry === after.onRetry &&
    before.onDelete === after.onDelete &&
    (before.row === after.row || JSON.stringify(before.row) === JSON.stringify(after.row)),
)

const Day = ({ day }: { day: string }) => (
  <li className="my-2 flex items-center gap-3 text-14 font-medium text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
    {day}
  </li>
)

/** A message between vets: dashed, and never with Sent, Delivered or Seen. */
const Between = ({ note: { label, by, body, at } }: { note: StaffNote }) => (
  <li className="my-3 grid gap-1 rounded-card border border-dashed border-line-strong bg-paper-sunk px-4 py-3 text-14">
    <p className="flex flex-wrap items-center gap-x-2">
      <b className="font-semi">{by}</b>
      <span className="inline-flex items-center gap-1 text-ink-soft">
        <Icon name="lock" size={16} />
        {label}
      </span>
      <time dateTime={at} className="ml-auto text-ink-soft tabular-nums">
        {time(at)}
      </time>
    </p>
    <p dir="auto" className="text-16 [overflow-wrap:anywhere] whitespace-pre-wrap">
      {body}
    </p>
  </li>
)

type NoticeRow = Extract<Row, { kind: 'notice' }>

const Notice = ({ row }: { row: NoticeRow }) => (
  <li className="mx-auto mt-4 mb-1 max-w-[40ch] text-center text-14 text-ink-soft">
    {row.body}{' '}
    <time dateTime={row.at} className="tabular-nums">
      {time(row.at)}
    </time>
  </li>
)

function Joined({ row: { joined, body, at } }: { row: NoticeRow }) {
  const { name, registration } = joined!
  return (
    <li className="mx-auto mt-4 grid max-w-full grid-cols-[auto_minmax(0,1fr)] items-center gap-3 rounded-card border border-line bg-card py-[10px] pr-[18px] pl-[10px] text-14">
      <VetAvatar name={name} size={40} />
      <div className="min-w-0">
        <p className="text-16 leading-snug font-semi">{body}</p>
        <p className="text-ink-soft">
          {registration ? say('Registered vet, {registration}.', { registration }) : say('Registered vet.')}{' '}
          <time dateTime={at} className="tabular-nums">
            {time(at)}
          </time>
        </p>
      </div>
    </li>
  )
}

/** The vet is green for both sides. The owner is solid green in their own room, sand in the console. */
function colorsOf({ near, status, item }: BubbleRow, side: Side) {
  if (status === 'failed') return 'bg-card text-ink shadow-[inset_0_0_0_1.5px_var(--color-red)]'
  if (item) return 'bg-card text-ink shadow-[inset_0_0_0_1px_var(--color-line-strong)]'
  if (side === 'owner') return near ? 'bg-bubble-own text-on-bubble-own' : 'bg-green-soft text-ink'
  return near ? 'bg-green-soft text-ink' : 'bg-bubble-me text-ink'
}

/** A picture's description: its file name means nothing to somebody who can't see it. */
const pictureSaid = ({ author, near }: BubbleRow, at: string) =>
  near && author === say('You')
    ? say('Your photo, {time}', { time: time(at) })
    : say('Photo from {name}, {time}', { name: author, time: time(at) })

function Bubble({ row, side, onRetry, onDelete }: { row: BubbleRow; side: Side } & Acts) {
  const { near, author, body, attachment, album, at, first, last, status, item } = row
  const tail = last ? (near ? 'rounded-br-[4px]' : 'rounded-bl-[4px]') : ''
  return (
    <li
      data-seq={album.length > 0 ? undefined : row.seq}
      className={`grid max-w-[84%] grid-cols-[minmax(0,1fr)] min-w-0 lg:max-w-[74%] ${near ? 'justify-items-end justify-self-end' : 'justify-items-start justify-self-start'} ${first ? 'mt-3' : ''}`}
    >
      <span className="sr-only">{author}:</span>
      {album.length > 0 ? (
        <div className={`grid max-w-full gap-[3px] ${album.length > 1 ? 'w-[380px] grid-cols-2' : ''}`}>
          {album.map((one) => (
            <div key={one.picture.id} data-seq={one.seq} className="min-w-0">
              <AttachmentView
                attachment={one.picture}
                own={one.own}
                tail={tail}
                said={pictureSaid(row, one.at)}
                album={album.length > 1}
              />
            </div>
          ))}
        </div>
      ) : attachment ? (
        <AttachmentView attachment={attachment} tail={tail} />
      ) : (
        <p
          dir="auto"
          className={`max-w-full rounded-card outline -outline-offset-1 outline-transparent px-[14px] py-[9px] leading-[1.45] [overflow-wrap:anywhere] whitespace-pre-wrap ${tail} ${colorsOf(row, side)}`}
        >
          <Linked>{body}</Linked>
        </p>
      )}
      {status === 'failed' && item ? (
        <NotSent item={item} onRetry={onRetry} onDelete={onDelete} />
      ) : (
        (status || (last && !item)) && (
          <p className="mx-1 mt-1 flex items-center gap-[5px] text-14 leading-snug text-ink-soft tabular-nums">
            {!item && <time dateTime={at}>{time(at)}</time>}
            {status && status !== 'failed' && (
              <>
                <Icon
                  name={STATUSES[status].icon}
                  size={16}
                  className={status === 'seen' ? 'text-green' : ''}
                />
                <span>{say(STATUSES[status].says)}</span>
              </>
            )}
          </p>
        )
      )}
    </li>
  )
}

const actLook = 'min-h-11 px-[10px] underline underline-offset-[3px] hover:decoration-2'

const NotSent = ({ item, onRetry, onDelete }: { item: OutboxItem } & Acts) => (
  <div className="mt-[2px] text-right text-14 text-red">
    <div className="flex flex-wrap items-center justify-end gap-x-1">
      <span role="alert" className="inline-flex items-center gap-[6px] font-medium">
        <Icon name="circle-alert" size={16} />
        {say('Not sent')}
      </span>
      <button type="button" className={`${actLook} font-semi`} onClick={() => onRetry(item)}>
        {say('Try again')}
      </button>
      <button type="button" className={`${actLook} font-medium text-ink-soft`} onClick={() => onDelete(item)}>
        {say('Delete')}
      </button>
    </div>
    {item.why && <p>{item.why}</p>}
  </div>
)

/** Shows that the other side is typing. Screen readers don't read it out. */
export const Dots = () => (
  <li aria-hidden="true" className="mt-3 justify-self-start">
    <span className="inline-flex gap-1 rounded-card rounded-bl-[4px] bg-green-soft p-[14px]">
      {[0, 150, 300].map((delay) => (
        <span
          key={delay}
          style={{ animationDelay: `${delay}ms` }}
          className="size-[7px] animate-dots rounded-full bg-green-soft-ink opacity-35 motion-reduce:animate-none motion-reduce:opacity-70"
        />
      ))}
    </span>
  </li>
)
