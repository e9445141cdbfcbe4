import type { ReactNode, Ref } from 'react'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import { type LoadingProps, RowsLoading } from './rows-loading.tsx'
import { say } from './say.ts'
import { Skeleton } from './skeleton.tsx'

/** Leads to the view that this one belongs to. */
export const BackLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link
    href={href}
    className="inline-flex min-h-9 items-center gap-1 justify-self-start text-14 font-medium no-underline hover:underline pointer-coarse:min-h-11"
  >
    <Icon name="chevron-left" size={16} />
    {children}
  </Link>
)

export const ViewHead = ({
  title,
  heading,
  action,
}: {
  title: string
  heading?: Ref<HTMLHeadingElement>
  action?: ReactNode
}) => (
  <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-3">
    <h1 ref={heading} tabIndex={-1} className="t28">
      {title}
    </h1>
    {action}
  </div>
)

/** Shows the previous result, paler, until the new one has loaded. */
export const Stale = ({ when, children }: { when: boolean; children: ReactNode }) => (
  <div className={`stack gap-5 ${when ? 'opacity-60' : ''}`} aria-busy={when}>
    {children}
  </div>
)

/** Replaces a view's rows that are still loading or didn't load. */
export const ViewLoading = ({ of, what }: LoadingProps) => (
  <RowsLoading of={of} what={what} waits={<ViewSkeleton label={say('Loading {what}', { what })} />} />
)

const ROWS = [1, 2, 3, 4, 5]

export const ViewSkeleton = ({ label }: { label: string }) => (
  <div
    aria-busy="true"
    className="cards:stack cards:gap-3 table:divide-y table:divide-line table:rounded-card table:border table:border-line table:bg-card"
  >
    <p role="status" className="sr-only">
      {label}
    </p>
    {ROWS.map((row) => (
      <div
        key={row}
        className="flex min-h-[61px] items-center gap-5 px-5 py-2 cards:min-h-38 cards:items-start cards:rounded-card cards:border cards:border-line cards:bg-card cards:p-4"
      >
        <div className="stack flex-1 gap-2">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-3 w-24" />
        </div>
        <Skeleton className="h-4 w-48 cards:hidden" />
        <Skeleton className="h-4 w-24 cards:hidden" />
      </div>
    ))}
  </div>
)
