import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import { RANGES } from '#contract/overview.ts'
import { money, REGIONS } from '#contract/regions.ts'
import { briefDay } from '../lib/dates.ts'
import { Link } from '../ui/link.tsx'
import { ViewHead, ViewLoading } from '../ui/view-frame.tsx'
import { Answered, ConsultsByDay, Estimates, WaitByHour } from './consult-charts.tsx'
import { Members, MoneyByDay, MoneyByRegion, Ratings } from './money-charts.tsx'
import { overview, type Overview } from './queries.ts'
import { minutes, number, percent, plural, timeThere } from './words.ts'

const FIRST = 30
const SAID: Record<(typeof RANGES)[number], string> = {
  1: 'Today',
  7: '7 days',
  30: '30 days',
  90: '90 days',
}

/** What an admin looks at first. The range is in the address. */
export default function OverviewView() {
  const [asked] = useSearchParams()
  const days = RANGES.find((range) => String(range) === asked.get('days')) ?? FIRST
  const { data, isError, refetch } = useQuery(overview(days))
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <ViewHead title="Overview" />
        <p className="min-h-5 text-14 text-ink-soft max-sm:w-full">
          {data &&
            `${data.from === data.to ? briefDay(data.to) : `${briefDay(data.from)} to ${briefDay(data.to)}`}, times in ${REGIONS[data.region].timesIn}`}
        </p>
        <nav aria-label="Range" className="ml-auto segments max-sm:w-full">
          {RANGES.map((range) => (
            <Link
              key={range}
              href={`/admin/overview${range === FIRST ? '' : `?days=${range}`}`}
              aria-current={range === days ? 'page' : undefined}
              className="segment grow"
            >
              {SAID[range]}
            </Link>
          ))}
        </nav>
      </div>
      {data ? (
        <>
          <KeyFigures data={data} />
          <div className="grid gap-4 min-[77.5rem]:grid-cols-2 *:min-w-0">
            <WaitByHour data={data} />
            <ConsultsByDay data={data} />
            <Answered data={data} />
            <Estimates data={data} />
            <MoneyByDay data={data} />
            <MoneyByRegion data={data} />
            <Members data={data} />
            <Ratings data={data} />
          </div>
        </>
      ) : (
        <ViewLoading of={{ isError, refetch }} what="the overview" />
      )}
    </>
  )
}

function KeyFigures({ data }: { data: Overview }) {
  const { by_day, wait, ratings, members, region } = data
  const sum = (name: 'text' | 'video' | 'phone' | 'within' | 'late') =>
    by_day.reduce((total, row) => total + row[name], 0)
  const [text, video, phone] = [sum('text'), sum('video'), sum('phone')]
  const [within, late] = [sum('within'), sum('late')]
  const { currency } = REGIONS[region]
  const own = data.money.find((row) => row.region === region && row.currency === currency)
  return (
    <dl className="grid grid-cols-2 gap-px overflow-clip rounded-card border border-line bg-line text-14 min-[47.5rem]:grid-cols-3 min-[87.5rem]:grid-cols-6">
      <Figure name="Consults" value={number(text + video + phone)}>
        {number(text)} text, {number(video)} video, {number(phone)} phone
      </Figure>
      <Figure name="Median wait" value={wait.median === null ? '–' : minutes(wait.median)} unit="min">
        {wait.longest
          ? `Longest ${minutes(wait.longest.minutes)} min, ${timeThere(wait.longest.at, region)}`
          : 'Nobody waited'}
      </Figure>
      <Figure
        name={`Within ${PROMISED_MINUTES} minutes`}
        value={within + late > 0 ? percent(within, within + late) : '–'}
      >
        {within + late > 0 ? `${number(late)} of ${number(within + late)} waited longer` : 'Nobody waited'}
      </Figure>
      <Figure name="Rating" value={ratings.mean === null ? '–' : ratings.mean.toFixed(1)} unit="of 5">
        {plural(ratings.count, 'rating', 'ratings')}, {number(ratings.with_words)} with words
      </Figure>
      <Figure name="Paid, less refunds" value={money(own?.net ?? 0, currency)}>
        {own && own.refunds > 0
          ? `${plural(own.refunds, 'refund', 'refunds')}, ${money(own.refunded, currency)} in all`
          : 'No refunds'}
      </Figure>
      <Figure name="Members" value={number(members.now)}>
        {number(members.gained)} gained, {number(members.lost)} lost
      </Figure>
    </dl>
  )
}

/** A figure this long, such as R1 135 848.50, is smaller to fit its box. */
const LONG = 9

const Figure = ({
  name,
  value,
  unit,
  children,
}: {
  name: string
  value: string
  unit?: string
  children: ReactNode
}) => (
  <div className="min-w-0 bg-card px-5 py-4 max-sm:px-4 max-sm:py-3">
    <dt className="font-medium text-ink-soft">{name}</dt>
    <dd
      className={`font-bold whitespace-nowrap tabular-nums max-sm:text-22 ${value.length > LONG ? 'text-22' : 'text-28'}`}
    >
      {value}
      {unit && value !== '–' && <small className="text-16 font-semi tracking-normal"> {unit}</small>}
    </dd>
    <dd className="text-ink-soft tabular-nums">{children}</dd>
  </div>
)
