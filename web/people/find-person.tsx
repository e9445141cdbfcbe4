import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import * as lengths from '#contract/lengths.ts'
import type { Found } from '#contract/people.ts'
import { hashOf, useHashFilters } from '../lib/hash-filters.ts'
import { VetAvatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { Key } from '../ui/key.tsx'
import { Link } from '../ui/link.tsx'
import { Stale, ViewHead, ViewLoading } from '../ui/view-frame.tsx'
import { TwoLines, WorkCell, WorkRow, WorkTable } from '../ui/work-table.tsx'
import { ago, FOUND_BY, KINDS, nameOf, standingSaid } from './person-words.ts'
import { peopleFor } from './queries.ts'
import { telOf } from '../lib/tel.ts'
import { useLeaving } from '../lib/leaving.ts'
import { useTypedSearch } from '../lib/typed-search.ts'
import { useSearchKeys } from '../queue/console-keys.tsx'

const HELP = 'find-person-help'

/** One box for everything that people remember about themselves. The search is in the address, behind the #. */
export function FindPerson() {
  const { asked, ask } = useHashFilters()
  const navigate = useNavigate()
  const q = asked.get('q') ?? ''
  const kind = KINDS.find((one) => one.kind === asked.get('kind'))
  const list = useQuery(peopleFor(q))
  const all = useQuery(peopleFor(''))
  // Enter opens the only person. During typing, VC-2 may be the beginning of VC-25, and opening a person leaves a trace.
  const [entered, enter] = useState<string>()
  const { only } = list.data ?? {}
  useEffect(() => {
    if (!only || list.isPlaceholderData || entered !== q) return
    void navigate({ pathname: `/admin/members/${only}`, hash: hashOf({ q }) })
  }, [only, q, entered, list.isPlaceholderData, navigate])

  const people = list.data?.people
  const shown = people?.filter(({ standing }) => !kind || kind.of.includes(standing.is))
  const total = all.data?.total
  return (
    <>
      <ViewHead
        title="Find a person"
        action={
          total != null && (
            <p className="text-14 text-ink-soft tabular-nums">
              {total.toLocaleString('en').replaceAll(',', ' ')} {total === 1 ? 'person' : 'people'}
            </p>
          )
        }
      />
      <Search q={q} onSearch={(words) => ask({ q: words }, { replace: true })} onEnter={enter} />
      {q === '' ? (
        <Trace />
      ) : !people || !shown ? (
        <ViewLoading of={list} what="people" />
      ) : (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <Filters q={q} people={people} current={kind?.kind} />
            <p role="status" className="text-14 text-ink-soft">
              {counted(shown.length, list.data!.more)}
            </p>
          </div>
          {list.isError && <p className="text-14 text-red">We couldn’t load the results.</p>}
          {shown.length > 0 ? (
            <Stale when={list.isPlaceholderData}>
              <Rows q={q} people={shown} />
            </Stale>
          ) : (
            <Empty
              scene="not-found"
              title={people.length > 0 ? 'Nobody of this type' : `Nobody found for “${q}”`}
            >
              {people.length > 0
                ? 'Choose All to see everyone we found.'
                : 'Try part of a name, the email on the receipt, or the last digits of a number.'}
            </Empty>
          )}
          <Trace />
        </>
      )}
    </>
  )
}

function counted(n: number, more: boolean) {
  if (more) return `The first ${n} people. Keep typing to narrow it down`
  return n === 1 ? '1 person' : `${n} people. Best match first`
}

const Trace = () => (
  <p className="flex items-center gap-2 text-14 text-ink-soft">
    <Icon name="eye" size={20} className="flex-none text-green" />
    When you open someone’s page, it’s recorded, and they can see that.
  </p>
)

/** Searches during typing. The slash key focuses it from anywhere on the page. */
function Search({
  q,
  onSearch,
  onEnter,
}: {
  q: string
  onSearch: (words: string) => void
  onEnter: (words: string) => void
}) {
  const { words, type, send } = useTypedSearch(q, onSearch, useLeaving())
  const box = useRef<HTMLInputElement>(null)
  useSearchKeys(box)
  return (
    <form
      role="search"
      className="stack max-w-[720px] gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        send()
        onEnter(words.trim())
      }}
    >
      <label className="relative block">
        <span className="sr-only">Name, email, number, pet or receipt</span>
        <Icon name="search" className="pointer-events-none absolute inset-y-0 left-4 my-auto text-ink-soft" />
        <input
          ref={box}
          type="search"
          autoComplete="off"
          spellCheck={false}
          placeholder="Name, email, number, pet or receipt"
          aria-describedby={HELP}
          aria-keyshortcuts="/"
          maxLength={lengths.email}
          value={words}
          onChange={({ target }) => type(target.value)}
          className="control min-h-14! pr-12! pl-12! text-18!"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-[17px] right-4 pointer-coarse:hidden"
        >
          <Key>/</Key>
        </span>
      </label>
      <p id={HELP} className="text-14 text-ink-soft">
        One box for a name, an email, any part of a number, a pet, a policy, or a receipt such as VC-8812.
        Press Enter to open the person with exactly this email or receipt.
      </p>
    </form>
  )
}

function Filters({ q, people, current }: { q: string; people: Found[]; current: string | undefined }) {
  const kinds = [{ kind: undefined, said: 'All', of: undefined }, ...KINDS]
  return (
    <nav aria-label="Kind" className="segments">
      {kinds.map(({ kind, said, of }) => (
        <Link
          key={said}
          href={`/admin/members${hashOf({ q, kind })}`}
          aria-current={kind === current ? 'page' : undefined}
          className="segment"
        >
          {said}
          <span className="tabular-nums">
            {people.filter(({ standing }) => !of || of.includes(standing.is)).length}
          </span>
        </Link>
      ))}
    </nav>
  )
}

/** Hides the pets' names in a narrow table, so that the person's has room. A card shows them. */
const WHERE_WIDE = 'table:max-[84.99rem]:hidden'

const Rows = ({ q, people }: { q: string; people: Found[] }) => (
  <WorkTable
    caption={`People found for ${q}, best match first`}
    columns={[
      { says: 'Person' },
      { says: 'Found by', className: 'w-38' },
      { says: 'Number', className: 'w-36' },
      { says: 'Pets', className: `w-26 ${WHERE_WIDE}` },
      { says: 'State', className: 'w-44' },
      { says: 'Last here', className: 'w-26' },
      { says: 'Open', className: 'w-26', unseen: true },
    ]}
  >
    {people.map((one) => (
      <PersonRow key={one.id} q={q} one={one} />
    ))}
  </WorkTable>
)

function PersonRow({ q, one }: { q: string; one: Found }) {
  const { id, email, mobile, pets, standing, last_here, found } = one
  const name = nameOf(one)
  const { tone, said } = standingSaid(standing)
  return (
    <WorkRow>
      <WorkCell className="cards:order-1 cards:col-span-2">
        <span className="flex min-w-0 items-center gap-3">
          <VetAvatar name={name} size={32} />
          <TwoLines bold first={<Marked q={found.by === 'name' ? q : ''}>{name}</Marked>} then={email} />
        </span>
      </WorkCell>
      <WorkCell className="text-14 cards:order-3 cards:col-span-3">
        <span className="text-ink-soft">{FOUND_BY[found.by]}: </span>
        <Marked q={q}>{found.text}</Marked>
      </WorkCell>
      <WorkCell className="text-14 tabular-nums cards:order-4 cards:col-span-3">
        {mobile ? (
          <a href={telOf(mobile)} className="text-inherit no-underline hover:underline">
            {mobile}
          </a>
        ) : (
          <span className="text-ink-soft">None</span>
        )}
      </WorkCell>
      <WorkCell className={`text-14 cards:order-5 cards:col-span-3 cards:empty:hidden ${WHERE_WIDE}`}>
        {pets.join(', ')}
      </WorkCell>
      <WorkCell className="cards:order-6 cards:col-span-2">
        <Badge tone={tone}>{said}</Badge>
      </WorkCell>
      <WorkCell className="text-14 text-ink-soft tabular-nums cards:order-7 cards:self-center cards:text-right">
        {last_here ? <span className="block first-letter:uppercase">{ago(last_here)}</span> : 'Never'}
      </WorkCell>
      <WorkCell className="cards:order-2">
        <LinkButton size={36} href={`/admin/members/${id}${hashOf({ q })}`} aria-label={`Open ${name}`}>
          Open
        </LinkButton>
      </WorkCell>
    </WorkRow>
  )
}

function Marked({ q, children }: { q: string; children: string }): ReactNode {
  const at = q ? children.toLowerCase().indexOf(q.toLowerCase()) : -1
  if (at < 0) return children
  return (
    <>
      {children.slice(0, at)}
      <mark className="rounded-[3px] bg-green-soft px-px font-semi text-green-soft-ink">
        {children.slice(at, at + q.length)}
      </mark>
      {children.slice(at + q.length)}
    </>
  )
}
