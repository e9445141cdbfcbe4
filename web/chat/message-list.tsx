import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { listen } from '../ui/listen.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import { attachmentSaid } from './attachment.tsx'
import { type ConversationStore, useConversationState } from './conversation-store.ts'
import { newsAfter } from './marks.ts'
import { Dots, MessageRow, type Person, rowsOf, type StaffNote } from './message-rows.tsx'
import { MessageSkeletons } from './message-skeletons.tsx'

/** A reader who is this close to the end follows new messages. */
const NEAR_END_PX = 80
/** Older messages load when the first one is this close to coming into view. */
const LOADS_BEFORE_PX = 240

const NO_NOTES: StaffNote[] = []

export interface ListProps {
  conversation: ConversationStore
  people: Person[]
  question: { body: string; at: string } | undefined
  /** Above the messages, scrolling with them. With it, the list opens at the top instead of at its end. */
  before?: ReactNode
  /** What vets wrote to each other, for staff only. */
  notes?: StaffNote[] | undefined
  /** While this is false, no message is marked as seen. */
  reads?: boolean | undefined
}

export const MessageList = memo(function MessageList({
  conversation,
  people,
  question,
  before,
  reads = true,
  notes = NO_NOTES,
}: ListProps) {
  const { me, side, loadOlder } = conversation
  const { isFromHere } = conversation.outbox
  const { messages, outbox, marks, seen, older, opened, firstUnread, otherTypes, reach } =
    useConversationState(conversation)
  const whole = opened === 'open' && older === 'none'
  const isOnline = reach !== 'lost'
  const { body, at } = (whole ? question : undefined) ?? {}
  // Not rebuilt at every keystroke in the box below.
  const rows = useMemo(
    () =>
      rowsOf({
        messages,
        outbox,
        marks,
        people,
        me,
        side,
        isOnline,
        notes,
        question: body === undefined ? undefined : { body, at: at! },
      }),
    [messages, outbox, marks, people, me, side, isOnline, notes, body, at],
  )
  // When the list starts over, much may have been read since the page was opened.
  const { scroller, content, atEnd, toEnd } = useScroll({
    opened: opened === 'open',
    opensAtTop: before !== undefined,
    firstUnread: firstUnread !== undefined && firstUnread > seen ? firstUnread : undefined,
    first: rows.find(({ kind }) => kind !== 'day')?.key,
    last: rows.at(-1)?.key,
    own: (
      outbox.findLast(({ file, client_id }) => !file && isFromHere(client_id)) ??
      messages.findLast(({ client_id }) => isFromHere(client_id))
    )?.client_id,
  })

  // Pictures that the lost connection broke.
  useEffect(() => {
    if (!isOnline) return
    for (const picture of scroller.current?.querySelectorAll('img') ?? [])
      if (picture.complete && picture.naturalWidth === 0) picture.src = picture.getAttribute('src')!
  }, [isOnline, scroller])

  const seenTo = useSeen(conversation, scroller, atEnd && reads)
  const fresh = newsAfter(seenTo, messages, me)
  const showsPill = !atEnd && fresh.length > 0

  const top = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (older !== 'there' || !top.current) return
    const watcher = new IntersectionObserver((entries) => entries.at(-1)!.isIntersecting && loadOlder(), {
      root: scroller.current,
      rootMargin: `${LOADS_BEFORE_PX}px 0px 0px`,
    })
    watcher.observe(top.current)
    return () => watcher.disconnect()
  }, [older, loadOlder, scroller])

  return (
    <div className="relative grid min-h-0">
      <div
        ref={scroller}
        role="group"
        aria-label={say('Conversation')}
        className="min-h-0 overflow-y-auto print:overflow-visible overscroll-contain [overflow-anchor:none] focus-visible:rounded-[0] focus-visible:-outline-offset-3 lg:[scrollbar-gutter:stable]"
      >
        <div ref={content} className="relative flex min-h-full flex-col">
          {before}
          <div
            role="log"
            aria-label={say('Messages')}
            // Only the other side's new messages are read out, in ReadOut below, with their authors.
            aria-live="off"
            aria-busy={opened === 'opening'}
            className="mt-auto"
          >
            {opened === 'opening' ? (
              <Opening />
            ) : (
              <ol className="mx-auto grid w-full max-w-[760px] grid-cols-[minmax(0,1fr)] content-end gap-[2px] px-4 pt-4 pb-5 lg:px-6 lg:pb-6">
                {older !== 'none' && (
                  <li ref={top} className="grid min-h-11 place-items-center py-1 text-14 text-ink-soft">
                    {older === 'failed' ? (
                      <Button variant="text" size={44} onClick={loadOlder}>
                        {say('Load older messages')}
                      </Button>
                    ) : (
                      say('Loading older messages…')
                    )}
                  </li>
                )}
                {rows.map((row) => (
                  <MessageRow
                    key={row.key}
                    row={row}
                    side={side}
                    onRetry={conversation.outbox.retry}
                    onDelete={conversation.outbox.remove}
                  />
                ))}
                {otherTypes && <Dots />}
              </ol>
            )}
          </div>
        </div>
      </div>
      {showsPill && (
        <button
          type="button"
          onClick={toEnd}
          className="absolute bottom-3 left-1/2 z-10 inline-flex min-h-11 -translate-x-1/2 items-center gap-2 rounded-full bg-green py-[6px] pr-[18px] pl-[14px] text-14 font-semi whitespace-nowrap text-on-green shadow-float hover:bg-green-hover focus-visible:rounded-full"
        >
          <Icon name="arrow-down" />
          {fresh.length === 1 ? say('1 new message') : say('{n} new messages', { n: fresh.length })}
        </button>
      )}
      <ReadOut conversation={conversation} people={people} />
    </div>
  )
})

const Opening = () => (
  <div className="mx-auto grid w-full max-w-[760px] gap-[14px] px-4 pt-4 pb-5 lg:px-6">
    <p role="status" className="sr-only">
      {say('Opening the conversation')}
    </p>
    <MessageSkeletons />
  </div>
)

interface Scrolling {
  opened: boolean
  opensAtTop: boolean
  firstUnread: number | undefined
  /** The keys of the first and the last row, and of the last message that the reader wrote here. */
  first: string | undefined
  last: string | undefined
  own: string | undefined
}

/** The list before it changed: its rows, its height, and how much of it was in view. */
interface Was {
  opened: boolean
  first?: string | undefined
  last?: string | undefined
  own?: string | undefined
  height: number
  room: number
}

const wasNearEnd = (box: HTMLElement, { height, room }: Pick<Was, 'height' | 'room'>) =>
  height - box.scrollTop - room <= NEAR_END_PX
const isNearEnd = (box: HTMLElement) => wasNearEnd(box, { height: box.scrollHeight, room: box.clientHeight })

/** Opens at the first unread message, follows new ones at the end, and otherwise keeps the view where it is. */
function useScroll({ opened, opensAtTop, firstUnread, first, last, own }: Scrolling) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(false)
  const was = useRef<Was>({ opened: false, height: 0, room: 0 })

  /**
   * Whether a reader at the end stays there when the keyboard opens or the text box grows. In a list that opens at the
   * top, a reader who uses what is above the messages keeps it in view.
   */
  const staysAtEnd = useCallback(
    (box: HTMLElement) =>
      !opensAtTop ||
      (box.scrollTop > 0 &&
        box.clientHeight < was.current.room &&
        !content.current?.contains(document.activeElement)),
    [opensAtTop],
  )
  /** Remembers the sizes to compare with the next ones. */
  const look = useCallback((box: HTMLElement) => {
    was.current.height = box.scrollHeight
    was.current.room = box.clientHeight
    setAtEnd(isNearEnd(box))
  }, [])
  const toEnd = useCallback(() => {
    const box = scroller.current
    if (!box) return
    box.scrollTop = box.scrollHeight
    box.focus({ preventScroll: true })
    look(box)
  }, [look])

  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return
    const before = was.current
    if (opened && !before.opened) {
      const unread = firstUnread === undefined ? null : box.querySelector(`[data-seq="${firstUnread}"]`)
      if (opensAtTop) box.scrollTop = 0
      else if (unread)
        box.scrollTop += unread.getBoundingClientRect().top - box.getBoundingClientRect().top - 16
      else box.scrollTop = box.scrollHeight
    } else if (opened) {
      const sends = own !== before.own && own !== undefined
      if (sends || (wasNearEnd(box, before) && (last !== before.last || staysAtEnd(box))))
        box.scrollTop = box.scrollHeight
      // Older messages were added above, so the view stays where it is.
      else if (first !== before.first && before.first !== undefined)
        box.scrollTop += box.scrollHeight - before.height
    }
    was.current = { ...before, opened, first, last, own }
    look(box)
  })

  useEffect(() => {
    const box = scroller.current
    const inside = content.current
    if (!box || !inside) return
    // It can have the focus, so that the arrow keys, Home and End scroll it.
    box.tabIndex = 0
    const watcher = new ResizeObserver(() => {
      if (staysAtEnd(box) && wasNearEnd(box, was.current)) box.scrollTop = box.scrollHeight
      look(box)
    })
    // Scrolling comes before the watcher in a frame, and must not hide from it what has become smaller.
    const scrolled = () => setAtEnd(isNearEnd(box))
    watcher.observe(box)
    watcher.observe(inside)
    box.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      watcher.disconnect()
      box.removeEventListener('scroll', scrolled)
    }
  }, [look, staysAtEnd])

  return { scroller, content, atEnd, toEnd }
}

/**
 * How far the reader has read: up to the first unread message, and further once the end was in view on a visible page.
 * `looks` says that it's in view.
 */
function useSeen(conversation: ConversationStore, box: RefObject<HTMLDivElement | null>, looks: boolean) {
  const { markSeen } = conversation
  const { messages, opened, firstUnread, seen } = useConversationState(conversation)
  const last = messages.at(-1)?.seq ?? 0
  const isOpen = opened === 'open'
  const [before, setBefore] = useState<number>()
  if (isOpen && before === undefined)
    setBefore(firstUnread === undefined ? last : Math.max(firstUnread - 1, seen))
  useEffect(() => {
    if (!isOpen || !looks) return
    const see = () => {
      const list = box.current
      // A reader who is just scrolling away hasn't seen what is below.
      if (!list || document.visibilityState !== 'visible' || !isNearEnd(list)) return
      setBefore(last)
      markSeen(last)
    }
    see()
    return listen(document, 'visibilitychange', see)
  }, [isOpen, looks, box, last, markSeen])
  return before ?? last
}

/** Reads out new messages of the other side. */
function ReadOut({ conversation, people }: Pick<ListProps, 'conversation' | 'people'>) {
  const { me } = conversation
  const { messages, opened } = useConversationState(conversation)
  const [from, setFrom] = useState<number>()
  const last = messages.at(-1)?.seq ?? 0
  if (opened === 'open' && from === undefined) setFrom(last)
  const fresh = messages.filter(({ seq, user_id }) => from !== undefined && seq > from && user_id !== me)
  return (
    <div aria-live="polite" className="sr-only">
      {fresh.slice(-5).map(({ seq, user_id, body, attachment }) => (
        <p key={seq}>
          {user_id === null ? '' : `${people.find(({ id }) => id === user_id)?.name ?? say('The vet')}: `}
          {attachment ? attachmentSaid(attachment) : body}
        </p>
      ))}
    </div>
  )
}
