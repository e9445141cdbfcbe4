import { PROMISED_MINUTES } from '#contract/consultations.ts'
import { GOAL_PERCENT } from '#contract/overview.ts'
import { briefDay } from '../lib/dates.ts'
import { ChartCard } from './chart-card.tsx'
import {
  ALARM,
  BAND,
  columnsOf,
  fileOf,
  ONE,
  type Part,
  rangeSaid,
  tenth,
  THREE,
  TWO,
} from './chart-parts.ts'
import { Bars, Mark, Plot } from './plot.tsx'
import { ticksFor } from './scale.ts'
import { minutes, number, percent, plural, timeThere } from './words.ts'

const hourSaid = (hour: number) => `${String(hour).padStart(2, '0')}:00`
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

export function WaitByHour({ data }: Part) {
  const { by_hour } = data
  const highest = Math.max(PROMISED_MINUTES, ...by_hour.map(({ nine_of_ten }) => nine_of_ten))
  const worst = by_hour.toSorted((one, other) => other.nine_of_ten - one.nine_of_ten)[0]
  const of = (hour: number) => by_hour.find((row) => row.hour === hour)
  return (
    <ChartCard
      title="Waiting time by hour"
      note={`${rangeSaid(data)}, in minutes`}
      file={fileOf('waiting-time-by-hour', data)}
      legend={[
        [ONE, 'Median'],
        [BAND, 'Nine in ten'],
      ]}
      figures={{
        head: ['Hour', 'Consults', 'Median', 'Nine in ten'],
        rows: by_hour.map(({ hour, waits, median, nine_of_ten }) => [
          hourSaid(hour),
          number(waits),
          `${minutes(median)} min`,
          `${minutes(nine_of_ten)} min`,
        ]),
        raw: by_hour.map(({ hour, waits, median, nine_of_ten }) => [
          hourSaid(hour),
          waits,
          tenth(median),
          tenth(nine_of_ten),
        ]),
      }}
      none={!worst && 'Nobody waited for a vet in this period.'}
    >
      {(room) => (
        <Plot
          room={room}
          label={`Waiting time by hour of the day. The longest wait for nine in ten was at ${hourSaid(worst!.hour)}: ${minutes(worst!.nine_of_ten)} minutes.`}
          ticks={ticksFor(0, highest)}
          columns={HOURS.map(hourSaid)}
        >
          {(scale) => (
            <>
              {runsOf(HOURS.map(of)).map((run) => {
                const at = (row: (typeof run)[number], value: number) =>
                  `${scale.x(row.hour)} ${scale.y(value)}`
                const [first, last] = [run[0]!, run.at(-1)!]
                const half = run.length === 1 ? scale.band / 3 : 0
                const line = (name: 'median' | 'nine_of_ten') =>
                  half
                    ? `${scale.x(first.hour) - half} ${scale.y(first[name])}L${scale.x(first.hour) + half} ${scale.y(first[name])}`
                    : run.map((row) => at(row, row[name])).join('L')
                return (
                  <g key={first.hour}>
                    <path
                      d={`M${line('nine_of_ten')}V${scale.y(0)}H${scale.x(half ? last.hour : first.hour) - half}Z`}
                      fill={BAND}
                    />
                    <path
                      d={`M${line('median')}`}
                      fill="none"
                      stroke={ONE}
                      strokeWidth={2.5}
                      strokeLinejoin="round"
                    />
                  </g>
                )
              })}
              <Mark
                scale={scale}
                value={PROMISED_MINUTES}
                said={`${PROMISED_MINUTES} min promise`}
                colour={ALARM}
              />
              {worst!.nine_of_ten > PROMISED_MINUTES && (
                <circle
                  cx={scale.x(worst!.hour)}
                  cy={scale.y(worst!.nine_of_ten)}
                  r={4.5}
                  fill={ALARM}
                  stroke="var(--color-card)"
                  strokeWidth={2}
                />
              )}
            </>
          )}
        </Plot>
      )}
    </ChartCard>
  )
}

/** Groups of neighbours with figures, so that a line never crosses an hour without one. */
function runsOf<T>(values: (T | undefined)[]): T[][] {
  const runs: T[][] = []
  values.forEach((value, at) => {
    if (value === undefined) return
    if (values[at - 1] === undefined) runs.push([])
    runs.at(-1)!.push(value)
  })
  return runs
}

export function ConsultsByDay({ data }: Part) {
  const { by_day } = data
  const parts = by_day.map(({ text, video, phone }) => [text, video, phone])
  const sums = parts.map((part) => part.reduce((sum, one) => sum + one, 0))
  const most = Math.max(...sums)
  return (
    <ChartCard
      title="Consults a day"
      note={rangeSaid(data)}
      file={fileOf('consults-a-day', data)}
      legend={[
        [ONE, 'Text'],
        [TWO, 'Video'],
        [THREE, 'Phone'],
      ]}
      figures={{
        head: ['Day', 'Text', 'Video', 'Phone', 'All'],
        rows: by_day.map(({ day }, at) => [briefDay(day), ...parts[at]!, sums[at]!]),
        raw: by_day.map(({ day }, at) => [day, ...parts[at]!, sums[at]!]),
      }}
      none={most === 0 && 'No consults in this period.'}
    >
      {(room) => (
        <Plot
          room={room}
          label={`Consults a day, ${rangeSaid(data)}, at most ${most}.`}
          ticks={ticksFor(0, most)}
          columns={columnsOf(data)}
        >
          {(scale) => (
            <>
              <Bars scale={scale} parts={parts} colours={[ONE, TWO, THREE]} />
              <text
                x={scale.x(sums.indexOf(most))}
                y={scale.y(most) - 5}
                textAnchor="middle"
                fill="var(--color-ink)"
                className="font-semi"
              >
                {most}
              </text>
            </>
          )}
        </Plot>
      )}
    </ChartCard>
  )
}

export function Answered({ data }: Part) {
  const shares = data.by_day.map(({ within, late }) =>
    within + late > 0 ? (within / (within + late)) * 100 : undefined,
  )
  const known = shares.filter((share) => share !== undefined)
  const lowest = Math.min(100, ...known)
  const ticks = ticksFor(Math.min(85, Math.floor(lowest / 5) * 5), 100)
  const cut = ticks[0]! > 0 ? `. The axis starts at ${ticks[0]}` : ''
  const answered = data.by_day.filter(({ within, late }) => within + late > 0)
  return (
    <ChartCard
      title={`Answered within ${PROMISED_MINUTES} minutes`}
      note={`${rangeSaid(data)}, in percent${cut}`}
      file={fileOf('answered-in-time', data)}
      figures={{
        head: ['Day', 'Within', 'Later', 'Share'],
        rows: answered.map(({ day, within, late }) => [
          briefDay(day),
          within,
          late,
          percent(within, within + late),
        ]),
        raw: answered.map(({ day, within, late }) => [
          day,
          within,
          late,
          tenth((within / (within + late)) * 100),
        ]),
      }}
      none={known.length === 0 && 'Nobody waited for a vet in this period.'}
    >
      {(room) => (
        <Plot
          room={room}
          label={`Answered within ${PROMISED_MINUTES} minutes, ${rangeSaid(data)}, between ${tenth(lowest)} and ${tenth(Math.max(...known))} percent. The goal is ${GOAL_PERCENT}.`}
          ticks={ticks}
          columns={columnsOf(data)}
        >
          {(scale) => (
            <>
              {runsOf(shares.map((share, at) => (share === undefined ? undefined : { share, at }))).map(
                (run) => (
                  <path
                    key={run[0]!.at}
                    d={`M${run.map(({ share, at }) => `${scale.x(at)} ${scale.y(share)}`).join('L')}`}
                    fill="none"
                    stroke={ONE}
                    strokeWidth={2.5}
                    strokeLinejoin="round"
                  />
                ),
              )}
              {shares.map(
                (share, at) =>
                  share !== undefined && (
                    <circle
                      // oxlint-disable-next-line react/no-array-index-key -- days never move
                      key={at}
                      cx={scale.x(at)}
                      cy={scale.y(share)}
                      r={Math.min(4.5, Math.max(2, scale.band / 3))}
                      fill={share < GOAL_PERCENT ? ALARM : ONE}
                      stroke="var(--color-card)"
                      strokeWidth={scale.band > 12 ? 2 : 0}
                    />
                  ),
              )}
              <Mark
                scale={scale}
                value={GOAL_PERCENT}
                said={`Goal ${GOAL_PERCENT}%`}
                colour="var(--color-ink-soft)"
                below
              />
            </>
          )}
        </Plot>
      )}
    </ChartCard>
  )
}

export function Estimates({ data }: Part) {
  const { told, sooner, within, later, missed } = data.estimates
  const parts = [
    { count: within, said: 'As estimated', colour: ONE },
    { count: later, said: 'Longer', colour: ALARM },
    { count: sooner, said: 'Shorter', colour: TWO },
  ]
  return (
    <ChartCard
      title="Was the estimated wait right?"
      note={`${plural(told, 'estimate', 'estimates')} shown to owners, ${rangeSaid(data)}`}
      file={fileOf('estimates-missed', data)}
      legend={parts.map(({ colour, said, count }) => [
        colour,
        told > 0 ? `${said}, ${percent(count, told)}` : said,
      ])}
      isOpen
      figures={{
        head: ['Least accurate', 'Estimate', 'Took'],
        rows: missed.map(({ at, from, to, took }) => [
          timeThere(at, data.region),
          from === to ? `${to} min` : `${from} to ${to} min`,
          `${minutes(took)} min`,
        ]),
        raw: missed.map(({ at, from, to, took }) => [at, `${from} to ${to}`, tenth(took)]),
      }}
      none={told === 0 && 'No owner was shown an estimate in this period.'}
    >
      {({ width }) => (
        <svg
          width={width}
          height={28}
          role="img"
          aria-label={parts.map(({ said, count }) => `${said}: ${percent(count, told)}`).join(', ')}
          className="block rounded-[6px]"
        >
          {parts.map(({ colour, count }, at) => {
            const before = parts.slice(0, at).reduce((sum, one) => sum + one.count, 0)
            const wide = (count / told) * width
            return (
              count > 0 && (
                <rect
                  key={colour}
                  x={(before / told) * width}
                  width={Math.max(1, wide - (before + count < told ? 2 : 0))}
                  height={28}
                  fill={colour}
                />
              )
            )
          })}
        </svg>
      )}
    </ChartCard>
  )
}
