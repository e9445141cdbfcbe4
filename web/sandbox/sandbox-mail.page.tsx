import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { data, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import type { Output } from '#contract/call.ts'
import { sandboxMail } from '#contract/sandbox.ts'
import { dayAndTime } from '../lib/dates.ts'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { query } from '../lib/queries.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { TextField } from '../ui/text-field.tsx'

type Mail = Output<typeof sandboxMail>[number]

/** Exists only while mail goes to the sandbox. Otherwise it's an unknown address. */
export function loader({ context }: LoaderFunctionArgs) {
  if (!pageOf(context).reachesSandbox.mail) throw data(null, { status: 404 })
  return null
}

export const meta = () => pageMeta('Sandbox mailbox', 'The emails that would have been sent, newest first.')

export default function SandboxMail() {
  const [address, setAddress] = useSearchParams()
  const to = address.get('to') ?? ''
  const mails = useQuery({ ...query(sandboxMail, to ? { to } : {}), refetchInterval: 5000 })
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const wanted = String(new FormData(event.currentTarget).get('to')).trim()
    setAddress(wanted ? { to: wanted } : {})
  }
  return (
    <div className="wrap section stack min-h-dvh content-start gap-8">
      <div className="stack gap-2">
        <h1 className="t36">Sandbox mailbox</h1>
        <p className="lead">No mail server is set up, so emails are kept here instead of being sent.</p>
      </div>
      <form onSubmit={search} className="max-w-140">
        <TextField
          key={to}
          type="email"
          name="to"
          label="Address"
          icon="search"
          defaultValue={to}
          beside={<Button type="submit">Show emails</Button>}
        />
      </form>
      {!mails.isSuccess ? (
        <RowsLoading of={mails} what="the emails" />
      ) : mails.data.length === 0 ? (
        <Empty scene="empty-no-consults" title={to ? `No emails to ${to} yet` : 'No emails yet'}>
          New ones appear here automatically.
        </Empty>
      ) : (
        <Mails mails={mails.data} />
      )}
    </div>
  )
}

const keyOf = (mail: Mail) => `${mail.sentAt} ${mail.to} ${mail.subject}`

function Mails({ mails }: { mails: Mail[] }) {
  const [chosen, choose] = useState<string>()
  const shown = mails.find((mail) => keyOf(mail) === chosen) ?? mails[0]!
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <ul className="divide-y divide-line overflow-clip rounded-card border border-line bg-card">
        {mails.map((mail) => (
          <li key={keyOf(mail)}>
            <button
              type="button"
              aria-current={mail === shown || undefined}
              onClick={() => choose(keyOf(mail))}
              className="block w-full px-5 py-3 text-left hover:bg-green-soft aria-current:bg-green-soft focus-visible:-outline-offset-3"
            >
              <span className="block font-semi">{mail.subject}</span>
              <span className="block text-14 text-ink-soft">
                {mail.to}
                <br />
                {dayAndTime(mail.sentAt)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <article className="stack gap-4" aria-label={shown.subject}>
        <iframe
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={shown.html.replace('<head>', '<head><base target="_blank">')}
          title={`${shown.subject}, as it looks`}
          className="h-150 w-full rounded-card border border-line bg-card"
        />
        <details className="group">
          <summary className="inline-flex min-h-11 list-none items-center gap-1 font-semi text-green [&::-webkit-details-marker]:hidden">
            As plain text
            <Icon name="chevron-down" size={16} className="group-open:rotate-180" />
          </summary>
          <pre className="rounded-card border border-line bg-card p-5 text-14 whitespace-pre-wrap">
            {shown.text}
          </pre>
        </details>
      </article>
    </div>
  )
}
