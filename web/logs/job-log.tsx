import { useQuery } from '@tanstack/react-query'
import type { JobReport } from '#contract/logs.ts'
import { dayAndTime, time } from '../lib/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { ViewHead, ViewLoading } from '../ui/view-frame.tsx'
import { WorkCell, WorkRow, WorkTable } from '../ui/work-table.tsx'
import { jobs } from './queries.ts'

const LANES = { database: 'Database', mail: 'Email', sms: 'SMS', payments: 'Payments', files: 'Files' }

/** How the jobs of the answering instance are doing. Failing jobs come first. */
export default function JobLog() {
  const { data, isError, refetch } = useQuery(jobs)
  const failing = data?.jobs.filter((one) => one.failing > 0).length ?? 0
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4">
        <ViewHead title="Jobs" />
        {data && (
          <p role="status" className="flex items-center gap-2 text-14 text-ink-soft tabular-nums">
            <span className={`size-2 rounded-full ${failing ? 'bg-red' : 'bg-green'}`} />
            {failing === 0 ? 'All are running well' : `${failing} ${failing === 1 ? 'is' : 'are'} failing`},
            on the instance that started {dayAndTime(data.since)}
          </p>
        )}
      </div>
      {!data ? (
        <ViewLoading of={{ isError, refetch }} what="the jobs" />
      ) : (
        <WorkTable
          caption="Jobs, failing ones first"
          columns={[
            { says: 'Job' },
            { says: 'Lane', className: 'w-33' },
            { says: 'Every', className: 'w-32' },
            { says: 'Last run', className: 'w-44' },
            { says: 'Took', className: 'w-36' },
            { says: 'Next', className: 'w-44' },
          ]}
        >
          {inOrder(data.jobs).map((job) => (
            <Row key={job.name} job={job} />
          ))}
        </WorkTable>
      )}
    </>
  )
}

const inOrder = (jobs: JobReport[]) =>
  jobs.toSorted((one, other) => other.failing - one.failing || one.name.localeCompare(other.name))

const duration = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

function everySaid(minutes: number | null) {
  if (minutes === null) return 'second'
  if (minutes % 1440 === 0) return minutes === 1440 ? 'day' : `${minutes / 1440} days`
  if (minutes % 60 === 0) return minutes === 60 ? 'hour' : `${minutes / 60} hours`
  return minutes === 1 ? 'minute' : `${minutes} minutes`
}

function Row({ job }: { job: JobReport }) {
  const {
    name,
    lane,
    every_minutes,
    running,
    last_run,
    took_ms,
    longest_ms,
    next_run,
    failing,
    failed_at,
    error,
  } = job
  return (
    <WorkRow hot={failing > 0}>
      <WorkCell className="cards:order-1 cards:col-span-2">
        <span className="grid leading-snug">
          <span className="font-semi">{name.charAt(0).toUpperCase() + name.slice(1)}</span>
          {failed_at && (
            <span className={`text-14 ${failing > 0 ? 'text-red' : 'text-ink-soft'}`}>
              {failing > 0
                ? `Failing, ${failing === 1 ? 'once' : `${failing} times`} in a row. `
                : 'Well again. '}
              {error}, {dayAndTime(failed_at)}
            </span>
          )}
        </span>
      </WorkCell>
      <WorkCell className="cards:order-2">
        <Badge>{LANES[lane]}</Badge>
      </WorkCell>
      <WorkCell className="text-14 tabular-nums cards:order-3 cards:col-span-3 cards:text-ink-soft">
        <span className="table:hidden">Every </span>
        {everySaid(every_minutes)}
      </WorkCell>
      <WorkCell className="text-14 tabular-nums cards:order-4 cards:col-span-3">
        <span className="text-ink-soft table:hidden">Last: </span>
        {running ? 'Now' : last_run ? dayAndTime(last_run) : 'Not yet'}
      </WorkCell>
      <WorkCell className="text-14 tabular-nums cards:order-5 cards:col-span-3">
        {took_ms === null ? (
          <span className="text-ink-soft">Not yet</span>
        ) : (
          <>
            <span className="text-ink-soft table:hidden">Took: </span>
            {duration(took_ms)}
            {longest_ms !== null && longest_ms > took_ms && (
              <span className="block text-ink-soft cards:inline"> at most {duration(longest_ms)}</span>
            )}
          </>
        )}
      </WorkCell>
      <WorkCell className="text-14 tabular-nums cards:order-6 cards:col-span-3">
        <span className="text-ink-soft table:hidden">Next: </span>
        {next_run
          ? every_minutes !== null && every_minutes >= 60
            ? dayAndTime(next_run)
            : time(next_run)
          : 'Not yet'}
      </WorkCell>
    </WorkRow>
  )
}
