import { useState } from 'react'
import type { Roster } from '#contract/roster.ts'
import { Card } from '../ui/card.tsx'
import { BandOfDay, type Opens } from './cell.tsx'
import { longDay, shortDay, span } from './roster-words.ts'

/** Shows one day at a time, where a week doesn't fit. */
export function DayList({ roster, opens }: { roster: Roster; opens: Opens }) {
  const { days, today, gaps, bands } = roster
  const [chosen, choose] = useState(today)
  const day = days.find((one) => one.day === chosen) ?? days[0]!
  return (
    <div className="stack gap-4 min-[68.75rem]:hidden print:hidden!">
      <div role="group" aria-label="Day" className="grid grid-cols-7 gap-1">
        {days.map((one) => {
          const hasGaps = gaps.some((gap) => gap.day === one.day)
          const [weekday, date] = shortDay(one.day).split(' ')
          return (
            <button
              key={one.day}
              type="button"
              aria-pressed={one.day === day.day}
              className="grid min-h-14 place-items-center content-center rounded-small border border-line bg-card text-14 leading-5 aria-pressed:border-green aria-pressed:bg-green-soft aria-pressed:text-green-soft-ink"
              onClick={() => choose(one.day)}
            >
              <span aria-hidden="true">{weekday}</span>
              <b aria-hidden="true" className="font-semi tabular-nums">
                {date}
              </b>
              <span className="sr-only">{`${longDay(one.day)}${hasGaps ? ', has gaps' : ''}`}</span>
              <span className={`size-[6px] rounded-full ${hasGaps ? 'bg-amber' : ''}`} />
            </button>
          )
        })}
      </div>
      <h2 className="t22">
        {longDay(day.day)}
        {day.holiday && <span className="block text-16 font-regular text-ink-soft">{day.holiday}</span>}
      </h2>
      {day.clocks && (
        <p className="text-ink-soft">The clocks go {day.clocks} an hour early in the morning.</p>
      )}
      {bands.map((band, index) => (
        <Card key={band.name} className="group stack gap-2 p-4!" aria-label={band.name}>
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h3 className="font-semi">{band.name}</h3>
            <span className="text-14 text-ink-soft tabular-nums">{span(band)}</span>
          </div>
          <BandOfDay roster={roster} day={day.day} band={index} opens={opens} />
        </Card>
      ))}
    </div>
  )
}
