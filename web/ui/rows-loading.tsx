import { Failed } from './empty.tsx'
import { say } from './say.ts'
import { SkeletonRows } from './skeleton.tsx'

export interface LoadingProps {
  of: { isError: boolean; refetch: () => unknown }
  /** As in "Loading the audit log" and "We couldn't load the audit log". */
  what: string
  label?: string
}

/** Replaces a list that is still loading or didn't load. */
export const RowsLoading = ({
  of,
  what,
  label = say('Loading {what}', { what }),
  rows = 3,
}: LoadingProps & { rows?: number }) =>
  of.isError ? (
    <Failed what={what} onRetry={() => void of.refetch()} />
  ) : (
    <SkeletonRows label={label} rows={rows} />
  )
