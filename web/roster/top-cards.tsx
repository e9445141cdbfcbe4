import type { ReactNode } from 'react'
import { daysAfter } from '#contract/regions.ts'
import type { Roster, Shift } from '#contract/roster.ts'
import type { Region } from '#contract/regions.ts'
import { MINUTE } from '#contract/time.ts'
import { now as serverNow } from '../lib/session.ts'
import { telOf } from '../lib/tel.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { TwoLines } from '../ui/work-table.tsx'
import { calendarDay, clock, longDay, midDay, span } from './roster-words.ts'

const LATE_MS = 10 * MINUTE

const Part = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <Card aria-labelledby={id} className="stack content-start gap-3 p-5! [overflow-wrap:anywhere]">
    <h2 id={id} className="t16 font-semi">
      {title}
    </h2>
    {children}
  </Card>
)

/** Who is on duty compared with the plan. Only a planned vet who is ten minutes late is announced. */
export function NowCard({ roster: { now, shifts, bands }, region }: { roster: Roster; region: Region }) {
  const planned = now.filter((one) => one.planned)
  const on = now.filter((one) => one.on_since)
  const late = planned.filter(
    (one) => !one.on_since && serverNow() - Date.parse(one.planned!.begin) > LATE_MS,
  )
  const next = shifts.find(({ begin }) => Date.parse(begin) > serverNow())
  return (
    <Part id="duty-now" title="On duty now, against planned">
      {now.length === 0 && (
        <p className="text-ink-soft">
          Nobody is on duty, and nobody is planned.
          {next && ` ${next.name} starts on ${midDay(calendarDay(next, bands))} at ${next.from}.`}
        </p>
      )}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,11rem),1fr))] gap-x-6 gap-y-3">
        {now.map(({ vet_id, name, planned, on_since }) => (
          <li key={vet_id} className="flex gap-3">
            <span className={`mt-2 size-2 flex-none rounded-full ${on_since ? 'bg-green' : 'bg-amber'}`} />
            <span className="leading-6">
              <b className="font-semi">{name}</b>
              <span
                className={`block text-14 tabular-nums ${on_since ? 'text-ink-soft' : 'font-medium text-amber-soft-ink'}`}
              >
                {on_since
                  ? `${planned ? 'planned' : 'not planned'}, on since ${clock(on_since, region)}`
                  : `planned ${clock(planned!.begin, region)}, not on`}
              </span>
            </span>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-3">
        {late.map(({ vet_id, name, mobile }) =>
          mobile ? (
            <LinkButton key={vet_id} size={36} icon="phone" href={telOf(mobile)}>
              <span>
                Call {name}, <span className="whitespace-nowrap">{mobile}</span>
              </span>
            </LinkButton>
          ) : null,
        )}
        {now.length > 0 && (
          <span className="text-14 text-ink-soft">
            {on.length} on, {planned.length} planned
          </span>
        )}
      </div>
      <p role="status" className="sr-only">
        {late.length > 0 && `${late.map(({ name }) => name).join(' and ')}: planned, and not on duty.`}
      </p>
    </Part>
  )
}

/** Shifts whose vets are asking others to take them. */
export const OfferedCard = ({
  offered,
  bands,
  mine,
  onShift,
}: {
  offered: Shift[]
  bands: Roster['bands']
  mine: number
  onShift: (shift: Shift) => void
}) => (
  <Part id="offered" title="Offered">
    {offered.length === 0 ? (
      <p className="text-ink-soft">No shift in these seven days is on offer.</p>
    ) : (
      <ul className="stack gap-3">
        {offered.map((shift) => (
          <li key={shift.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <TwoLines
              bold
              first={shift.name}
              then={`${midDay(shift.day)}, ${bands[shift.band]!.name.toLowerCase()}, ${span(shift)}`}
            />
            <Button
              size={36}
              variant="soft"
              aria-label={`${shift.vet_id === mine ? 'Open' : 'See'} shift: ${shift.name}, ${longDay(shift.day)}`}
              onClick={() => onShift(shift)}
            >
              {shift.vet_id === mine ? 'Open shift' : 'See shift'}
            </Button>
          </li>
        ))}
      </ul>
    )}
  </Part>
)

export const HolidayCard = ({
  holiday: { day, name },
  onShow,
}: {
  holiday: Roster['next_holiday']
  onShow: (from: string) => void
}) => (
  <Part id="holiday" title="Next holiday">
    <TwoLines bold first={`${midDay(day)}, ${name}`} then="It needs as many vets as a Saturday." />
    <div>
      <Button size={36} onClick={() => onShow(daysAfter(day, -2))}>
        Show {midDay(day)}
      </Button>
    </div>
  </Part>
)
