import { useQuery } from '@tanstack/react-query'
import type { Clinic } from '#contract/clinics.ts'
import { saveCsv } from '../ui/save-file.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { ViewLoading } from '../ui/view-frame.tsx'
import { invoicesOf, useInvoiceMonth } from './queries.ts'

const monthName = (month: string) =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01`),
  )

/** How many phone consults a clinic had in each month, and a PDF that lists them. */
export function ClinicInvoices({ clinic }: { clinic: Clinic }) {
  const months = useQuery(invoicesOf(clinic.id))
  const report = useInvoiceMonth()
  const { show } = useAlert()
  if (!months.data) return <ViewLoading of={months} what="the invoices" />
  return (
    <div className="stack gap-4">
      {!clinic.meta.customerInvoice && (
        <Note tone="info" title="This clinic isn’t invoiced">
          Its numbers are below. It’s left out of the CSV for all clinics.
        </Note>
      )}
      <div className="overflow-x-auto rounded-card border border-line bg-card">
        <table className="w-full border-collapse text-left">
          <caption className="sr-only">Phone consults by month</caption>
          <thead>
            <tr className="bg-paper-sunk text-14 text-ink-soft">
              <th scope="col" className="px-5 py-3 font-semi">
                Month
              </th>
              <th scope="col" className="px-4 py-3 text-right font-semi">
                Phone consults
              </th>
              <th scope="col" className="px-5 py-3">
                <span className="sr-only">Files</span>
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {months.data.map(({ month, consults, url }, back) => (
              <tr key={month}>
                <th scope="row" className="px-5 py-1 font-semi whitespace-nowrap">
                  {monthName(month)}
                  {back === 0 && <span className="font-regular text-ink-soft"> so far</span>}
                </th>
                <td className="px-4 py-1 text-right tabular-nums">{consults}</td>
                <td className="px-5 py-1">
                  <span className="flex min-h-11 flex-wrap items-center justify-end gap-x-4">
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
                    <Button
                      size={36}
                      variant="text"
                      aria-label={`${monthName(month)}: all invoiced clinics as CSV`}
                      onClick={() =>
                        report.mutate(
                          { month },
                          {
                            onSuccess: ({ csv, clinics }) => {
                              saveCsv(`clinics-${month}.csv`, csv)
                              show(
                                clinics.length === 1
                                  ? '1 clinic exported.'
                                  : `${clinics.length} clinics exported.`,
                              )
                            },
                          },
                        )
                      }
                    >
                      All clinics, CSV
                    </Button>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-14 text-ink-soft">
        A month counts from its first to its last day in the clinic’s own time zone.
      </p>
    </div>
  )
}
