import type { ComponentProps, KeyboardEvent } from 'react'
import type { Gap, Roster, Shift } from '#contract/roster.ts'
import { gapWords, longDay, restWords, span, unlike } from './roster-words.ts'

/** What the page can open. Without `onGap` and `onAdd`, people can only change their own shifts and those on offer. */
export interface Opens {
  mine: number
  onShift: (shift: Shift) => void
  onGap?: (gap: Gap) => void
  onAdd?: (place: { day: string; band: number; vet_id?: number }) => void
}

const box =
  'flex min-h-9 w-full flex-col items-start justify-center rounded-small border px-[10px] py-1 text-left text-14 leading-5 font-medium [overflow-wrap:anywhere] pointer-coarse:min-h-11'
const quiet = 'border-transparent bg-paper-sunk'
const own = 'border-green bg-card'
const offered = 'border-dashed border-green bg-green-soft text-green-soft-ink'
const pressed = 'hover:border-green hover:bg-green-soft hover:text-green-soft-ink'

export const BandOfDay = ({
  roster: { bands, shifts, gaps, today },
  day,
  band,
  opens,
}: {
  roster: Roster
  day: string
  band: number
  opens: Opens
}) => (
  <>
    {shifts
      .filter((shift) => shift.day === day && shift.band === band)
      .map((shift) => (
        <ShiftChip key={shift.id} shift={shift} says={shift.name} bands={bands} opens={opens} />
      ))}
    {gaps
      .filter((gap) => gap.day === day && gap.band === band)
      .map((gap) => (
        <GapChip key={gap.from} gap={gap} onGap={opens.onGap} />
      ))}
    {opens.onAdd && day >= today && (
      <AddChip
        label={`Add a shift, ${bands[band]!.name}, ${longDay(day)}`}
        onClick={() => opens.onAdd!({ day, band })}
      />
    )}
  </>
)

/** One shift. It's a button for people who can change it. `says` comes first: a name or times. */
export function ShiftChip({
  shift,
  says,
  bands,
  opens,
}: {
  shift: Shift
  says: string
  bands: Roster['bands']
  opens: Opens
}) {
  const { mine, onShift, onAdd } = opens
  const more = [says === shift.name && unlike(shift, bands[shift.band]!), shift.offered && 'Offered'].filter(
    Boolean,
  )
  const unoffered = shift.vet_id === mine ? own : quiet
  const look = shift.offered ? offered : unoffered
  const words = (
    <>
      {says}
      {more.map((one) => (
        <small key={String(one)} className="text-14 font-regular text-ink-soft">
          {one}
        </small>
      ))}
      {shift.short_rest !== null && (
        <small className="text-14 font-regular text-amber-soft-ink">{restWords(shift.short_rest)}</small>
      )}
    </>
  )
  if (!onAdd && shift.vet_id !== mine && !shift.offered) return <Chip look={look}>{words}</Chip>
  return (
    <Chip look={`${look} ${pressed}`} onClick={() => onShift(shift)}>
      {words}
      <span className="sr-only">
        {[',', says !== shift.name && shift.name, span(shift), longDay(shift.day)].filter(Boolean).join(' ')}
      </span>
    </Chip>
  )
}

function GapChip({ gap, onGap }: { gap: Gap; onGap: Opens['onGap'] }) {
  const look = gap.nobody
    ? 'border-transparent bg-amber text-paper'
    : 'border-dashed border-amber bg-amber-soft text-amber-soft-ink'
  return (
    <Chip
      look={onGap ? `${look} hover:border-ink` : look}
      aria-label={onGap && `${gapWords(gap)} ${span(gap)}, ${longDay(gap.day)}. Fill`}
      onClick={onGap && (() => onGap(gap))}
    >
      {gapWords(gap)} <small className="text-14 font-regular tabular-nums">{span(gap)}</small>
    </Chip>
  )
}

/** A button if it can be pressed. */
const Chip = ({ look, ...rest }: ComponentProps<'button'> & { look: string }) =>
  rest.onClick ? (
    <button type="button" onKeyDown={moveByArrows} className={`${box} ${look}`} {...rest} />
  ) : (
    <span className={`${box} ${look}`}>{rest.children}</span>
  )

export const AddChip = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button
    type="button"
    onKeyDown={moveByArrows}
    aria-label={label}
    className="min-h-7 w-full rounded-small text-14 font-medium text-ink-soft opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 hover:bg-green-soft hover:text-green-soft-ink pointer-coarse:opacity-100"
    onClick={onClick}
  >
    + Add
  </button>
)

const STEPS: Record<string, readonly [row: number, column: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** The arrow keys move between the buttons in a table. Up and down first move within the cell. */
function moveByArrows(event: KeyboardEvent<HTMLButtonElement>) {
  const step = STEPS[event.key]
  const cell = event.currentTarget.closest('td')
  const body = cell?.closest('tbody')
  if (!step || !cell || !body) return
  const [down, right] = step
  const within = [...cell.querySelectorAll('button')]
  const next = within[within.indexOf(event.currentTarget) + down]
  if (down !== 0 && next) return move(event, next)
  const rows = [...body.rows]
  let row = rows.indexOf(cell.parentElement as HTMLTableRowElement)
  let column = cell.cellIndex
  for (;;) {
    row += down
    column += right
    const there = rows[row]?.cells[column]
    if (!there || there.tagName === 'TH') return
    const buttons = [...there.querySelectorAll('button')]
    const target = down < 0 ? buttons.at(-1) : buttons[0]
    if (target) return move(event, target)
  }
}

function move(event: KeyboardEvent, to: HTMLElement) {
  event.preventDefault()
  to.focus()
}
