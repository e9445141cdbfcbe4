import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { leftOf } from '#contract/ledger.ts'
import { money } from '#contract/regions.ts'
import { dayAndTime } from '../lib/dates.ts'
import { useHashFilters } from '../lib/hash-filters.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Form, useAskedFor, useForm } from '../ui/form.tsx'
import { Tab, Tabs } from '../ui/tabs.tsx'
import { TextField } from '../ui/text-field.tsx'
import { ViewHead } from '../ui/view-frame.tsx'
import { TwoLines, WorkCell, WorkList, WorkRow } from '../ui/work-table.tsx'
import { returnedWords } from './returned-words.ts'
import { Disputes } from './money-disputes.tsx'
import { FailedRefunds } from './money-failed.tsx'
import { Unfinished } from './money-unfinished.tsx'
import { type Entry, everyEntry } from './queries.ts'
import { RefundDialog } from './refund-dialog.tsx'

const KINDS: Record<Entry['kind'], string> = {
  charge: 'Charge',
  refund: 'Refund',
  refund_failed: 'Failed refund, back with us',
  dispute: 'Dispute',
  dispute_won: 'Dispute won',
}

const PARTS = [
  { value: '', label: 'Everything', Part: Entries },
  { value: 'disputes', label: 'Disputes', Part: Disputes },
  { value: 'failed', label: 'Failed refunds', Part: FailedRefunds },
  { value: 'unfinished', label: 'Unfinished purchases', Part: Unfinished },
]

/** Every movement of money, refunds, and what needs attention. Part and search are in the address. */
export default function Money() {
  const [asked] = useSearchParams()
  const shown = PARTS.find(({ value }) => value === asked.get('show')) ?? PARTS[0]!
  return (
    <>
      <ViewHead title="Money" />
      <Tabs label="Parts">
        {PARTS.map(({ value, label }) => (
          <Tab key={value} href={value ? `?show=${value}` : '/admin/money'} current={value === shown.value}>
            {label}
          </Tab>
        ))}
      </Tabs>
      <shown.Part />
    </>
  )
}

function Entries() {
  const { asked, ask } = useHashFilters()
  const q = asked.get('q')?.trim() ?? ''
  const list = useInfiniteQuery(everyEntry(q))
  const [refunded, refund] = useState<Entry>()
  const form = useForm({ defaults: { q } })
  useAskedFor(form, { q })

  return (
    <>
      <Form
        form={form}
        role="search"
        className="flex flex-wrap items-end gap-3"
        onSubmit={(typed) => ask({ q: typed.q.trim() })}
      >
        <div className="w-full max-w-80">
          <TextField
            label="Receipt number, name, email or amount"
            maxLength={254}
            autoComplete="off"
            {...form.field('q')}
          />
        </div>
        <Button type="submit">Search</Button>
      </Form>
      {list.data?.pages[0]?.only_some && (
        <p role="status" className="text-14 text-ink-soft">
          More than 200 people begin with “{q}”, so some of their receipts aren’t here. Type more of the name
          or email.
        </p>
      )}
      <WorkList
        list={list}
        rowsOf={(page) => page.entries}
        what="the ledger"
        empty={
          <Empty scene="empty-no-consults" title={q ? 'Nothing matches' : 'No money has moved yet'}>
            {q
              ? 'Search by the number on a receipt, by R450 or 450.00, or by the beginning of an email or name.'
              : 'The first sale will appear here.'}
          </Empty>
        }
        caption="Payments and refunds, newest first"
        columns={[
          { says: 'Number', className: 'w-32' },
          { says: 'When', className: 'w-44' },
          { says: 'Who', className: 'w-[26%]' },
          { says: 'What' },
          { says: 'Amount', className: 'w-32 text-right!' },
          { says: 'Actions', className: 'w-28', unseen: true },
        ]}
      >
        {(entry) => <EntryRow key={entry.id} entry={entry} onRefund={refund} />}
      </WorkList>
      {refunded && <RefundDialog entry={refunded} onClose={() => refund(undefined)} />}
    </>
  )
}

function EntryRow({ entry, onRefund }: { entry: Entry; onRefund: (entry: Entry) => void }) {
  const { id, at, email, kind, what, amount, currency } = entry
  return (
    <WorkRow>
      <WorkCell className="tabular-nums cards:order-1">VC-{id}</WorkCell>
      <WorkCell className="text-14 tabular-nums cards:order-3 cards:col-span-3">{dayAndTime(at)}</WorkCell>
      <WorkCell className="text-14 cards:order-4 cards:col-span-3">{email}</WorkCell>
      <WorkCell className="cards:order-5 cards:col-span-3">
        <TwoLines first={what} then={KINDS[kind]} />
      </WorkCell>
      <WorkCell className="tabular-nums cards:order-2 cards:col-span-2 text-right">
        <TwoLines bold first={money(amount, currency)} then={returnedWords(entry)} />
      </WorkCell>
      <WorkCell className="cards:order-6 cards:col-span-3">
        {kind === 'charge' && leftOf(entry) > 0 && (
          <Button size={36} aria-label={`Refund VC-${id}`} onClick={() => onRefund(entry)}>
            Refund
          </Button>
        )}
      </WorkCell>
    </WorkRow>
  )
}
