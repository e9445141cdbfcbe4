import { type Currency, money, REGIONS } from '#contract/regions.ts'
import { briefDay } from '../lib/dates.ts'
import { ChartCard } from './chart-card.tsx'
import { ALARM, columnsOf, fileOf, ONE, type Part, rangeSaid, tenth, THREE } from './chart-parts.ts'
import { Bars, Plot } from './plot.tsx'
import { ticksFor } from './scale.ts'
import { number, percent } from './words.ts'

/** "R20k" where the amount is round, so that the axis stays narrow. */
function amountShort(minor: number, currency: Currency): string {
  const whole = minor / 100
  return Math.abs(whole) >= 1000 && whole % 100 === 0
    ? `${money(minor / 1000, currency)}k`
    : money(minor, currency)
}

export function MoneyByDay({ data }: Part) {
  const { by_day, region } = data
  const { currency } = REGIONS[region]
  const nets = by_day.map(({ net }) => net / 100)
  const ticks = ticksFor(Math.min(0, ...nets), Math.max(1, ...nets))
  return (
    <ChartCard
      title="Paid a day, less refunds"
      note={`${rangeSaid(data)}, from the ledger`}
      file={fileOf('paid-a-day', data)}
      figures={{
        head: ['Day', 'Paid, less refunds'],
        rows: by_day.map(({ day, net }) => [briefDay(day), money(net, currency)]),
        raw: by_day.map(({ day, net }) => [day, net / 100]),
      }}
      none={by_day.every(({ net }) => net === 0) && 'No money moved in this period.'}
    >
      {(room) => (
        <Plot
          room={room}
          label={`Paid a day, less refunds, ${rangeSaid(data)}: ${money(
            by_day.reduce((sum, { net }) => sum + net, 0),
            currency,
          )} in all.`}
          ticks={ticks}
          tickSaid={(tick) => amountShort(tick * 100, currency)}
          columns={columnsOf(data)}
        >
          {(scale) => <Bars scale={scale} parts={nets.map((net) => [net])} colours={[ONE]} />}
        </Plot>
      )}
    </ChartCard>
  )
}

const SUMS = [
  { said: 'Charged', name: 'charged' },
  { said: 'Refunded', name: 'refunded' },
  { said: 'Disputed', name: 'disputed' },
  { said: 'Left', name: 'net' },
] as const

export const MoneyByRegion = ({ data }: Part) => (
  <ChartCard
    title="Money by region"
    note={`${rangeSaid(data)}, from the ledger`}
    file={fileOf('money-by-region', data)}
    isOpen
    figures={{
      head: ['Money', ...data.money.map(({ region }) => REGIONS[region].name)],
      rows: SUMS.map(({ said, name }) => [said, ...data.money.map((row) => money(row[name], row.currency))]),
      rawHead: ['Region', ...SUMS.map(({ said }) => said)],
      raw: data.money.map((row) => [
        `${REGIONS[row.region].name}, ${row.currency.toUpperCase()}`,
        ...SUMS.map(({ name }) => row[name] / 100),
      ]),
    }}
    none={data.money.length === 0 && 'No money moved in this period.'}
  />
)

export function Members({ data }: Part) {
  const { by_day, members } = data
  const parts = by_day.map(({ gained, lost }) => [gained, -lost])
  const ticks = ticksFor(
    Math.min(0, ...by_day.map(({ lost }) => -lost)),
    Math.max(1, ...by_day.map(({ gained }) => gained)),
  )
  return (
    <ChartCard
      title="Members gained and lost"
      note={`${rangeSaid(data)}. Changing plans isn’t counted`}
      file={fileOf('members', data)}
      legend={[
        [ONE, 'Gained'],
        [THREE, 'Lost'],
      ]}
      figures={{
        head: ['Day', 'Gained', 'Lost'],
        rows: by_day.map(({ day, gained, lost }) => [briefDay(day), gained, lost]),
        raw: by_day.map(({ day, gained, lost }) => [day, gained, lost]),
      }}
    >
      {(room) => (
        <Plot
          room={room}
          label={`Members, ${rangeSaid(data)}: ${members.gained} gained, ${members.lost} lost.`}
          ticks={ticks}
          tickSaid={(tick) => number(Math.abs(tick))}
          columns={columnsOf(data)}
        >
          {(scale) => <Bars scale={scale} parts={parts} colours={[ONE, THREE]} />}
        </Plot>
      )}
    </ChartCard>
  )
}

export function Ratings({ data }: Part) {
  const { stars, count } = data.ratings
  const most = Math.max(...stars)
  const rows = stars.map((given, at) => ({ given, stars: at + 1 })).toReversed()
  return (
    <ChartCard
      title="Ratings"
      note={`${number(count)} given, ${rangeSaid(data)}`}
      file={fileOf('ratings', data)}
      isOpen
      figures={{
        head: ['Stars', 'Ratings', 'Share'],
        rows: rows.map(({ given, stars }) => [stars, number(given), count > 0 ? percent(given, count) : '–']),
        raw: rows.map(({ given, stars }) => [stars, given, count > 0 ? tenth((given / count) * 100) : '']),
      }}
      none={count === 0 && 'Nobody rated a consult in this period.'}
    >
      {({ width, scale }) => (
        <svg
          width={width}
          height={rows.length * 24 * scale}
          role="img"
          aria-label={rows.map(({ given, stars }) => `${stars} stars: ${given}`).join(', ')}
          className="block text-14 tabular-nums"
        >
          {rows.map(({ given, stars }, at) => (
            <g key={stars}>
              <text x={0} y={(at * 24 + 16) * scale} fill="var(--color-ink-soft)">
                {stars}
              </text>
              <rect
                x={20 * scale}
                y={(at * 24 + 4) * scale}
                width={Math.max(given > 0 ? 2 : 0, (given / most) * (width - 20 * scale))}
                height={14 * scale}
                rx={2}
                fill={stars > 2 ? ONE : ALARM}
              />
            </g>
          ))}
        </svg>
      )}
    </ChartCard>
  )
}
