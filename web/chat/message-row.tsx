import { memo } from 'react'
import { time } from '../lib/dates.ts'
import { VetAvatar } from '../ui/avatar.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say, sentence, type Sentence } from '../ui/say.ts'
import { AttachmentView } from './attachment.tsx'
import type { Side } from './conversation-store.ts'
import type { BubbleRow, Row, Status } from './message-rows.ts'
import type { OutboxItem } from './outbox.ts'

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

/** Rows are made anew at every change, so they are compared by what they hold. */
export const MessageRow = memo(
  function MessageRow({ row, side, onRetry, onDelete }: { row: Row; side: Side } & Acts) {
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

/** The vet is green for both sides; the owner solid green in the own room, sand in the console. */
function colorsOf({ near, status, item }: BubbleRow, side: Side) {
  if (status === 'failed') return 'bg-card text-ink shadow-[inset_0_0_0_1.5px_var(--red)]'
  if (item) return 'bg-card text-ink shadow-[inset_0_0_0_1px_var(--line-strong)]'
  if (side === 'owner') return near ? 'bg-bubble-own text-on-bubble-own' : 'bg-green-soft text-ink'
  return near ? 'bg-green-soft text-ink' : 'bg-bubble-me text-ink'
}

function Bubble({ row, side, onRetry, onDelete }: { row: BubbleRow; side: Side } & Acts) {
  const { near, author, body, attachment, at, first, last, status, item } = row
  const tail = last ? (near ? 'rounded-br-[4px]' : 'rounded-bl-[4px]') : ''
  return (
    <li
      data-seq={row.seq}
      className={`grid max-w-[84%] min-w-0 lg:max-w-[74%] ${near ? 'justify-items-end justify-self-end' : 'justify-items-start justify-self-start'} ${first ? 'mt-3' : ''}`}
    >
      <span className="sr-only">{author}:</span>
      {attachment ? (
        <AttachmentView attachment={attachment} tail={tail} />
      ) : (
        <p
          dir="auto"
          className={`max-w-full rounded-card px-[14px] py-[9px] leading-[1.45] [overflow-wrap:anywhere] whitespace-pre-wrap ${tail} ${colorsOf(row, side)}`}
        >
          {body}
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

const act = 'min-h-11 px-[10px] underline underline-offset-[3px] hover:decoration-2'

const NotSent = ({ item, onRetry, onDelete }: { item: OutboxItem } & Acts) => (
  <div className="mt-[2px] text-right text-14 text-red">
    <div className="flex flex-wrap items-center justify-end gap-x-1">
      <span role="alert" className="inline-flex items-center gap-[6px] font-medium">
        <Icon name="circle-alert" size={16} />
        {say('Not sent')}
      </span>
      <button type="button" className={`${act} font-semi`} onClick={() => onRetry(item)}>
        {say('Try again')}
      </button>
      <button type="button" className={`${act} font-medium text-ink-soft`} onClick={() => onDelete(item)}>
        {say('Delete')}
      </button>
    </div>
    {item.why && <p>{item.why}</p>}
  </div>
)

/** The other side is typing. Screen readers are not told. */
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
