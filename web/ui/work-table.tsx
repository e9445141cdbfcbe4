import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { listen } from './listen.ts'
import { Button } from './button.tsx'
import { useFocusAfter } from './focus-after.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import type { Loadable } from './rows-loading.tsx'
import { Stale, ViewLoading } from './view-frame.tsx'

// Roles are repeated because some browsers drop them from rows that are displayed as cards.

export interface Column {
  says: string
  className?: string
  /** For screen readers only. */
  unseen?: true
  /** A link that sorts the table by this column, so that the order is in the address. Cards keep their order. */
  href?: string
  sorted?: 'ascending' | 'descending' | undefined
}

/** A dense table for staff pages. Below 64rem its rows become cards, with their cells ordered by cards:order-*. */
export const WorkTable = ({
  caption,
  columns,
  children,
}: {
  caption: string
  columns: Column[]
  children: ReactNode
}) => (
  <div className="table:overflow-clip table:rounded-card table:border table:border-line table:bg-card">
    <table role="table" className="w-full table-fixed border-collapse cards:block">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="cards:sr-only">
        <tr role="row">
          {columns.map((column) => (
            <Head key={column.says} {...column} />
          ))}
        </tr>
      </thead>
      <tbody
        role="rowgroup"
        className="cards:grid cards:grid-cols-[minmax(0,1fr)] cards:gap-3 table:divide-y table:divide-line"
      >
        {children}
      </tbody>
    </table>
  </div>
)

const Head = ({ says, className = '', unseen, href, sorted }: Column) => (
  <th
    role="columnheader"
    scope="col"
    aria-sort={sorted}
    className={`border-b border-line bg-paper-sunk px-4 py-3 text-left text-14 font-semi whitespace-nowrap text-ink-soft first:pl-5 last:pr-5 ${className}`}
  >
    {href === undefined ? (
      <span className={unseen && 'sr-only'}>{says}</span>
    ) : (
      <>
        <span className="table:hidden">{says}</span>
        <Link
          href={href}
          className="-mx-2 -my-1 inline-flex min-h-9 items-center gap-1 px-2 text-inherit no-underline hover:text-ink cards:hidden pointer-coarse:min-h-11"
        >
          {says}
          <Icon
            name={sorted === 'ascending' ? 'arrow-up' : sorted ? 'arrow-down' : 'arrow-up-down'}
            size={16}
            className={sorted ? '' : 'opacity-50'}
          />
        </Link>
      </>
    )}
  </th>
)

/** `hot` marks a row that comes first. On a phone with large text, its cells are below each other. */
export const WorkRow = ({ hot, children }: { hot?: boolean; children: ReactNode }) => (
  <tr
    role="row"
    data-hot={hot || undefined}
    className="hover:bg-paper-sunk cards:grid cards:grid-cols-[auto_minmax(0,1fr)_auto] cards:gap-x-4 cards:gap-y-2 cards:rounded-card cards:border cards:border-line cards:bg-card cards:p-4 max-[17rem]:grid-cols-1! max-[17rem]:*:col-span-full! max-[17rem]:*:text-left! cards:data-hot:shadow-[inset_4px_0_0_var(--color-coral)] table:data-hot:shadow-[inset_3px_0_0_var(--color-coral)]"
  >
    {children}
  </tr>
)

export const WorkCell = ({ className = '', children }: ComponentProps<'td'>) => (
  <td
    role="cell"
    className={`[overflow-wrap:anywhere] table:px-4 table:py-2 table:first:pl-5 table:last:pr-5 ${className}`}
  >
    {children}
  </td>
)

/** What a cell or a row says, with smaller words below. */
export const TwoLines = ({ first, then, bold }: { first: ReactNode; then: ReactNode; bold?: true }) => (
  <span className="grid min-w-0 leading-snug [overflow-wrap:anywhere]">
    <span className={bold && 'font-semi'}>{first}</span>
    {then && <span className="text-14 text-ink-soft tabular-nums">{then}</span>}
  </span>
)

interface List<Page = unknown> {
  data: { pages: Page[] } | undefined
  isPlaceholderData: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/** What the browser keeps with the address: how many pages of a list were loaded, and how far down somebody was. */
const kept = () => (history.state ?? {}) as { pages?: number; down?: number }
const keep = (change: ReturnType<typeof kept>) => history.replaceState({ ...history.state, ...change }, '')

/** Back from another document shows as much of a list as there was, at the same place. */
function useListAsItWas(list: List) {
  const loaded = list.isPlaceholderData ? 0 : (list.data?.pages.length ?? 0)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  useEffect(() => {
    const { pages = 1, down = 0 } = kept()
    if (loaded === 0 || isFetchingNextPage) return
    if (loaded < pages && hasNextPage && !isFetchNextPageError) return void fetchNextPage()
    if (down === 0) return
    keep({ down: 0 })
    // The browser went as far as the rows before these reached.
    if (scrollY < down) scrollTo(0, down)
  }, [loaded, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  useEffect(() => listen(window, 'pagehide', () => keep({ down: scrollY })), [])
}

/** The bottom of a staff list that loads page by page. Loaded rows stay when the next page fails. */
export function ShowMore({ list }: { list: List }) {
  useListAsItWas(list)
  const end = useRef<HTMLParagraphElement>(null)
  const [isUsed, use] = useState(false)
  useFocusAfter(list.hasNextPage, () => end.current)
  if (list.isPlaceholderData || (!list.hasNextPage && !isUsed)) return null
  if (!list.hasNextPage)
    return (
      <p ref={end} tabIndex={-1} className="text-center text-14 text-ink-soft outline-none">
        That’s everything.
      </p>
    )
  return (
    <div className="grid justify-items-center gap-2">
      <Button
        busy={list.isFetchingNextPage}
        busyLabel="Loading…"
        onClick={() => {
          use(true)
          keep({ pages: (list.data?.pages.length ?? 0) + 1 })
          void list.fetchNextPage()
        }}
      >
        {list.isFetchNextPageError ? 'Try again' : 'Show more'}
      </Button>
      <p role="status" className="text-14 text-ink-soft">
        {list.isFetchNextPageError && 'We couldn’t load more.'}
      </p>
    </div>
  )
}

/** A row that moved down the list between two requests is on both pages. The first one is newer. */
export const onceEach = <Row extends { id: number }>(rows: Row[]) =>
  rows.filter(({ id }, at) => rows.findIndex((one) => one.id === id) === at)

/** A staff list that loads page by page: still loading, failed, empty, or its rows with a way to load more. */
export function WorkList<Page, Row extends { id: number }>({
  list,
  rowsOf,
  what,
  empty,
  caption,
  columns,
  children,
}: {
  list: List<Page> & Loadable
  rowsOf: (page: Page) => Row[]
  what: string
  empty: ReactNode
  caption: string
  columns: Column[]
  children: (row: Row) => ReactNode
}) {
  if (!list.data) return <ViewLoading of={list} what={what} />
  const rows = onceEach(list.data.pages.flatMap(rowsOf))
  return (
    <>
      <Stale when={list.isPlaceholderData}>
        {rows.length === 0 ? (
          empty
        ) : (
          <WorkTable caption={caption} columns={columns}>
            {rows.map(children)}
          </WorkTable>
        )}
      </Stale>
      <ShowMore list={list} />
    </>
  )
}
