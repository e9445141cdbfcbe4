import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as lengths from '#contract/lengths.ts'
import type { ClinicConsultation, SignedInClinic } from '#contract/portal.ts'
import { dayAndTime } from '../lib/dates.ts'
import { useHashFilters } from '../lib/hash-filters.ts'
import { now as serverNow } from '../lib/session.ts'
import { useLeaving } from '../lib/leaving.ts'
import { useTitleCount } from '../lib/title-count.ts'
import { useTypedSearch } from '../lib/typed-search.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { TextField } from '../ui/text-field.tsx'
import { CaseCard } from './case-card.tsx'
import { eveningName, isAccepted, lastEvening, matches } from './case-words.ts'
import { callsOf, monthName } from './deferred-words.ts'
import { Handover } from './handover.tsx'
import { PortalPage } from './portal-frame.tsx'
import { cases, deferred, wentWrong } from './queries.ts'
import { Choice, Choices } from './choices.tsx'
import { PortalLoading } from './portal-loading.tsx'

const loadViewer = () => import('../chat/picture-viewer.tsx')

const SHOWN = [
  ['open', 'To confirm'],
  ['accepted', 'Accepted'],
  ['all', 'All'],
] as const
type Show = (typeof SHOWN)[number][0]

const newCases = (n: number) => (n === 0 ? 'No new cases' : n === 1 ? '1 new case' : `${n} new cases`)

/** The clinic's morning: what arrived since it closed, what to do first, and Confirm. */
export function Cases({ clinic }: { clinic: SignedInClinic | undefined }) {
  const list = useQuery(cases)
  const { asked, ask } = useHashFilters()
  const [picture, setPicture] = useState<{ url: string; filename: string }>()
  /** Cases that waited here stay in place after somebody confirms them, until another filter is chosen. */
  const [kept, setKept] = useState<number[]>([])
  const q = asked.get('q') ?? ''
  const show = SHOWN.find(([name]) => name === asked.get('show'))?.[0] ?? 'all'
  const all = list.data ?? []
  const open = all.filter((one) => !isAccepted(one))
  const fresh = open.filter(({ id }) => !kept.includes(id))
  if (fresh.length > 0) setKept([...kept, ...fresh.map(({ id }) => id)])
  useTitleCount(open.length)

  const now = new Date(serverNow())
  const evening = lastEvening(now)
  const since = all.filter(({ end, start }) => new Date(end ?? start) >= evening)
  const shown = all
    .filter((one) => {
      if (show === 'open') return kept.includes(one.id)
      return show === 'all' || isAccepted(one)
    })
    .filter((one) => matches(one, q))
  const first = shown.find((one) => !isAccepted(one))
  const handover = all.filter((one) => since.includes(one) || !isAccepted(one))
  const change = (to: { show?: Show; q?: string }) => {
    if (to.show) setKept([])
    const next = { show, q, ...to }
    ask({ ...next, show: next.show === 'all' ? '' : next.show }, { replace: true })
  }
  const close = () => setPicture(undefined)
  const { words, type, take } = useTypedSearch(q, (words) => change({ q: words }), useLeaving())

  return (
    <>
      <PortalPage>
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
          <div>
            <p className="text-14 text-ink-soft sm:hidden">{clinic?.clinic}</p>
            <h1 className="t28">Since {eveningName(evening, now)}</h1>
            {list.data && (
              <p className="mt-1 text-ink-soft">
                {dayAndTime(now.toISOString(), now)}. {newCases(since.length)}, {open.length || 'nothing'} to
                confirm.
              </p>
            )}
          </div>
          {handover.length > 0 && (
            <Button icon="printer" size={44} className="max-sm:w-full" onClick={() => print()}>
              Print handover
            </Button>
          )}
        </div>
        {list.isError && list.data && (
          <Note tone="wait" role="status" title="This list may be out of date">
            {wentWrong(list.error)} We keep trying.
          </Note>
        )}
        {!list.data ? (
          <PortalLoading what="your cases" of={list} />
        ) : all.length === 0 ? (
          <Empty scene="empty-no-consults" title="No cases yet">
            Calls that a vet takes for you, and consults that owners share with you, appear here once they
            end. The list covers 90 days.
          </Empty>
        ) : (
          <>
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
              <Choices label="Filter">
                {SHOWN.map(([name, title]) => (
                  <Choice
                    key={name}
                    current={name === show}
                    onPress={() => change({ show: name, q: take() })}
                  >
                    {title}
                    {name === 'open' && open.length > 0 && (
                      <span className="rounded-full bg-line px-2 text-14 tabular-nums">{open.length}</span>
                    )}
                  </Choice>
                ))}
              </Choices>
              <NotTaken />
            </div>
            <div className="w-full sm:max-w-96">
              <TextField
                label="Search by pet, owner, number or vet"
                type="search"
                icon="search"
                maxLength={lengths.search}
                value={words}
                onChange={({ target }) => type(target.value)}
              />
            </div>
            <NewCases all={all} />
            {shown.length === 0 ? (
              <Empty scene="empty-no-consults" title={q ? 'Nothing matches' : 'Nothing here'}>
                {q
                  ? `Try fewer letters${show === 'all' ? '' : ', or look in All'}.`
                  : show === 'open'
                    ? 'Everything is confirmed.'
                    : 'Nothing is confirmed yet.'}
              </Empty>
            ) : (
              <ul className="stack gap-3">
                {shown.map((one) => (
                  <CaseCard key={one.id} one={one} isFirst={one === first} onPicture={setPicture} />
                ))}
              </ul>
            )}
          </>
        )}
      </PortalPage>
      {handover.length > 0 && (
        <Handover
          printed={now.toISOString()}
          clinic={clinic?.clinic ?? ''}
          title={`Since ${eveningName(evening, now)}`}
          cases={handover}
        />
      )}
      {picture && (
        <LateDialog load={loadViewer} title="Picture" what="the picture" onClose={close}>
          {({ PictureViewer }) => (
            <PictureViewer picture={picture} said={`Picture ${picture.filename}`} onClose={close} />
          )}
        </LateDialog>
      )}
    </>
  )
}

/** Reads out new cases that arrive while the page is open. */
function NewCases({ all }: { all: ClinicConsultation[] }) {
  const known = useRef(new Set(all.map(({ id }) => id)))
  const [said, say] = useState('')
  useEffect(() => {
    const fresh = all.filter(({ id }) => !known.current.has(id))
    known.current = new Set(all.map(({ id }) => id))
    if (fresh.length > 0) say(`New: ${fresh.map(({ pet }) => pet.name).join(', ')}`)
  }, [all])
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  )
}

/** How many calls the clinic's own vets didn't have to take this month. */
function NotTaken() {
  const counted = useQuery(deferred({}))
  if (!counted.data) return null
  const { month } = counted.data
  const calls = callsOf(month)
  return (
    <Link href="/clinic-portal/deferred" className="text-14 text-ink-soft">
      {calls === 0 ? (
        'Calls you didn’t have to take'
      ) : (
        <>
          Calls you didn’t have to take in {monthName(month.from)}:{' '}
          <span className="font-semi text-ink tabular-nums">
            {month.deferred} of {calls}
          </span>
        </>
      )}
    </Link>
  )
}
