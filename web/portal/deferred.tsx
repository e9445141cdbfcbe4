import { useState } from 'react'
import { isDay } from '#contract/fields.ts'
import type { Deferred } from '#contract/portal.ts'
import { daysAfter } from '#contract/regions.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Empty } from '../ui/empty.tsx'
import { Choice, Choices } from './choices.tsx'
import { DeferredChart } from './deferred-chart.tsx'
import {
  callsOf,
  csvOf,
  DEFERRED_HEAD,
  type Counts,
  monthName,
  partOf,
  shareOf,
  wholeDay,
  weekName,
} from './deferred-words.ts'
import { isoDay } from '../lib/dates.ts'
import { now } from '../lib/session.ts'
import { saveCsv } from '../ui/save-file.ts'

const WEEKS = 52

export interface Range {
  from?: string
  to?: string
}

export function rangeIn(asked: URLSearchParams): Range {
  const [from, to] = [asked.get('from'), asked.get('to')]
  return { ...(from && { from }), ...(to && { to }) }
}

/** Twelve weeks, a year, or two chosen days. The caller stores the choice. */
export function RangeChoice({
  range,
  shown,
  onRange,
}: {
  range: Range
  /** The range that the server counted. */
  shown: { from: string; to: string } | undefined
  onRange: (range: Range) => void
}) {
  const [today] = useState(() => isoDay(now()))
  const year = { from: daysAfter(today, 1 - WEEKS * 7) }
  const isYear = range.from === year.from && !range.to
  const isOwn = !isYear && (range.from !== undefined || range.to !== undefined)
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Choices label="Range">
        <Choice current={!isYear && !isOwn} onPress={() => onRange({})}>
          12 weeks
        </Choice>
        <Choice current={isYear} onPress={() => onRange(year)}>
          A year
        </Choice>
        <Choice current={isOwn} onPress={() => onRange({ from: shown?.from ?? today, to: today })}>
          Dates
        </Choice>
      </Choices>
      {isOwn && (
        <div className="grid w-80 max-w-full grid-cols-2 gap-3">
          <DateField
            label="From"
            help={null}
            value={range.from ?? ''}
            onValueChange={(from) => isDay(from) && onRange({ ...range, from })}
          />
          <DateField
            label="To"
            help={null}
            value={range.to ?? ''}
            onValueChange={(to) => isDay(to) && onRange({ ...range, to })}
          />
        </div>
      )}
    </div>
  )
}

const Figure = ({
  title,
  value,
  of,
  below,
}: {
  title: string
  value: number | string
  of?: string
  below: string
}) => (
  <div className="px-4 py-3 shadow-[-1px_-1px_0_var(--color-line)] sm:px-5 sm:py-4">
    <dt className="font-medium text-ink-soft">{title}</dt>
    <dd className="text-22 font-bold tabular-nums sm:text-28">
      {value} {of && <span className="text-16 font-semi tracking-[0]">{of}</span>}
    </dd>
    <dd className="text-14 text-ink-soft">{below}</dd>
  </div>
)

const rangeName = ({ from, to }: Deferred) => `${weekName(from)} to ${wholeDay(to)}`
const spanName = (weeks: number) => (weeks === 12 ? '12 weeks' : weeks === WEEKS ? 'a year' : 'these days')
const ofAll = (counts: Counts) => `of ${callsOf(counts)}`

/** The figures, for the clinic itself with the table open, or for an admin. */
export function DeferredFigures({ counted, isAdmin }: { counted: Deferred; isAdmin: boolean }) {
  const { weeks, total, month, answers, to } = counted
  const share = shareOf(total)
  const span = spanName(weeks.length)
  const few = 'Too few calls to say more'
  const median = answers.median_minutes
  const answered =
    median === null ? 'none answered yet' : `answered in ${Math.max(1, Math.round(median))} min, median`
  return (
    <div className="stack gap-4">
      <dl
        className={`grid overflow-hidden rounded-card border border-line bg-card ${isAdmin ? 'grid-cols-2 lg:grid-cols-4' : 'sm:grid-cols-3'}`}
      >
        {isAdmin ? (
          <>
            <Figure title="Calls" value={callsOf(total)} below={span} />
            <Figure
              title="Deferred"
              value={share === null ? total.deferred : `${share}%`}
              below={share === null ? few : `${total.deferred} ${ofAll(total)}`}
            />
            <Figure
              title="Contact called"
              value={total.contact}
              below={`${answers.answered} answered, ${answers.called - answers.answered} not`}
            />
            <Figure title="Emergency clinic" value={total.emergency} below="not deferred" />
          </>
        ) : (
          <>
            <Figure
              title={`Deferred in ${monthName(month.from)}`}
              value={month.deferred}
              of={ofAll(month)}
              below={`since ${weekName(month.from)}`}
            />
            <Figure
              title={`Deferred in ${span}`}
              value={total.deferred}
              of={ofAll(total)}
              below={share === null ? few : `${share} in 100 calls`}
            />
            <Figure
              title="Your contact was called"
              value={total.contact}
              of={total.contact === 1 ? 'time' : 'times'}
              below={total.contact === 0 ? 'in this period' : answered}
            />
          </>
        )}
      </dl>
      <Card aria-labelledby="calls-by-week">
        <div className="flex items-start justify-between gap-3">
          <div>
            <h2 id="calls-by-week" className="text-16 font-bold">
              Calls by week
            </h2>
            <p className="text-14 text-ink-soft">{rangeName(counted)}, Monday to Sunday</p>
          </div>
          {callsOf(total) > 0 && (
            <Button
              icon="download"
              size={44}
              aria-label="Calls by week: CSV"
              onClick={() => saveCsv(`calls-deferred-${counted.from}-${counted.to}.csv`, csvOf(counted))}
            >
              CSV
            </Button>
          )}
        </div>
        {callsOf(total) === 0 ? (
          <Empty scene="empty-no-consults" title="No calls in this period">
            A call counts here once the vet has ended it.
          </Empty>
        ) : (
          <>
            <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-14 text-ink-soft">
              {KEYS.map(([title, color]) => (
                <li key={title} className="inline-flex items-center gap-[6px]">
                  <span className="size-3 rounded-[3px]" style={{ background: color }} />
                  {title}
                </li>
              ))}
            </ul>
            <DeferredChart
              weeks={weeks}
              says={`Calls by week, ${rangeName(counted)}. Deferred: ${total.deferred} of ${callsOf(total)} in all.`}
            />
            <details className="mt-3" open={!isAdmin}>
              <summary className="min-h-6 py-2 font-medium text-green">Show as a table</summary>
              <Weeks {...{ weeks, total, to }} span={span} />
            </details>
          </>
        )}
      </Card>
      {!isAdmin && (
        <Card>
          <h2 className="mb-3 text-16 font-bold">How we count</h2>
          <dl className="stack gap-3">
            {KEYS.map(([title, color, says]) => (
              <div key={title} className="grid grid-cols-[12px_minmax(0,1fr)] gap-x-3">
                <dt className="col-span-2 grid grid-cols-subgrid font-semi">
                  <span className="mt-[6px] size-3 rounded-[3px]" style={{ background: color }} />
                  {title}
                </dt>
                <dd className="col-start-2 text-14 text-ink-soft">{says}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 text-14 text-ink-soft">
            Calls in which the owner didn’t answer the vet are left out, because we don’t know how they ended.
          </p>
        </Card>
      )}
    </div>
  )
}

const KEYS = [
  [
    'Deferred',
    'var(--chart-1)',
    'The owner could wait until you opened, and was told what to watch for. Nobody at the clinic was called.',
  ],
  ['Contact called', 'var(--chart-3)', 'The vet called your contact of the day, answered or not.'],
  [
    'Emergency clinic',
    'var(--chart-2)',
    'Sent straight to one that was open. We don’t count these as deferred.',
  ],
] as const

/** On a phone, the words in the table's head aren't broken. */
const COLUMN_WIDTHS = [
  'max-sm:w-[21%]',
  'max-sm:w-[21%]',
  'max-sm:w-[20%]',
  'max-sm:w-[27%]',
  'max-sm:w-[11%]',
]

function Weeks({ weeks, total, to, span }: Pick<Deferred, 'weeks' | 'total' | 'to'> & { span: string }) {
  const cell = 'py-2 pl-1 text-right tabular-nums'
  const cells = (counts: Counts) => (
    <>
      <td className={`${cell} font-semi`}>{counts.deferred}</td>
      <td className={cell}>{counts.contact}</td>
      <td className={cell}>{counts.emergency}</td>
      <td className={cell}>{callsOf(counts)}</td>
    </>
  )
  return (
    <table className="w-full table-fixed text-14">
      <caption className="sr-only">Calls by week</caption>
      <thead>
        <tr className="border-b border-line text-ink-soft">
          {DEFERRED_HEAD.map((title, at) => (
            <th
              key={title}
              scope="col"
              className={`py-2 align-bottom font-medium [overflow-wrap:anywhere] ${COLUMN_WIDTHS[at]} ${at === 0 ? 'text-left' : 'pl-1 text-right'}`}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {weeks.map((one) => (
          <tr key={one.week}>
            <th scope="row" className="py-2 text-left font-regular">
              {weekName(one.week)}
              {partOf(one.week, to)}
            </th>
            {cells(one)}
          </tr>
        ))}
        <tr className="font-semi">
          <th scope="row" className="py-2 text-left font-semi first-letter:uppercase">
            {span}
          </th>
          {cells(total)}
        </tr>
      </tbody>
    </table>
  )
}
