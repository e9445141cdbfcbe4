import { useInfiniteQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { MOST_COUNTED, SORTS } from '#contract/consultations.ts'
import * as lengths from '#contract/lengths.ts'
import { time } from '../lib/dates.ts'
import { listen } from '../ui/listen.ts'
import { replaceAddress, usePageAddress } from '../lib/page-address.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { Key } from '../ui/key.tsx'
import { Link } from '../ui/link.tsx'
import { Stale, ViewLoading } from '../ui/view-frame.tsx'
import { ShowMore, onceEach } from '../ui/work-table.tsx'
import { Rows } from './dashboard-rows.tsx'
import { OnDuty } from './duty.tsx'
import { useNow } from '../consultations/case-words.ts'
import { everyConsultation, type Filter } from './queries.ts'
import { useTypedSearch } from '../lib/typed-search.ts'

const FILTERS: { filter: Filter; said: string; counted?: 'needs_help' | 'in_progress' | 'completed' }[] = [
  { filter: 'all', said: 'All' },
  { filter: 'available', said: 'Needs Help', counted: 'needs_help' },
  { filter: 'in_progress', said: 'In Progress', counted: 'in_progress' },
  { filter: 'completed', said: 'Completed', counted: 'completed' },
]

/** Every consultation. Filter, order and search are in the address, the search behind its #. */
export function StaffDashboard() {
  const { searchParams: chosen, hash } = usePageAddress()
  const filter = FILTERS.find((one) => one.filter === chosen.get('filter'))?.filter ?? 'all'
  const q = new URLSearchParams(hash.slice(1)).get('q')?.trim() ?? ''
  const sort = SORTS.find((one) => one === chosen.get('sort'))
  const list = useInfiniteQuery(everyConsultation(filter, q, sort))
  const now = useNow()
  const online = useSyncExternalStore(
    watchNetwork,
    () => navigator.onLine,
    () => true,
  )

  const counts = list.data?.pages[0]?.counts
  const all = list.data && onceEach(list.data.pages.flatMap(({ consultations }) => consultations))

  const addressOf = (filter: Filter, by: typeof sort, words = q) => {
    const next = new URLSearchParams({ ...(filter !== 'all' && { filter }), ...(by && { sort: by }) })
    return `/myaccount${next.size > 0 ? `?${next}` : ''}${words && `#${new URLSearchParams({ q: words })}`}`
  }

  return (
    <div className="stack gap-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <h1 className="text-28 [overflow-wrap:anywhere]">Consultations</h1>
        <div className="flex min-h-9 flex-1 flex-wrap items-center gap-x-4 max-sm:flex-none max-sm:basis-full pointer-coarse:min-h-11">
          <Standing
            at={list.dataUpdatedAt}
            trouble={online ? (list.isError && list.data ? 'failed' : undefined) : 'offline'}
          />
          <div className="ml-auto">
            <OnDuty />
          </div>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <nav aria-label="Filter" className="segments max-sm:w-full">
          {FILTERS.map(({ filter: one, said, counted }) => (
            <Link
              key={one}
              href={addressOf(one, sort)}
              aria-current={one === filter ? 'page' : undefined}
              className="segment grow max-xs:gap-1 max-xs:px-[6px]"
            >
              {said}
              {counted && (
                <span
                  className={`${counts ? '' : 'invisible'} ${counted === 'completed' ? 'max-sm:hidden' : ''}`}
                >
                  <Counted n={counts?.[counted] ?? 0} hot={counted === 'needs_help'} />
                </span>
              )}
            </Link>
          ))}
        </nav>
        <Search key={filter} q={q} onSearch={(words) => replaceAddress(addressOf(filter, sort, words))} />
      </div>
      <p role="status" className="sr-only">
        {counts && (counts.needs_help === 0 ? 'Nobody is waiting' : `${counts.needs_help} waiting for a vet`)}
      </p>
      {all ? (
        all.length > 0 ? (
          <Stale when={list.isPlaceholderData}>
            <Rows consultations={all} now={now} sort={sort} sortedAt={(by) => addressOf(filter, by)} />
          </Stale>
        ) : (
          <Nothing filter={filter} q={q} />
        )
      ) : (
        <ViewLoading of={list} what="the consultations" />
      )}
      <ShowMore list={list} />
    </div>
  )
}

const Counted = ({ n, hot }: { n: number; hot: boolean }) => (
  <span
    className={`grid min-h-5 min-w-5 place-items-center rounded-full px-[6px] py-[2px] text-14 leading-none font-semi tabular-nums ${hot && n > 0 ? 'bg-coral-fill text-on-coral' : 'text-ink-soft'}`}
  >
    {n >= MOST_COUNTED ? `${MOST_COUNTED}+` : n}
  </span>
)

/** Says how old the rows are, which stay if they can't be refreshed. */
function Standing({ at, trouble }: { at: number; trouble: 'failed' | 'offline' | undefined }) {
  const seen = at > 0 && time(new Date(at).toISOString())
  return (
    <p
      role="status"
      className={`flex items-center gap-2 text-14 tabular-nums ${trouble ? 'font-medium text-amber-soft-ink' : 'text-ink-soft'}`}
    >
      {trouble ? (
        <>
          <Icon name="wifi-off" size={16} />
          <span>
            {trouble === 'offline' ? 'You are offline.' : 'The list isn’t refreshing.'}
            {seen && ` This is how it was at ${seen}.`} It will update automatically.
          </span>
        </>
      ) : (
        at > 0 && (
          <>
            <span className="size-2 rounded-full bg-green" />
            Live
          </>
        )
      )}
    </p>
  )
}

function Nothing({ filter, q }: { filter: Filter; q: string }) {
  if (q)
    return (
      <Empty scene="not-found" title={`Nothing starts with “${q}”`}>
        Search by number, or by the start of a name, an email or a pet’s name.
      </Empty>
    )
  if (filter === 'available')
    return (
      <Empty scene="success" title="Nobody is waiting">
        Anyone who asks for a vet appears here automatically.
      </Empty>
    )
  if (filter === 'in_progress')
    return (
      <Empty scene="empty-no-consults" title="No consult is in progress">
        Take a waiting consult and it will appear here.
      </Empty>
    )
  return (
    <Empty scene="empty-no-consults" title={filter === 'all' ? 'No consultations yet' : 'None completed yet'}>
      The first one will appear here automatically.
    </Empty>
  )
}

/** Searches during typing. The text goes into the address. */
function Search({ q, onSearch }: { q: string; onSearch: (words: string) => void }) {
  const { words, type, send } = useTypedSearch(q, onSearch)
  return (
    <form
      role="search"
      className="relative ml-auto w-full sm:max-w-80"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Icon
        name="search"
        size={16}
        className="pointer-events-none absolute inset-y-0 left-3 my-auto text-ink-soft"
      />
      <input
        type="search"
        aria-label="Search by number, owner, pet or email"
        autoComplete="off"
        placeholder="Number, owner, pet or email"
        maxLength={lengths.search}
        value={words}
        onChange={({ target }) => type(target.value)}
        className="control min-h-9! py-1! pr-10! pl-9! text-14! pointer-coarse:min-h-11!"
      />
      <span className="pointer-events-none absolute inset-y-0 right-2 grid items-center pointer-coarse:hidden">
        <Key>/</Key>
      </span>
    </form>
  )
}

const watchNetwork = (look: () => void) => listen(window, 'online offline', look)
