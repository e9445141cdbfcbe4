import { useQuery } from '@tanstack/react-query'
import { data, type LoaderFunctionArgs } from 'react-router'
import { sandboxSms } from '#contract/sandbox.ts'
import { dayAndTime } from '../lib/dates.ts'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { query } from '../lib/queries.ts'
import { Empty } from '../ui/empty.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'

/** Exists only while SMS go to the sandbox. Otherwise it's an unknown address. */
export function loader({ context }: LoaderFunctionArgs) {
  if (!pageOf(context).reachesSandbox.sms) throw data(null, { status: 404 })
  return null
}

export const meta = () => pageMeta('Sandbox SMS', 'The SMS that would have been sent, newest first.')

const ADDRESS = /(https?:\/\/\S+)$/

export default function SandboxSms() {
  const sent = useQuery({ ...query(sandboxSms, {}), refetchInterval: 5000 })
  return (
    <div className="wrap section stack min-h-dvh content-start gap-8">
      <div className="stack gap-2">
        <h1 className="t36">Sandbox SMS</h1>
        <p className="lead">No SMS provider is set up, so messages are kept here instead of being sent.</p>
      </div>
      {!sent.isSuccess ? (
        <RowsLoading of={sent} what="the messages" />
      ) : sent.data.length === 0 ? (
        <Empty scene="empty-no-consults" title="No messages yet">
          New ones appear here automatically.
        </Empty>
      ) : (
        <ul className="stack max-w-140 gap-4">
          {sent.data.map(({ to, text, sentAt }) => (
            <li key={`${sentAt} ${to}`} className="rounded-card border border-line bg-card p-5">
              <p className="text-14 text-ink-soft tabular-nums">
                To {to}, {dayAndTime(sentAt)}
              </p>
              <p className="mt-1 [overflow-wrap:anywhere]">
                {text.split(ADDRESS).map((part) =>
                  ADDRESS.test(part) ? (
                    <a key={part} href={part}>
                      {part}
                    </a>
                  ) : (
                    part
                  ),
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
