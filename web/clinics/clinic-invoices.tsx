import { useQuery } from '@tanstack/react-query'
import type { Clinic } from '#contract/clinics.ts'
import { CallButton } from '../lib/call-button.tsx'
import { saveCsv } from '../ui/save-file.ts'
import { Note } from '../ui/note.tsx'
import { ViewLoading } from '../ui/view-frame.tsx'
import { WorkCell, WorkRow, WorkTable } from '../ui/work-table.tsx'
import { invoicesOf, useInvoiceMonth } from './queries.ts'

const monthName = (month: string) =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01`),
  )

/** How many phone consults a clinic had in each month, and a PDF that lists them. */
export function ClinicInvoices({ clinic }: { clinic: Clinic }) {
  const months = useQuery(invoicesOf(clinic.id))
  const report = useInvoiceMonth()
  if (!months.data) return <ViewLoading of={months} what="the invoices" />
  return (
    <div className="stack gap-4">
      {!clinic.meta.customerInvoice && (
        <Note tone="info" title="This clinic isn’t invoiced">
          Its numbers are below. It’s left out of the CSV for all clinics.
        </Note>
      )}
      <WorkTable
        caption="Phone consults by month"
        columns={[
          { says: 'Month' },
          { says: 'Phone consults', className: 'w-40 text-right!' },
          { says: 'Files', className: 'w-60', unseen: true },
        ]}
      >
        {months.data.map(({ month, consults, url }, back) => (
          <WorkRow key={month}>
            <WorkCell className="cards:order-1 cards:col-span-2">
              <b className="font-semi">{monthName(month)}</b>
              {back === 0 && <span className="text-ink-soft"> so far</span>}
            </WorkCell>
            <WorkCell className="text-right tabular-nums cards:order-2">
              {consults}
              <span className="table:hidden">{consults === 1 ? ' consult' : ' consults'}</span>
            </WorkCell>
            <WorkCell className="cards:order-3 cards:col-span-3">
              <span className="flex flex-wrap items-center justify-end gap-x-4">
                {consults > 0 && (
                  <a
                    href={url}
                    download
                    aria-label={`${monthName(month)} as PDF`}
                    className="inline-flex min-h-9 items-center pointer-coarse:min-h-11"
                  >
                    PDF
                  </a>
                )}
                <CallButton
                  size={36}
                  variant="text"
                  aria-label={`${monthName(month)}: all invoiced clinics as CSV`}
                  call={report}
                  input={{ month }}
                  onDone={({ csv, clinics }) => {
                    saveCsv(`clinics-${month}.csv`, csv)
                    return clinics.length === 1 ? '1 clinic exported.' : `${clinics.length} clinics exported.`
                  }}
                >
                  All clinics, CSV
                </CallButton>
              </span>
            </WorkCell>
          </WorkRow>
        ))}
      </WorkTable>
      <p className="text-14 text-ink-soft">
        A month counts from its first to its last day in the clinic’s own time zone.
      </p>
    </div>
  )
}
