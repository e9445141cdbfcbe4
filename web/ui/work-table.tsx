import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button.tsx'
import { Failed } from './empty.tsx'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import { ViewSkeleton } from './view-frame.tsx'

// Roles are repeated because some browsers drop them from rows that are laid out as cards.

/** A dense table of staff pages that becomes cards below 900 px; their cells are ordered by max-[56.24rem]:order-*. */
export function WorkTable({
  caption,
  head,
  children,
}: {
  caption: string
  head: ReactNode
  children: ReactNode
}) {
  return (
    <div className="min-[56.25rem]:overflow-clip min-[56.25rem]:rounded-card min-[56.25rem]:border min-[56.25rem]:border-line min-[56.25rem]:bg-card">
      <table role="table" className="w-full table-fixed border-collapse max-[56.24rem]:block">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="max-[56.24rem]:sr-only">
          <tr role="row">{head}</tr>
        </thead>
        <tbody
          role="rowgroup"
          className="max-[56.24rem]:grid max-[56.24rem]:grid-cols-[minmax(0,1fr)] max-[56.24rem]:gap-3 min-[56.25rem]:divide-y min-[56.25rem]:divide-line"
        >
          {children}
        </tbody>
      </table>
    </div>
  )
}

export const WorkHead = ({
  className = '',
  sorted,
  children,
}: {
  className?: string | undefined
  sorted?: 'ascending' | 'descending' | undefined
  children: ReactNode
}) => (
  <th
    role="columnheader"
    scope="col"
    aria-sort={sorted}
    className={`border-b border-line bg-paper-sunk px-4 py-3 text-left text-14 font-semi whitespace-nowrap text-ink-soft first:pl-5 last:pr-5 ${className}`}
  >
    {children}
  </th>
)

/** A heading that sorts its table by a link, so that the order is in the address. Cards keep their order. */
export const WorkSortHead = ({
  href,
  className,
  sorted,
  children,
}: {
  href: string
  className?: string | undefined
  sorted: 'ascending' | 'descending' | undefined
  children: string
}) => (
  <WorkHead className={className} sorted={sorted}>
    <span className="min-[56.25rem]:hidden">{children}</span>
    <Link
      href={href}
      className="-mx-2 -my-1 inline-flex min-h-9 items-center gap-1 px-2 text-inherit no-underline hover:text-ink max-[56.24rem]:hidden pointer-coarse:min-h-11"
    >
      {children}
      <Icon
        name={sorted === 'ascending' ? 'arrow-up' : sorted ? 'arrow-down' : 'arrow-up-down'}
        size={16}
        className={sorted ? '' : 'opacity-50'}
      />
    </Link>
  </WorkHead>
)

/** `hot`: this row comes first. On a phone with large text its cells stand one below the other. */
export const WorkRow = ({ hot, children }: { hot: boolean; children: ReactNode }) => (
  <tr
    role="row"
    data-hot={hot || undefined}
    className="hover:bg-paper-sunk max-[56.24rem]:grid max-[56.24rem]:grid-cols-[auto_minmax(0,1fr)_auto] max-[56.24rem]:gap-x-4 max-[56.24rem]:gap-y-2 max-[56.24rem]:rounded-card max-[56.24rem]:border max-[56.24rem]:border-line max-[56.24rem]:bg-card max-[56.24rem]:p-4 max-[17rem]:grid-cols-1! max-[17rem]:*:col-span-full! max-[17rem]:*:text-left! max-[56.24rem]:data-hot:shadow-[inset_4px_0_0_var(--coral)] min-[56.25rem]:data-hot:shadow-[inset_3px_0_0_var(--coral)]"
  >
    {children}
  </tr>
)

export const WorkCell = ({ className = '', children }: ComponentProps<'td'>) => (
  <td
    role="cell"
    className={`min-[56.25rem]:px-4 min-[56.25rem]:py-2 min-[56.25rem]:first:pl-5 min-[56.25rem]:last:pr-5 ${className}`}
  >
    {children}
  </td>
)

interface List {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/** The foot of a staff list that loads page by page. Loaded rows stay when the next page fails. */
export function ShowMore({ list }: { list: List }) {
  if (!list.hasNextPage) return null
  return (
    <div className="grid justify-items-center gap-2">
      <Button busy={list.isFetchingNextPage} busyLabel="Loading…" onClick={() => void list.fetchNextPage()}>
        {list.isFetchNextPageError ? 'Try again' : 'Show more'}
      </Button>
      <p role="status" className="text-14 text-ink-soft">
        {list.isFetchNextPageError && 'We couldn’t load more.'}
      </p>
    </div>
  )
}

/** A staff list that loads page by page: still loading, failed, empty, or its rows and a way to more. */
export function WorkList<Row>({
  list,
  rows,
  what,
  empty,
  children,
}: {
  list: List & { isError: boolean; refetch: () => unknown }
  rows: Row[] | undefined
  /** As in "Loading the audit log". */
  what: string
  empty: ReactNode
  children: (rows: Row[]) => ReactNode
}) {
  if (!rows)
    return list.isError ? (
      <Failed what={what} onRetry={() => void list.refetch()} />
    ) : (
      <ViewSkeleton label={`Loading ${what}`} />
    )
  return (
    <>
      {rows.length === 0 ? empty : children(rows)}
      <ShowMore list={list} />
    </>
  )
}
