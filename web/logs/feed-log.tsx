import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FeedRun } from '#contract/logs.ts'
import { dayAndTime } from '../lib/dates.ts'
import { useHashFilters } from '../lib/hash-filters.ts'
import { SearchField } from '../lib/search-field.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { ViewHead } from '../ui/view-frame.tsx'
import { WorkList, WorkCell, WorkRow } from '../ui/work-table.tsx'
import { feedRuns, useDecideFeed } from './queries.ts'

const STATES = {
  applied: { tone: 'green', said: 'Applied' },
  waiting: { tone: 'amber', said: 'Waiting for you' },
  refused: { tone: 'red', said: 'Couldn’t be read' },
  dropped: { tone: 'quiet', said: 'Dropped' },
} as const

interface Decision {
  run: FeedRun
  letsThrough: boolean
}

/** What the insurer's files changed. An admin decides here about a file that would end too many policies. */
export default function FeedLog() {
  const { asked, ask: search } = useHashFilters()
  const q = asked.get('q')?.trim() ?? ''
  const list = useInfiniteQuery(feedRuns(q ? { q } : {}))
  const [decision, ask] = useState<Decision>()
  const live = list.data?.pages[0]?.live ?? 0
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4">
        <ViewHead title="Insurer’s feed" />
        {list.data && (
          <p className="text-14 text-ink-soft tabular-nums">
            {live === 1 ? '1 live policy' : `${live} live policies`}
          </p>
        )}
      </div>
      <SearchField label="File name" q={q} onSearch={(words) => search({ q: words }, { replace: true })} />
      <WorkList
        list={list}
        rowsOf={(page) => page.runs}
        what="the feed"
        empty={
          q ? (
            <p className="rounded-card bg-paper-sunk p-5">No file matches.</p>
          ) : (
            <Empty scene="empty-no-consults" title="No file has arrived yet">
              The insurer puts one in the watched folder each day, or somebody loads it with a command.
            </Empty>
          )
        }
        caption="The insurer’s files, newest first"
        columns={[
          { says: 'When', className: 'w-42' },
          { says: 'File' },
          { says: 'State', className: 'w-44' },
          { says: 'What it did' },
          { says: 'Actions', className: 'w-56', unseen: true },
        ]}
      >
        {(run) => <Row key={run.id} run={run} onDecide={(letsThrough) => ask({ run, letsThrough })} />}
      </WorkList>
      {decision && <Decide {...decision} live={live} onClose={() => ask(undefined)} />}
    </>
  )
}

const counts = ({ state, added, changed, lapsed }: FeedRun) =>
  state === 'refused'
    ? 'Nothing'
    : `${state === 'waiting' || state === 'dropped' ? 'Would be: ' : ''}${added} new, ${changed} changed, ${lapsed} ended`

function Row({ run, onDecide }: { run: FeedRun; onDecide: (letsThrough: boolean) => void }) {
  const { at, file, state, bad, bad_count } = run
  const { tone, said } = STATES[state]
  return (
    <WorkRow hot={state === 'waiting'}>
      <WorkCell className="text-14 tabular-nums cards:order-3 cards:col-span-3">{dayAndTime(at)}</WorkCell>
      <WorkCell className="cards:order-1 cards:col-span-2">
        <span className="block font-semi">{file}</span>
      </WorkCell>
      <WorkCell className="cards:order-2">
        <Badge tone={tone}>{said}</Badge>
      </WorkCell>
      <WorkCell className="text-14 tabular-nums cards:order-4 cards:col-span-3">
        {counts(run)}
        {bad_count > 0 && (
          <details>
            <summary className="min-h-6 content-center text-red pointer-coarse:min-h-11">
              {bad_count === 1 ? '1 row that we couldn’t use' : `${bad_count} rows that we couldn’t use`}
            </summary>
            <ul className="max-h-48 overflow-y-auto pb-1 text-ink-soft">
              {bad.map(({ row, why }) => (
                <li key={row}>
                  Row {row} {why}.
                </li>
              ))}
              {bad_count > bad.length && <li>And {bad_count - bad.length} more.</li>}
            </ul>
          </details>
        )}
      </WorkCell>
      <WorkCell className="cards:order-5 cards:col-span-3 cards:empty:hidden">
        {state === 'waiting' && (
          <span className="flex flex-wrap gap-2">
            <Button
              variant="primary"
              size={36}
              aria-label={`Let through: ${file}`}
              onClick={() => onDecide(true)}
            >
              Let through
            </Button>
            <Button size={36} aria-label={`Drop ${file}`} onClick={() => onDecide(false)}>
              Drop
            </Button>
          </span>
        )}
      </WorkCell>
    </WorkRow>
  )
}

const policies = (n: number) => (n === 1 ? '1 policy' : `${n} policies`)

function Decide({
  run: { id, file, lapsed, overtaken },
  letsThrough,
  live,
  onClose,
}: Decision & { live: number; onClose: () => void }) {
  const decide = useDecideFeed()
  return (
    <ConfirmDialog
      title={letsThrough ? `Let ${file} through?` : `Drop ${file}?`}
      does={!letsThrough ? 'Drop the file' : lapsed === 0 ? 'Apply the file' : `End ${policies(lapsed)}`}
      doing={letsThrough ? 'Applying…' : 'Dropping…'}
      keeps="Let it wait"
      onClose={onClose}
      onConfirm={async () => {
        const done = await decide({ id, let_through: letsThrough })
        return letsThrough ? `${file} was applied: ${policies(done.lapsed)} ended.` : `${file} was dropped.`
      }}
    >
      {letsThrough ? (
        <p>
          It ends {lapsed === 0 ? 'none' : lapsed} of {live} live policies. We’ll email each owner, and their
          pets lose the place that came with the policy. A later file can bring policies back.
        </p>
      ) : (
        <p>
          None of it is applied, today or when the same file arrives again. Ask the insurer for a correct one.
        </p>
      )}
      {letsThrough && overtaken && (
        <p className="font-semi text-amber-soft-ink">
          A newer file was applied while this one waited. What it says may be out of date.
        </p>
      )}
    </ConfirmDialog>
  )
}
