import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'

// Roles are repeated because some browsers drop them from rows that are laid out as cards.

/** A table that becomes cards below 760 px. `head` holds its Head and SortHead cells, children are its Rows. */
export function Table({
  caption,
  head,
  children,
}: {
  caption: string
  head: ReactNode
  children: ReactNode
}) {
  return (
    <table role="table" className="w-full border-collapse max-md:block">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="max-md:sr-only">
        <tr role="row">{head}</tr>
      </thead>
      <tbody role="rowgroup" className="divide-y divide-line max-md:block">
        {children}
      </tbody>
    </table>
  )
}

const headLook =
  'border-b border-line bg-paper-sunk px-4 py-3 text-left text-14 leading-body font-semi whitespace-nowrap text-ink-soft first:pl-6 last:pr-6'

export function Head({ children }: { children: ReactNode }) {
  return (
    <th role="columnheader" scope="col" className={headLook}>
      {children}
    </th>
  )
}

/** A heading that sorts. It's a link, so that the order is in the address. */
export function SortHead({
  href,
  sorted,
  children,
}: {
  href: string
  sorted?: 'ascending' | 'descending'
  children: ReactNode
}) {
  const icon = sorted === 'ascending' ? 'arrow-up' : sorted === 'descending' ? 'arrow-down' : 'arrow-up-down'
  return (
    <th role="columnheader" scope="col" aria-sort={sorted} className={headLook}>
      <Link
        href={href}
        className="-mx-2 -my-3 inline-flex min-h-11 items-center gap-1 px-2 text-inherit no-underline hover:text-ink"
      >
        {children}
        <Icon name={icon} size={16} />
      </Link>
    </th>
  )
}

export function Row({ children }: { children: ReactNode }) {
  return (
    <tr
      role="row"
      className="hover:bg-paper-sunk max-md:flex max-md:flex-wrap max-md:items-start max-md:gap-y-1 max-md:px-5 max-md:py-4"
    >
      {children}
    </tr>
  )
}

/** Where a cell is on a phone: first line left or right, a line of its own, the muted line, the action. */
const places = {
  main: 'max-md:-order-3 max-md:flex-[1_1_50%]',
  side: 'max-md:-order-2',
  wide: 'max-md:-order-1 max-md:mt-1 max-md:flex-[1_0_100%]',
  quiet: 'max-md:text-14 max-md:text-ink-soft max-md:after:whitespace-pre max-md:after:content-["_·_"]',
  'quiet-last': 'max-md:text-14 max-md:text-ink-soft',
  act: 'max-md:mt-3 max-md:flex-[1_0_100%] max-md:*:w-full',
}

export function Cell({
  place,
  className = '',
  children,
}: {
  place: keyof typeof places
  className?: string
  children: ReactNode
}) {
  return (
    <td
      role="cell"
      className={`leading-[1.4] max-md:block md:h-[72px] md:px-4 md:py-3 md:first:pl-6 md:last:pr-6 md:last:text-right ${places[place]} ${className}`}
    >
      {children}
    </td>
  )
}
