import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type User, USER_TYPES } from '#contract/accounts.ts'
import { isDay } from '#contract/fields.ts'
import type { Gap, Shift } from '#contract/roster.ts'
import { daysAfter, localTimeOf, REGIONS } from '#contract/regions.ts'
import { currentUser } from '../lib/current-user.ts'
import { useQueryFilters } from '../lib/query-filters.ts'
import { now as serverNow } from '../lib/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { useFocusAfter } from '../ui/focus-after.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Stale, ViewHead, ViewLoading, ViewSkeleton } from '../ui/view-frame.tsx'
import type { Opens } from './cell.tsx'
import { DayList } from './day-list.tsx'
import { OwnShiftDialog } from './own-shift-dialog.tsx'
import { asSeen, rosterFrom, usePutShiftBack, useRemoveShift, useRosterChanges } from './queries.ts'
import { RepeatDialog } from './repeat-dialog.tsx'
import { calendarDay, gapsWords, longDay, weekWords } from './roster-words.ts'
import { type Draft, ShiftDialog } from './shift-dialog.tsx'
import { HolidayCard, NowCard, OfferedCard } from './top-cards.tsx'
import { type Undo, UndoBar } from './undo-bar.tsx'
import { ByBand, ByVet } from './week-tables.tsx'

/** The roster for staff: admins plan it; vets read it, and offer and take shifts. */
export default function Roster() {
  const { data: user } = useQuery(currentUser)
  return user ? <Plan user={user} /> : <ViewSkeleton label="Loading the roster" />
}

function Plan({ user }: { user: User }) {
  const { asked, set: show } = useQueryFilters()
  const day = asked.get('from') ?? ''
  const from = isDay(day) ? day : undefined
  const view = asked.get('by') === 'vet' ? 'vet' : 'band'
  const [draft, setDraft] = useState<Draft>()
  const [opened, open] = useState<Shift>()
  const [repeats, setRepeats] = useState(false)
  const [undo, setUndo] = useState<Undo>()
  const {
    data: roster,
    isError,
    isPlaceholderData,
    refetch,
  } = useQuery({
    ...rosterFrom(from),
    placeholderData: keepPreviousData,
  })
  const putBack = usePutShiftBack()
  const remove = useRemoveShift()
  useRosterChanges()
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusAfter(undo !== undefined, () => heading.current?.focus({ preventScroll: true }))
  const isAdmin = user.type === USER_TYPES.admin

  if (!roster)
    return (
      <>
        <ViewHead title="Duty roster" />
        <ViewLoading of={{ isError, refetch }} what="the roster" />
      </>
    )
  const { today, days, bands, shifts, gaps, vets } = roster
  const first = days[0]!.day
  const isToday = first <= today
  const { time } = localTimeOf(user.region, new Date(serverNow()))
  const firstBand = (isToday && bands.find(({ from, to }) => to > time || to < from)) || bands[0]!
  const openShift = (shift: Shift) => {
    const isPlanned = isAdmin && Date.parse(shift.end) > serverNow()
    if (isPlanned) setDraft({ shift, vet_id: shift.vet_id, day: shift.day, from: shift.from, to: shift.to })
    else if (!isAdmin) open(shift)
  }
  const opens: Opens = {
    mine: user.id,
    onShift: openShift,
    ...(isAdmin && {
      onGap: ({ day, from, to }: Gap) => setDraft({ day, from, to }),
      onAdd: ({ day, band, vet_id }) =>
        setDraft({ day, from: bands[band]!.from, to: bands[band]!.to, ...(vet_id && { vet_id }) }),
    }),
  }
  const changed = (undone?: Undo) => {
    setDraft(undefined)
    if (undone) setUndo(undone)
  }
  const toToday = () => {
    show('from', '')
    // The button disappears.
    heading.current?.focus({ preventScroll: true })
  }
  // Counts from the last requested week, so that three presses move three weeks.
  const moveBy = (days: number) => show('from', daysAfter(from ?? first, days))

  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex flex-wrap items-baseline gap-x-4">
          <h1 ref={heading} tabIndex={-1} className="t28">
            Duty roster
          </h1>
          <p className="text-14 text-ink-soft">Times in {REGIONS[user.region].timesIn}</p>
          {/* Beside the title, which then has the focus, so that one Tab reaches it in time. */}
          <UndoBar undo={undo} onOver={() => setUndo(undefined)} />
        </div>
        {isAdmin && (
          <div className="flex flex-wrap gap-2 print:hidden">
            <Button size={36} icon="copy" onClick={() => setRepeats(true)}>
              Repeat a week
            </Button>
            <Button
              size={36}
              icon="plus"
              onClick={() =>
                setDraft({ day: isToday ? today : first, from: firstBand.from, to: firstBand.to })
              }
            >
              Add shift
            </Button>
          </div>
        )}
      </div>
      <div className="grid gap-4 print:hidden min-[60rem]:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <NowCard roster={roster} region={user.region} />
        <OfferedCard
          offered={shifts.filter(({ offered }) => offered)}
          bands={bands}
          mine={user.id}
          onShift={openShift}
        />
        <HolidayCard holiday={roster.next_holiday} onShow={(from) => show('from', from)} />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex items-center gap-1">
          <IconButton label="Seven days before" icon="chevron-left" onClick={() => moveBy(-7)} />
          <b className="text-center font-semi tabular-nums" aria-live="polite">
            {weekWords(first)}
          </b>
          <IconButton label="Seven days after" icon="chevron-right" onClick={() => moveBy(7)} />
          {first !== today && (
            <Button size={36} variant="text" onClick={toToday}>
              Today
            </Button>
          )}
        </div>
        {gaps.length > 0 ? (
          <Badge tone="amber" icon="triangle-alert">
            {gapsWords(gaps)}
          </Badge>
        ) : (
          <Badge tone="green">No gaps</Badge>
        )}
        <div role="group" aria-label="View" className="ml-auto segments max-[68.74rem]:hidden">
          {(['band', 'vet'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={view === one}
              className="segment"
              onClick={() => show('by', one === 'vet' ? one : '')}
            >
              By {one}
            </button>
          ))}
        </div>
      </div>
      {vets.length === 0 ? (
        <Empty
          scene="empty-no-consults"
          title="No vets yet"
          action={isAdmin && <LinkButton href="/admin/vets">Open Vets</LinkButton>}
        >
          Make somebody a vet first. Then you can plan when they work.
        </Empty>
      ) : (
        <Stale when={isPlaceholderData}>
          {view === 'band' ? (
            <ByBand roster={roster} opens={opens} />
          ) : (
            <ByVet roster={roster} opens={opens} />
          )}
          <DayList roster={roster} opens={opens} />
        </Stale>
      )}
      {draft && (
        <ShiftDialog
          draft={draft}
          roster={roster}
          onClose={() => setDraft(undefined)}
          onSaved={() => changed()}
          onAdded={(shift) =>
            changed({
              says: `Added ${shift.name}, ${longDay(shift.day)}.`,
              run: () => remove.mutateAsync(asSeen(shift)),
            })
          }
          onRemoved={(shift) =>
            changed({
              says: `Removed ${shift.name}, ${longDay(shift.day)}.`,
              run: () =>
                putBack.mutateAsync({
                  vet_id: shift.vet_id,
                  day: calendarDay(shift, bands),
                  from: shift.from,
                  to: shift.to,
                }),
            })
          }
        />
      )}
      {opened && (
        <OwnShiftDialog shift={opened} bands={bands} mine={user.id} onClose={() => open(undefined)} />
      )}
      {repeats && (
        <RepeatDialog
          from={first}
          onClose={() => setRepeats(false)}
          onRepeated={(to) => {
            setRepeats(false)
            show('from', to)
          }}
        />
      )}
    </>
  )
}
