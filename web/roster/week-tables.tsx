import type { ReactNode } from 'react'
import type { Roster } from '#contract/roster.ts'
import { AddChip, BandOfDay, type Opens, ShiftChip } from './cell.tsx'
import { hoursWords, longDay, shortDay, span, weekWords } from './roster-words.ts'

interface Props {
  roster: Roster
  opens: Opens
}

export const ByBand = ({ roster, opens }: Props) => (
  <Week roster={roster} first="Band" says="by band">
    {roster.bands.map((band, index) => (
      <tr key={band.name}>
        <RowHead title={band.name}>
          <span className="block tabular-nums">{span(band)}</span>
          <span className="block">
            Needs {band.needs}
            {band.busy !== band.needs && `, Sat ${band.busy}`}
          </span>
        </RowHead>
        {roster.days.map(({ day }) => (
          <Cell key={day} isToday={day === roster.today}>
            <BandOfDay roster={roster} day={day} band={index} opens={opens} />
          </Cell>
        ))}
      </tr>
    ))}
  </Week>
)

export const ByVet = ({ roster, opens }: Props) => (
  <Week roster={roster} first="Vet" says="by vet">
    {roster.vets.map((vet) => (
      <tr key={vet.id}>
        <RowHead title={vet.name}>
          <span className="tabular-nums">{hoursWords(vet.hours)}</span>
        </RowHead>
        {roster.days.map(({ day }) => {
          const theirs = roster.shifts.filter((shift) => shift.day === day && shift.vet_id === vet.id)
          return (
            <Cell key={day} isToday={day === roster.today}>
              {theirs.map((shift) => (
                <ShiftChip
                  key={shift.id}
                  shift={shift}
                  says={span(shift)}
                  bands={roster.bands}
                  opens={opens}
                />
              ))}
              {opens.onAdd && theirs.length === 0 && day >= roster.today && (
                <AddChip
                  label={`Add a shift for ${vet.name}, ${longDay(day)}`}
                  onClick={() => opens.onAdd!({ day, band: 0, vet_id: vet.id })}
                />
              )}
            </Cell>
          )
        })}
      </tr>
    ))}
  </Week>
)

const Week = ({
  roster: { days, today },
  first,
  says,
  children,
}: {
  roster: Roster
  first: string
  says: string
  children: ReactNode
}) => (
  <div className="relative overflow-x-auto rounded-card border border-line bg-card max-[68.74rem]:hidden print:block!">
    <table className="w-full min-w-[960px] print:min-w-0 table-fixed border-collapse text-left">
      <caption className="sr-only">
        Who is on duty, {weekWords(days[0]!.day)}, {says}.
      </caption>
      <thead>
        <tr>
          <th scope="col" className="w-34 px-4 py-2 text-14 font-medium text-ink-soft">
            {first}
          </th>
          {days.map(({ day, holiday, clocks }) => (
            <th
              key={day}
              scope="col"
              className={`border-l border-line px-3 py-2 align-top text-14 leading-5 ${day === today ? 'bg-green-soft text-green-soft-ink' : ''}`}
            >
              <span className="block font-semi tabular-nums">{shortDay(day)}</span>
              <span className="block font-regular text-ink-soft">
                {[day === today && 'Today', holiday, clocks && `Clocks go ${clocks} an hour`]
                  .filter(Boolean)
                  .join('. ')}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
    <p className="border-t border-line px-4 py-2 text-14 text-ink-soft">
      Nights belong to the day they begin. Amber marks a shift that nobody has yet.
    </p>
  </div>
)

const RowHead = ({ title, children }: { title: string; children: ReactNode }) => (
  <th
    scope="row"
    className="border-t border-line px-4 py-3 align-top text-14 leading-5 font-regular text-ink-soft"
  >
    <span className="block text-16 font-semi text-ink">{title}</span>
    {children}
  </th>
)

const Cell = ({ isToday, children }: { isToday: boolean; children: ReactNode }) => (
  <td
    className={`group border-t border-l border-line p-[6px] align-top ${isToday ? 'bg-green-soft/40' : ''}`}
  >
    <div className="stack gap-1">{children}</div>
  </td>
)
