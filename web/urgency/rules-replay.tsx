import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MOST_REPLAYED, type Replay } from '#contract/urgency.ts'
import { day } from '../lib/dates.ts'
import { number, percent } from '../overview/words.ts'
import { Failed } from '../ui/empty.tsx'
import { Link } from '../ui/link.tsx'
import { ViewSkeleton } from '../ui/view-frame.tsx'
import { WorkCell, WorkRow, WorkTable } from '../ui/work-table.tsx'
import { replayOf } from './rules-queries.ts'

const KINDS = ['caught', 'missed', 'false_alarms'] as const
type Kind = (typeof KINDS)[number]
const SAID: Record<Kind, string> = { caught: 'Caught', missed: 'Missed', false_alarms: 'False alarms' }

/** What a version would have read in past consults, compared with the live one. */
export function Replayed({ version, live }: { version: string; live: string }) {
  const isLive = version === live
  const own = useQuery(replayOf(version))
  const beside = useQuery({ ...replayOf(live), enabled: !isLive })
  const failed = own.isError ? own : !isLive && beside.isError ? beside : undefined
  if (failed) return <Failed what="the replay" onRetry={() => void failed.refetch()} />
  if (!own.data || (!isLive && !beside.data)) return <ViewSkeleton label="Replaying past consults" />
  const { data } = own
  if (data.consults === 0)
    return (
      <p className="rounded-card border border-line bg-card p-5 text-14 text-ink-soft">
        No vet has decided a consult in the last 90 days, so there is nothing to replay.
      </p>
    )
  return <Told now={data} before={isLive ? undefined : beside.data} />
}

function Told({ now, before }: { now: Replay; before: Replay | undefined }) {
  const pressing = now.caught + now.missed
  const flagged = now.caught + now.false_alarms
  const other = (sign: string) => before?.signs.find((one) => one.sign === sign)
  const gone = before?.signs.filter(({ sign }) => !now.signs.some((one) => one.sign === sign)) ?? []
  const rows = [
    ...now.signs,
    ...gone.map((one) => ({ ...one, caught: 0, missed: 0, false_alarms: 0, cases: [] })),
  ]
  return (
    <>
      <p className="text-14 text-ink-soft" role="status">
        Replayed over {number(now.consults)} consults that a vet decided, {day(now.from)} to {day(now.to)}
        {now.cut && `, the latest ${number(MOST_REPLAYED)} only`}.
        {before && ` Compared with version ${before.version}, which is live.`}
      </p>
      <dl className="grid grid-cols-2 gap-px overflow-clip rounded-card border border-line bg-line text-14 min-[47.5rem]:grid-cols-4">
        <Figure
          name="Caught"
          value={pressing > 0 ? percent(now.caught, pressing) : '–'}
          change={before && <Change kind="caught" by={now.caught - before.caught} words />}
        >
          {number(now.caught)} of {number(pressing)} that couldn’t wait
        </Figure>
        <Figure
          name="Missed"
          value={number(now.missed)}
          change={before && <Change kind="missed" by={now.missed - before.missed} words />}
        >
          only the vet found them urgent
        </Figure>
        <Figure
          name="False alarms"
          value={number(now.false_alarms)}
          change={before && <Change kind="false_alarms" by={now.false_alarms - before.false_alarms} words />}
        >
          {flagged > 0 ? `${percent(now.false_alarms, flagged)} of all it flagged` : 'nothing was flagged'}
        </Figure>
        <Figure name="Raised or lowered" value={number(now.changed)}>
          by a vet, with a reason
        </Figure>
      </dl>
      {rows.length > 0 && (
        <WorkTable
          caption={`What version ${now.version} caught and missed, by sign`}
          columns={[
            { says: 'Sign', className: 'table:w-[38%]' },
            ...KINDS.map((kind) => ({ says: SAID[kind], className: 'text-right!' })),
            { says: 'Cases', className: 'table:w-[22%]' },
          ]}
        >
          {rows.map((row) => (
            <WorkRow key={row.sign}>
              <WorkCell className="font-medium cards:col-span-3">{row.says}</WorkCell>
              {KINDS.map((kind) => (
                <WorkCell key={kind} className="text-right tabular-nums cards:text-left">
                  <span className="text-14 text-ink-soft table:hidden">{SAID[kind]} </span>
                  <span
                    className={kind === 'missed' && row.missed > 0 ? 'font-semi text-amber-soft-ink' : ''}
                  >
                    {row[kind]}
                  </span>
                  {before && <Change kind={kind} by={row[kind] - (other(row.sign)?.[kind] ?? 0)} />}
                </WorkCell>
              ))}
              <WorkCell className="cards:col-span-3">
                <Cases ids={row.cases} />
              </WorkCell>
            </WorkRow>
          ))}
        </WorkTable>
      )}
    </>
  )
}

const SHOWN = 3

/** Links by number. To open a colleague's consult, a reason has to be given there. */
function Cases({ ids }: { ids: number[] }) {
  if (ids.length === 0) return <span className="text-14 text-ink-soft">None</span>
  const links = (some: number[]) =>
    some.map((id) => (
      <Link
        key={id}
        href={`/text-chat/${id}`}
        className="inline-flex min-h-9 items-center tabular-nums pointer-coarse:min-h-11"
      >
        <span className="sr-only">Consult&nbsp;</span>
        {id}
      </Link>
    ))
  if (ids.length <= SHOWN) return <span className="flex flex-wrap gap-x-3 text-14">{links(ids)}</span>
  return (
    <details className="text-14">
      <summary className="min-h-9 cursor-pointer content-center font-medium text-green">
        {ids.length} cases
      </summary>
      <span className="flex flex-wrap gap-x-3">{links(ids)}</span>
    </details>
  )
}

/** A sign shows better or worse too, not only the colour. */
function Change({ kind, by, words }: { kind: Kind; by: number; words?: true }) {
  if (by === 0) return words ? <span className="text-14 text-ink-soft">no change</span> : null
  const isBetter = kind === 'caught' ? by > 0 : by < 0
  return (
    <span className={`ml-2 text-14 font-semi ${isBetter ? 'text-green' : 'text-amber-soft-ink'}`}>
      {words ? `${Math.abs(by)} ${by > 0 ? 'more' : 'fewer'}` : `${by > 0 ? '+' : '−'}${Math.abs(by)}`}
      <span className="sr-only">, {isBetter ? 'better' : 'worse'}</span>
    </span>
  )
}

const Figure = ({
  name,
  value,
  change,
  children,
}: {
  name: string
  value: string
  change?: ReactNode
  children: ReactNode
}) => (
  <div className="bg-card p-4">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-28 font-bold tabular-nums">{value}</span> {change}
    </dd>
    <dd className="text-ink-soft">{children}</dd>
  </div>
)
