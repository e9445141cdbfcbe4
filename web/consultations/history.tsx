import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { CONSULT_TYPES, type Consultation } from '#contract/consultations.ts'
import { dayAndTime } from '../lib/dates.ts'
import { PetFace } from '../pets/pet-face.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ListCard } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { say } from '../ui/say.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { roomOf } from '../lib/room-address.ts'
import { myConsultations } from './queries.ts'

const AT_FIRST = 4
const MORE = 20

/** Earlier consults, newest first. Older ones load on request. */
export function History() {
  const asked = useInfiniteQuery(myConsultations)
  const [shown, setShown] = useState(AT_FIRST)
  const all = asked.data?.pages.flatMap(({ consultations }) => consultations)
  const list = useRef<HTMLUListElement>(null)
  const more = () => {
    flushSync(() => setShown(shown + MORE))
    // The button disappears once there are no more.
    list.current?.children[shown]?.querySelector('a')?.focus()
    if (all && shown + MORE > all.length && asked.hasNextPage) void asked.fetchNextPage()
  }

  return (
    <HistoryFrame>
      {all ? (
        all.length > 0 ? (
          <ul ref={list} className="divide-y divide-line">
            {all.slice(0, shown).map((consultation) => (
              <li key={consultation.id}>
                <HistoryRow consultation={consultation} />
              </li>
            ))}
          </ul>
        ) : (
          <Empty scene="empty-no-consults" title={say('Nothing here yet')}>
            {say('After a consult, you’ll find the vet’s plan here to read, print or show to a clinic.')}
          </Empty>
        )
      ) : (
        <RowsLoading of={asked} what={say('your consultations')} waits={<HistorySkeletons />} />
      )}
      {all && (all.length > shown || asked.hasNextPage) && (
        <div className="flex flex-wrap items-center gap-3 px-5 py-3 lg:px-6">
          <Button
            variant="text"
            className="-ml-3"
            busy={asked.isFetchingNextPage}
            busyLabel={say('Loading…')}
            onClick={more}
          >
            {asked.isFetchNextPageError ? say('Try again') : say('Show older consults')}
          </Button>
          <p role="status" className="text-14 text-ink-soft">
            {asked.isFetchNextPageError && say('We couldn’t load older consults. Nothing is lost.')}
          </p>
        </div>
      )}
    </HistoryFrame>
  )
}

export const HistoryFrame = ({ children }: { children: ReactNode }) => (
  <ListCard titleId="history" title={say('My Consultation History')}>
    {children}
  </ListCard>
)

export const HistorySkeletons = () => (
  <SkeletonRows label={say('Loading your consultations')} rows={AT_FIRST} />
)

function stateOf({ end, vet_start }: Consultation) {
  if (end) return { said: say('Completed'), tone: 'quiet' } as const
  return vet_start
    ? ({ said: say('In progress'), tone: 'green' } as const)
    : ({ said: say('Waiting for a vet'), tone: 'amber' } as const)
}

function HistoryRow({ consultation }: { consultation: Consultation }) {
  const { type, pet, vet_name, start, pet_issue, outcome, summary } = consultation
  const { said, tone } = stateOf(consultation)
  const isVideo = type === CONSULT_TYPES.video
  return (
    <Link
      href={roomOf(consultation)}
      className="grid min-h-[72px] grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 px-5 py-4 text-inherit no-underline hover:bg-paper-sunk focus-visible:rounded-card focus-visible:-outline-offset-3 xs:gap-4 lg:px-6"
    >
      <PetFace species={pet.species_id} size={48} />
      <span className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
        <span className="line-clamp-2 font-semi">{pet_issue}</span>
        <span className="text-14 text-ink-soft">{[pet.name, vet_name].filter(Boolean).join(' · ')}</span>
        {(summary || outcome) && (
          <span className="line-clamp-2 text-14 text-ink-soft">{summary || outcome}</span>
        )}
        <span className="flex items-start gap-[6px] text-14 text-ink-soft tabular-nums">
          <Icon name={isVideo ? 'video' : 'message-circle'} size={16} className="mt-[2px]" />
          <span className="flex flex-wrap gap-x-3">
            <span>
              <span className="sr-only">{isVideo ? say('Video consult,') : say('Text consult,')} </span>
              {dayAndTime(start)}
            </span>
            <span className="xs:hidden">{said}</span>
          </span>
        </span>
      </span>
      <span className="flex items-center gap-3 text-ink-soft">
        <span className="max-xs:hidden">
          <Badge tone={tone}>{said}</Badge>
        </span>
        <Icon name="chevron-right" />
      </span>
    </Link>
  )
}
