import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Clinic } from '#contract/clinics.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { ViewHead, ViewLoading } from '../ui/view-frame.tsx'
import { AddClinicDialog } from './add-clinic-dialog.tsx'
import { ClinicDetails } from './clinic-details.tsx'
import { ClinicInvoices } from './clinic-invoices.tsx'
import { ClinicPeople } from './clinic-people.tsx'
import { ClinicWeek } from './clinic-week.tsx'
import { everyClinic } from './queries.ts'
import { standingOf } from './week-rules.ts'

const WEEK = { part: 'week', title: 'Week', Part: ClinicWeek }
const PARTS = [
  WEEK,
  { part: 'details', title: 'Details', Part: ClinicDetails },
  { part: 'people', title: 'People and sign-in', Part: ClinicPeople },
  { part: 'invoices', title: 'Invoices', Part: ClinicInvoices },
]

const addressOf = (id: number, part = 'week') =>
  `/admin/clinics?clinic=${id}${part === 'week' ? '' : `&part=${part}`}`

/** The partner clinics: a list, and one clinic in parts. The address says which one. */
export default function Clinics() {
  const list = useQuery(everyClinic)
  const [asked, ask] = useSearchParams()
  const [adding, setAdding] = useState(false)
  const { part, Part } = PARTS.find((one) => one.part === asked.get('part')) ?? WEEK
  const named = list.data?.find(({ id }) => String(id) === asked.get('clinic'))
  const isGone = asked.has('clinic') && !named
  const chosen = named ?? list.data?.[0]

  return (
    <>
      <ViewHead
        title="Clinics"
        action={
          list.data?.length !== 0 && (
            <Button size={36} icon="plus" onClick={() => setAdding(true)}>
              Add clinic
            </Button>
          )
        }
      />
      {!list.data ? (
        <ViewLoading of={list} what="the clinics" />
      ) : !chosen ? (
        <Empty
          scene="empty-no-consults"
          title="No clinics yet"
          action={
            <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
              Add clinic
            </Button>
          }
        >
          Vets record phone consults for a clinic, and see who to call at night.
        </Empty>
      ) : (
        <div className="@container">
          <div className="grid grid-cols-1 items-start gap-5 @min-[53rem]:grid-cols-[15rem_minmax(0,1fr)] @min-[72rem]:grid-cols-[17rem_minmax(0,1fr)]">
            <List
              clinics={list.data}
              chosen={isGone ? undefined : chosen.id}
              className={named ? '@max-[53rem]:hidden' : ''}
            />
            {isGone ? (
              <Note tone="wait" role="status" title="This clinic has been deleted">
                Choose another, or add it again if it’s still needed.
              </Note>
            ) : (
              <section
                aria-label={chosen.clinic}
                className={`stack gap-4 ${named ? '' : '@max-[53rem]:hidden'}`}
              >
                <p className="@min-[53rem]:hidden">
                  <LinkButton variant="text" size={44} icon="chevron-left" href="/admin/clinics">
                    {list.data.length === 1 ? 'The clinic' : `All ${list.data.length} clinics`}
                  </LinkButton>
                </p>
                <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
                  <h2 className="t22">{chosen.clinic}</h2>
                  <nav aria-label="Parts" className="segments">
                    {PARTS.map((one) => (
                      <Link
                        key={one.part}
                        href={addressOf(chosen.id, one.part)}
                        aria-current={one.part === part ? 'page' : undefined}
                        className="segment"
                      >
                        {one.title}
                      </Link>
                    ))}
                  </nav>
                </div>
                <Part key={`${chosen.id} ${part}`} clinic={chosen} />
              </section>
            )}
          </div>
        </div>
      )}
      {adding && (
        <AddClinicDialog
          onClose={() => setAdding(false)}
          onAdded={(id) => {
            setAdding(false)
            ask({ clinic: String(id) })
          }}
        />
      )}
    </>
  )
}

function List({
  clinics,
  chosen,
  className,
}: {
  clinics: Clinic[]
  chosen: number | undefined
  className: string
}) {
  const [q, search] = useState('')
  const found = clinics.filter(({ clinic, address }) =>
    `${clinic} ${address}`.toLowerCase().includes(q.trim().toLowerCase()),
  )
  return (
    <nav
      aria-label="Clinics"
      className={`overflow-clip rounded-card border border-line bg-card ${className}`}
    >
      <label className="relative m-3 block">
        <span className="sr-only">Search clinics</span>
        <Icon
          name="search"
          size={16}
          className="pointer-events-none absolute inset-y-0 left-3 my-auto text-ink-soft"
        />
        <input
          type="search"
          value={q}
          placeholder={clinics.length === 1 ? '1 clinic' : `${clinics.length} clinics`}
          onChange={({ target }) => search(target.value)}
          className="control min-h-9! py-1! pl-9! text-14! pointer-coarse:min-h-11!"
        />
      </label>
      <ul className="max-h-[70dvh] divide-y divide-line overflow-y-auto border-t border-line">
        {found.map((clinic) => {
          const { says, warns } = standingOf(clinic)
          return (
            <li key={clinic.id}>
              <Link
                href={addressOf(clinic.id)}
                aria-current={clinic.id === chosen ? 'true' : undefined}
                className="block px-4 py-[10px] text-14 text-ink no-underline hover:bg-paper-sunk focus-visible:-outline-offset-3 @min-[53rem]:aria-[current]:bg-green-soft @min-[53rem]:aria-[current]:text-green-soft-ink"
              >
                <span className="block font-semi [overflow-wrap:anywhere]">{clinic.clinic}</span>
                <span
                  className={`block [overflow-wrap:anywhere] ${warns ? 'text-amber-soft-ink' : 'text-ink-soft'}`}
                >
                  {says}
                </span>
              </Link>
            </li>
          )
        })}
        {found.length === 0 && (
          <li className="px-4 py-3 text-14 text-ink-soft">
            No clinic has “{q.trim()}” in its name or address.
          </li>
        )}
      </ul>
    </nav>
  )
}
