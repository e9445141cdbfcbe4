import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { isEmail } from '#contract/fields.ts'
import type { LoggedMail } from '#contract/logs.ts'
import { CallButton } from '../lib/call-button.tsx'
import { dayAndTime } from '../lib/dates.ts'
import { hashOf, useHashFilters } from '../lib/hash-filters.ts'
import { wrongEmail } from '../lib/rules.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Form, useAskedFor, useForm } from '../ui/form.tsx'
import { Tab, Tabs } from '../ui/tabs.tsx'
import { TextField } from '../ui/text-field.tsx'
import { ViewHead } from '../ui/view-frame.tsx'
import { TwoLines, WorkCell, WorkList, WorkRow } from '../ui/work-table.tsx'
import { MailState } from './mail-state.tsx'
import { mails, useResendMail } from './queries.ts'

const STATES = [
  { state: 'all', said: 'All' },
  { state: 'waiting', said: 'On their way' },
  { state: 'sent', said: 'Sent' },
  { state: 'given_up', said: 'Given up' },
] as const

/** Every mail with its state, never its text. */
export default function MailLog() {
  const { asked, ask } = useHashFilters()
  const { state } = STATES.find((one) => one.state === asked.get('state')) ?? STATES[0]
  const to = asked.get('to') ?? ''
  const list = useInfiniteQuery(mails({ state, to: isEmail(to) ? to : undefined }))
  const heading = useRef<HTMLHeadingElement>(null)
  const lost = list.data?.pages[0]?.given_up
  return (
    <>
      <ViewHead title="Email log" heading={heading} />
      <Search to={to} onSearch={(next) => ask({ state, to: next })} />
      <Tabs label="State">
        {STATES.map((one) => (
          <Tab
            key={one.state}
            href={`/admin/mail${hashOf({ state: one.state, to })}`}
            current={one.state === state}
          >
            {one.said}
            {one.state === 'given_up' && lost ? <span className="text-red tabular-nums">{lost}</span> : null}
          </Tab>
        ))}
      </Tabs>
      <WorkList
        list={list}
        rowsOf={(page) => page.mails}
        what="the email log"
        empty={<Nothing state={state} to={to} />}
        caption="Emails, newest first"
        columns={[
          { says: 'Written', className: 'w-44' },
          { says: 'To', className: 'min-[80rem]:w-64' },
          { says: 'Subject' },
          { says: 'State', className: 'w-52' },
          { says: 'Actions', className: 'w-28', unseen: true },
        ]}
      >
        {(mail) => <Row key={mail.id} mail={mail} onResent={() => heading.current?.focus()} />}
      </WorkList>
    </>
  )
}

function Nothing({ state, to }: { state: (typeof STATES)[number]['state']; to: string }) {
  if (to)
    return (
      <Empty scene="not-found" title={`No emails to ${to}`}>
        Enter the full address.
      </Empty>
    )
  if (state === 'given_up')
    return (
      <Empty scene="success" title="No email was given up">
        Every email has been sent or is on its way.
      </Empty>
    )
  return (
    <Empty
      scene="empty-no-consults"
      title={state === 'waiting' ? 'Nothing is on its way' : 'No emails yet'}
    />
  )
}

function Search({ to, onSearch }: { to: string; onSearch: (to: string) => void }) {
  const form = useForm({ rules: ({ to }) => ({ to: to.trim() !== '' && wrongEmail(to) }), defaults: { to } })
  useAskedFor(form, { to })
  return (
    <Form
      form={form}
      role="search"
      className="flex flex-wrap items-start gap-3"
      onSubmit={async (typed) => onSearch(typed.to.trim().toLowerCase())}
    >
      <div className="w-full max-w-96">
        <TextField
          label="Address"
          inputMode="email"
          autoComplete="off"
          beside={<Button type="submit">Search</Button>}
          {...form.field('to')}
        />
      </div>
    </Form>
  )
}

function Row({ mail, onResent }: { mail: LoggedMail; onResent: () => void }) {
  const resend = useResendMail()
  const { id, at, to, subject, template, state, attempts, done, resendable } = mail
  return (
    <WorkRow>
      <WorkCell className="text-14 tabular-nums cards:order-3 cards:col-span-3 cards:text-ink-soft">
        {dayAndTime(at)}
      </WorkCell>
      <WorkCell className="text-14 cards:order-2 cards:col-span-3">{to}</WorkCell>
      <WorkCell className="cards:order-1 cards:col-span-3">
        <TwoLines
          first={subject || 'Erased'}
          then={<span className="block first-letter:uppercase">{template}</span>}
        />
      </WorkCell>
      <WorkCell className="cards:order-4 cards:col-span-2">
        <TwoLines
          first={<MailState mail={mail} />}
          then={`${state === 'waiting' ? 'due ' : ''}${dayAndTime(done)}${attempts > 1 ? `, ${attempts} tries` : ''}`}
        />
      </WorkCell>
      <WorkCell className="cards:order-5">
        {resendable ? (
          <CallButton
            size={36}
            aria-label={`Resend: ${subject}, to ${to}`}
            call={resend}
            input={{ id }}
            onDone={() => {
              onResent()
              return `“${subject}” is on its way to ${to}.`
            }}
          >
            Resend
          </CallButton>
        ) : (
          state === 'given_up' && <span className="text-14 text-ink-soft">Text erased</span>
        )}
      </WorkCell>
    </WorkRow>
  )
}
