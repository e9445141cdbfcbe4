import { memo, useEffect, useRef, useState, type ReactNode } from 'react'
import { type Consultation, PROMISED_MINUTES } from '#contract/consultations.ts'
import { useDraft } from '../chat/draft.ts'
import { time } from '../lib/dates.ts'
import { caseBeside } from '../lib/room-address.ts'
import { PetFace } from '../pets/pet-face.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { OnDuty } from './duty.tsx'
import {
  type Cases,
  type FollowUp,
  inOrder,
  type OwnCase,
  type Show,
  useHeldOrder,
  useNewcomers,
} from './cases.ts'
import { Key } from '../ui/key.tsx'
import { PresenceDot } from './presence-dot.tsx'
import { cannotWait, isEmergency, UrgencyChip } from './urgency-chip.tsx'
import { isOverdue, KINDS, minutesBetween, nameOf, short } from '../consultations/case-words.ts'

const SHOWS: { show: Show; said: string }[] = [
  { show: 'all', said: 'All' },
  { show: 'waiting', said: 'Waiting' },
  { show: 'mine', said: 'Mine' },
]

export const caseAddress = (id: number, show: Show) =>
  `${caseBeside(id)}${show === 'all' ? '' : `?show=${show}`}`

interface SidebarProps {
  cases: Cases
  state: 'loading' | 'failed' | 'old' | 'here'
  onRetry: () => void
  now: number
  shown: number
  show: Show
  /** The case that the vet's call is about. */
  inCall: number | undefined
  singleKeys: boolean
  /** Admins only read, and can't take cases. */
  takes: boolean
  onMove: (by: 1 | -1) => void
}

/** The cases that come first, the vet's own, and the other waiting ones. */
export const Sidebar = memo(function Sidebar({
  cases,
  state,
  onRetry,
  now,
  shown,
  show,
  inCall,
  singleKeys,
  takes,
  onMove,
}: SidebarProps) {
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const held = useHeldOrder(cases, isPointed || isFocused)
  const isKnown = state === 'here' || state === 'old'
  const handedOver = cases.own.map(({ one }) => one).filter(({ handed_over_by }) => handed_over_by)
  const arrivals = isKnown ? [...cases.first, ...cases.waiting, ...handedOver] : undefined
  const { fresh, see } = useNewcomers(arrivals, shown)
  const firstCount = held.askedFirst.length + held.first.length
  const counts = {
    all: undefined,
    waiting: isKnown ? inOrder(cases, 'waiting').length : undefined,
    mine: cases.own.length,
  }
  const order = inOrder(held, show)
  const stop = order.includes(shown) ? shown : order[0]

  // While the focus is in the list, it moves with J and K.
  useEffect(() => {
    if (list.current?.contains(document.activeElement) && document.activeElement !== list.current)
      list.current.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [shown])

  const given = (one: Consultation) => ({
    one,
    now,
    href: caseAddress(one.id, show),
    current: one.id === shown,
    stop: one.id === stop,
    fresh: fresh.has(one.id),
    here: one.end === null ? held.here.has(one.id) : undefined,
    onSeen: see,
  })
  const row = (one: Consultation) => <WaitingCase key={one.id} {...given(one)} />
  const question = ({ consultation: one, asked_at }: FollowUp) => (
    <FollowUpCase key={one.id} at={asked_at} {...given(one)} />
  )
  return (
    <section
      aria-label="Case queue"
      className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] border-line bg-paper text-14 min-[64rem]:border-r"
    >
      <nav aria-label="Show" className="border-b border-line p-2">
        <div className="segments flex flex-wrap">
          {SHOWS.filter(({ show }) => takes || show !== 'mine').map(({ show: one, said }) => (
            <Link
              key={one}
              href={caseAddress(shown, one)}
              aria-current={one === show ? 'true' : undefined}
              className="segment flex-1 px-1 whitespace-normal"
            >
              {said}
              {counts[one] !== undefined && <span className="tabular-nums">{counts[one]}</span>}
            </Link>
          ))}
        </div>
      </nav>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The keys are those of its links. */}
      <div
        ref={list}
        id="queue"
        role="region"
        aria-label="Cases"
        tabIndex={-1}
        className="min-h-0 overflow-y-auto px-2 pb-3 outline-none"
        onPointerEnter={() => setPointed(true)}
        onPointerLeave={() => setPointed(false)}
        onFocus={() => setFocused(true)}
        // A press moves the focus from row to row, and only counts if the row is still there when it ends.
        onBlur={({ currentTarget, relatedTarget }) => setFocused(currentTarget.contains(relatedTarget))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          onMove(event.key === 'ArrowDown' ? 1 : -1)
        }}
      >
        {state === 'loading' ? (
          <SkeletonRows label="Loading the queue" rows={5} />
        ) : state === 'failed' ? (
          <div role="alert" className="grid justify-items-start gap-3 p-4">
            <p>
              <strong className="font-semi">We couldn’t load the queue.</strong> The cases are safe.
            </p>
            <Button size={44} onClick={onRetry}>
              Try again
            </Button>
          </div>
        ) : (
          <>
            {state === 'old' && (
              <p className="mt-2 flex gap-2 rounded-small bg-amber-soft p-3 text-amber-soft-ink">
                <Icon name="wifi-off" size={16} className="mt-[2px]" />
                The queue isn’t refreshing. It will update automatically.
              </p>
            )}
            {show !== 'mine' && firstCount > 0 && (
              <Part title="Take these first" aside={String(firstCount)}>
                {held.askedFirst.map(question)}
                {held.first.map(row)}
              </Part>
            )}
            {takes && show !== 'waiting' && (
              <Part title="Mine" aside={held.own.length > 0 ? String(held.own.length) : undefined}>
                {held.own.length > 0 ? (
                  held.own.map((own) => (
                    <MyCase key={own.one.id} own={own} calls={own.one.id === inCall} {...given(own.one)} />
                  ))
                ) : (
                  <li className="px-3 py-2 text-ink-soft">You have no open cases.</li>
                )}
              </Part>
            )}
            {show !== 'mine' && (
              <Part title="Waiting" aside={held.waiting.length > 1 ? 'longest first' : undefined}>
                {held.waiting.length > 0 ? (
                  held.waiting.map(row)
                ) : held.followUps.length > 0 ? null : (
                  <li className="px-3 py-2 text-ink-soft">
                    {firstCount > 0 ? 'Nobody else is waiting.' : 'Nobody is waiting.'}
                  </li>
                )}
                {held.followUps.map(question)}
              </Part>
            )}
          </>
        )}
      </div>
      <div
        data-up
        className="group/duty flex min-h-11 items-center gap-2 border-t border-line px-2 py-1 text-ink-soft"
      >
        <OnDuty />
        {singleKeys && (
          <span className="ml-auto flex flex-wrap items-center justify-end gap-1 pointer-coarse:hidden max-[87.49rem]:hidden">
            <Key>J</Key>
            <Key>K</Key> move <Key>?</Key> shortcuts
          </span>
        )}
      </div>
    </section>
  )
})

const Part = ({
  title,
  aside,
  children,
}: {
  title: string
  aside?: string | undefined
  children: ReactNode
}) => (
  <>
    <h2 className="sticky top-0 z-1 flex items-baseline gap-2 bg-paper px-2 pt-3 pb-[6px] font-semi text-ink-soft">
      {title}
      {aside && <span className="ml-auto font-regular tabular-nums">{aside}</span>}
    </h2>
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">{children}</ul>
  </>
)

interface RowProps {
  one: Consultation
  now: number
  href: string
  current: boolean
  /** The list is one Tab stop, and the focus enters it here. */
  stop: boolean
  /** Nobody has looked at it since it arrived. */
  fresh: boolean
  /** Whether the owner has the page open; undefined once the consult has ended. */
  here: boolean | undefined
  onSeen: (id: number) => void
}

/** The pet, its owner and how long, and below them what the vet should know. A long name leaves room for the others. */
const Row = ({
  one,
  now,
  href,
  current,
  stop,
  here,
  onSeen,
  since,
  late = false,
  ground = current ? 'bg-card shadow-[inset_0_0_0_1px_var(--color-line)]' : 'hover:bg-paper-sunk',
  children,
}: Omit<RowProps, 'fresh'> & {
  since: string
  late?: boolean
  ground: string | undefined
  children: ReactNode
}) => (
  <li>
    <Link
      href={href}
      aria-current={current ? 'true' : undefined}
      tabIndex={stop ? 0 : -1}
      onPointerEnter={() => onSeen(one.id)}
      className={`relative grid grid-cols-[40px_minmax(0,1fr)] gap-x-3 rounded-[10px] py-[10px] pr-[10px] pl-3 text-inherit no-underline focus-visible:-outline-offset-3 aria-[current]:before:absolute aria-[current]:before:inset-y-3 aria-[current]:before:left-0 aria-[current]:before:w-[3px] aria-[current]:before:rounded-[2px] aria-[current]:before:bg-green ${ground}`}
    >
      <span className="relative self-start">
        <PetFace species={one.pet.species_id} size={40} />
        {here !== undefined && (
          <span className="absolute right-0 bottom-0 rounded-full border-2 border-paper">
            <PresenceDot here={here} />
            <span className="sr-only">{here ? 'Owner here. ' : 'Owner away. '}</span>
          </span>
        )}
      </span>
      <span className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
        <span className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-2">
          <span className="flex min-w-0 items-baseline gap-2">
            <span className="max-w-[70%] shrink-0 truncate text-16 leading-snug font-semi">
              {one.pet.name}
            </span>
            <span className="min-w-0 truncate text-ink-soft">{nameOf(one)}</span>
          </span>
          <span
            className={`tabular-nums ${late ? 'font-semi text-coral-soft-ink' : 'font-medium text-ink-soft'}`}
          >
            {short(minutesBetween(since, now))}
          </span>
        </span>
        {children}
      </span>
    </Link>
  </li>
)

const EMERGENCY = 'bg-coral-soft shadow-[inset_0_0_0_1px_var(--color-coral-fill)] hover:bg-coral-soft-hover'
const FRESH = 'bg-green-soft hover:bg-green-soft-hover'

/* Opening a case only renders its row and the previously open one. */

const WaitingCase = memo(function WaitingCase({ fresh, ...given }: RowProps) {
  const { one, now } = given
  const late = isOverdue(one, now)
  const kind = KINDS[one.type]
  const ground = isEmergency(one.urgency) ? EMERGENCY : fresh ? FRESH : undefined
  return (
    <Row {...given} since={one.start} late={late} ground={ground}>
      <UrgencyChip of={one.urgency} />
      <span className="truncate">{one.pet_issue}</span>
      {(!cannotWait(one.urgency) || late || fresh) && (
        <span className="flex min-w-0 items-center gap-[6px] text-ink-soft">
          {late ? (
            <span className="truncate">
              <b className="font-semi text-coral-soft-ink">Overdue</b> by{' '}
              {short(Math.max(1, minutesBetween(one.start, now) - PROMISED_MINUTES))}
            </span>
          ) : (
            <>
              <Icon name={kind.icon} size={16} />
              {kind.said}
            </>
          )}
          {fresh && <b className="ml-auto font-semi text-green-soft-ink">New</b>}
        </span>
      )}
    </Row>
  )
})

/** A question after the end, which any vet can take. We promise no time for it, so it is never overdue. */
const FollowUpCase = memo(function FollowUpCase({ at, ...given }: RowProps & { at: string }) {
  const { one } = given
  return (
    <Row {...given} since={at} ground={isEmergency(one.urgency) ? EMERGENCY : undefined}>
      <UrgencyChip of={one.urgency} />
      <span className="truncate text-ink-soft">
        <b className="font-semi text-green-soft-ink">Follow-up</b> after {one.vet_name}
      </span>
    </Row>
  )
})

const MyCase = memo(function MyCase({
  own: { last, unread, asks, types, snoozed, unsent, refused },
  calls,
  fresh,
  ...given
}: RowProps & { own: OwnCase; calls: boolean }) {
  const { one, current } = given
  const ground = !fresh ? undefined : isEmergency(one.urgency) ? EMERGENCY : FRESH
  const draft = useDraft(one.id).text.trim()
  return (
    <Row {...given} since={asks ?? last?.at ?? one.vet_start ?? one.start} ground={ground}>
      {(fresh || isEmergency(one.urgency)) && <UrgencyChip of={one.urgency} />}
      <span className="flex min-w-0 items-center gap-2">
        <span
          className={`flex min-w-0 items-center gap-1 ${unread > 0 && !snoozed ? 'font-medium' : 'text-ink-soft'}`}
        >
          {calls ? (
            <b className="font-semi text-green-soft-ink">In a video call</b>
          ) : (unsent || (refused && draft)) && !current ? (
            <b className="font-semi text-red">Not sent</b>
          ) : types ? (
            <b className="font-semi text-green-soft-ink">Writing…</b>
          ) : snoozed ? (
            <>
              <Icon name="hourglass" size={16} />
              <span className="truncate">Waiting for them until {time(snoozed)}</span>
            </>
          ) : fresh ? (
            <b className="truncate font-semi text-green-soft-ink">From {one.handed_over_by}</b>
          ) : draft && unread === 0 && !current ? (
            <>
              <b className="flex-none font-semi text-amber-soft-ink">Draft</b>
              <span className="truncate">{draft}</span>
            </>
          ) : (
            <>
              {asks && <b className="flex-none font-semi text-green-soft-ink">Asks again</b>}
              <span className="truncate">
                {last ? `${last.mine ? 'You: ' : ''}${last.body}` : one.pet_issue}
              </span>
            </>
          )}
        </span>
        {unread > 0 && !snoozed && (
          <span className="ml-auto grid min-h-5 min-w-5 flex-none place-items-center rounded-full bg-green px-[6px] py-[2px] leading-none font-semi text-on-green tabular-nums">
            {unread}
            <span className="sr-only"> unread</span>
          </span>
        )}
      </span>
    </Row>
  )
})
