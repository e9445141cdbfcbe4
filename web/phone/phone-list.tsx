import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { sentenceOf } from '#contract/errors.ts'
import { UrgencyBadge } from '../escalation/urgency-badge.tsx'
import { dayAndTime } from '../lib/dates.ts'
import { DayFields, type DayRange, daysIn, wrongDays } from '../logs/day-range.tsx'
import { hashOf, useHashFilters } from '../lib/hash-filters.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import type { Rules } from '../ui/form-state.ts'
import { FieldPair, Form, useAskedFor, useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Note } from '../ui/note.tsx'
import { pageIn, Pager } from '../ui/pager.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Stale, ViewHead, ViewLoading } from '../ui/view-frame.tsx'
import { TwoLines, WorkCell, WorkRow, WorkTable } from '../ui/work-table.tsx'
import { saveCsv } from '../ui/save-file.ts'
import { PhoneConsult } from './phone-form.tsx'
import { type PhoneConsultation, phoneConsultations, useReport } from './queries.ts'

/** Phone consults for admins: the list, its export, and the form. The filters are in the address, behind the #. */
export default function PhoneConsultations() {
  const [chosen] = useSearchParams()
  if (chosen.has('new'))
    return (
      <>
        <p>
          <LinkButton variant="text" size={44} icon="chevron-left" href="/admin/phoneConsultations">
            Phone consults
          </LinkButton>
        </p>
        <PhoneConsult asksVet />
      </>
    )
  return <List />
}

const wrong = (days: DayRange) => wrongDays(days, sentenceOf('EXPORT_DATES_TURNED'))
const listRules: Rules<DayRange & { q: string }> = wrong

function List() {
  const { asked, ask } = useHashFilters()
  const page = pageIn(asked)
  const filter = { q: asked.get('q')?.trim() ?? '', ...daysIn(asked) }
  const list = useQuery(phoneConsultations({ page, ...filter }))
  const form = useForm({ rules: listRules, defaults: filter })
  useAskedFor(form, filter)
  const heading = useRef<HTMLHeadingElement>(null)
  const [exporting, setExporting] = useState(false)
  const isFiltered = Object.values(filter).some(Boolean)
  const addressOf = (page: number) =>
    `/admin/phoneConsultations${hashOf({ ...filter, ...(page > 1 && { page: String(page) }) })}`

  if (list.data && !list.isPlaceholderData && page > list.data.pages)
    return <Navigate replace to={addressOf(list.data.pages)} />
  return (
    <>
      <ViewHead
        title="Phone consults"
        heading={heading}
        action={
          <div className="flex flex-wrap gap-3">
            <Button size={36} icon="download" onClick={() => setExporting(true)}>
              Export
            </Button>
            <LinkButton variant="primary" size={36} icon="plus" href="/admin/phoneConsultations?new">
              Record a call
            </LinkButton>
          </div>
        }
      />
      <Form form={form} role="search" onSubmit={({ q, ...days }) => ask({ q: q.trim(), ...days })}>
        <div className="grid max-w-260 items-start gap-3 sm:grid-cols-[minmax(0,2fr)_repeat(2,minmax(0,1fr))] min-[60rem]:grid-cols-[minmax(0,2fr)_repeat(2,minmax(0,1fr))_auto]">
          <TextField
            label="Clinic, caller, pet or number"
            autoComplete="off"
            maxLength={100}
            {...form.field('q')}
          />
          <DayFields form={form} />
          <div className="flex flex-wrap gap-3 min-[60rem]:mt-[calc(1.375em+8px)]">
            <Button type="submit">Search</Button>
            {isFiltered && (
              <Button
                variant="text"
                onClick={() => {
                  ask({})
                  heading.current?.focus()
                }}
              >
                Show all
              </Button>
            )}
          </div>
        </div>
      </Form>
      {!list.data ? (
        <ViewLoading of={list} what="the phone consults" />
      ) : list.data.total === 0 ? (
        <Empty scene="empty-no-consults" title={isFiltered ? 'Nothing matches' : 'No phone consults yet'}>
          {isFiltered
            ? 'Try part of the name, or other days.'
            : 'Vets record them under Phone. They’ll be listed here.'}
        </Empty>
      ) : (
        <Stale when={list.isPlaceholderData}>
          <p role="status" className="text-14 text-ink-soft">
            {list.data.total === 1 ? '1 phone consult' : `${list.data.total} phone consults`}
          </p>
          <Rows consultations={list.data.consultations} />
          <Pager label="Pages" page={page} pages={list.data.pages} href={addressOf} />
        </Stale>
      )}
      {exporting && <ExportDialog {...filter} onClose={() => setExporting(false)} />}
    </>
  )
}

const Rows = ({ consultations }: { consultations: PhoneConsultation[] }) => (
  <WorkTable
    caption="Phone consults, newest first"
    columns={[
      { says: 'Number', className: 'w-26' },
      { says: 'When', className: 'w-44' },
      { says: 'Clinic' },
      { says: 'Pet and caller' },
      { says: 'Urgency', className: 'w-38' },
      { says: 'Outcome', className: 'w-52' },
    ]}
  >
    {consultations.map((one) => (
      <WorkRow key={one.id} hot={one.urgency === 'emergency'}>
        <WorkCell className="tabular-nums cards:order-1">{one.id}</WorkCell>
        <WorkCell className="tabular-nums cards:order-2 cards:col-span-2 cards:text-right">
          {dayAndTime(one.start)}
        </WorkCell>
        <WorkCell className="cards:order-4 cards:col-span-3">
          <TwoLines first={<span className="line-clamp-2">{one.clinic.clinic}</span>} then={one.vet_name} />
        </WorkCell>
        <WorkCell className="cards:order-3 cards:col-span-3">
          <TwoLines
            first={<span className="font-semi">{one.pet.name}</span>}
            then={
              <>
                {one.caller.name}
                {one.caller.name && one.caller.phone && ', '}
                <span className="whitespace-nowrap tabular-nums">{one.caller.phone}</span>
              </>
            }
          />
        </WorkCell>
        <WorkCell className="cards:order-5">
          {one.urgency ? <UrgencyBadge urgency={one.urgency} /> : <span className="text-ink-soft">–</span>}
        </WorkCell>
        <WorkCell className="cards:order-6 cards:col-span-2 cards:text-right">
          <TwoLines first={<span className="line-clamp-2">{one.outcome || '–'}</span>} then={standing(one)} />
        </WorkCell>
      </WorkRow>
    ))}
  </WorkTable>
)

const standing = ({ portalDetail }: PhoneConsultation) =>
  portalDetail.clinic_accepted_at
    ? 'Confirmed by the clinic'
    : portalDetail.clinic_notified_at
      ? 'Clinic notified'
      : 'Clinic not notified'

const exportRules: Rules<DayRange> = (days) => ({
  from: days.from === '' ? sentenceOf('EXPORT_DATES_MISSING') : wrong(days).from,
  to: days.to === '' ? sentenceOf('EXPORT_DATES_MISSING') : wrong(days).to,
})

function ExportDialog({ from, to, onClose }: DayRange & { onClose: () => void }) {
  const report = useReport()
  const form = useForm({ rules: exportRules, defaults: { from, to } })
  const [count, setCount] = useState<number>()
  return (
    <FormDialog
      small
      title="Export phone consults"
      form={form}
      does="Export as CSV"
      doing="Exporting…"
      keeps="Close"
      onClose={onClose}
      onSubmit={async (days) => {
        const { consultCount, csv } = await report(days)
        setCount(consultCount)
        if (consultCount > 0) saveCsv(`phone-consults-${days.from}-to-${days.to}.csv`, csv)
      }}
    >
      <p className="text-ink-soft">Both days are included, in the time of the consult’s region.</p>
      <FieldPair>
        <DayFields form={form} />
      </FieldPair>
      <div role="status" className="pt-4">
        {count !== undefined && (
          <Note
            tone="info"
            title={
              count === 0
                ? 'No phone consults on these days'
                : `${count} phone consult${count === 1 ? '' : 's'} exported`
            }
          />
        )}
      </div>
    </FormDialog>
  )
}
