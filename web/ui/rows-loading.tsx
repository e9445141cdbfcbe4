import type { ReactNode } from 'react'
import { Failed } from './empty.tsx'
import { say } from './say.ts'
import { SkeletonRows } from './skeleton.tsx'

/** Something that loads, and can be loaded again if it fails: a query or a script. */
export interface Loadable {
  isError: boolean
  refetch: () => unknown
}

/** Several that are needed together. Those that failed are loaded again. */
export const allOf = (...needed: Loadable[]): Loadable => ({
  isError: needed.some(({ isError }) => isError),
  refetch: () => needed.forEach((one) => one.isError && void one.refetch()),
})

export interface LoadingProps {
  of: Loadable
  /** As in "Loading the audit log" and "We couldn't load the audit log". */
  what: string
}

/** Replaces a list that is still loading or didn't load. */
export const RowsLoading = ({ of, what, rows, waits }: LoadingProps & { rows?: number; waits?: ReactNode }) =>
  of.isError ? (
    <Failed what={what} onRetry={() => void of.refetch()} />
  ) : (
    (waits ?? <SkeletonRows label={say('Loading {what}', { what })} rows={rows} />)
  )
