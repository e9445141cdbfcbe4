import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { ViewSkeleton } from '../ui/view-frame.tsx'
import { wentWrong } from './queries.ts'

/** Replaces what is still loading, or says what went wrong, such as a server that hasn't answered for 30 seconds. */
export const PortalLoading = ({
  what,
  of: { isError, error, refetch },
}: {
  what: string
  of: Pick<UseQueryResult, 'isError' | 'error' | 'refetch'>
}) =>
  isError ? (
    <Note tone="bad" role="alert" title={`We couldn’t load ${what}`}>
      <p>{wentWrong(error)}</p>
      <Button size={44} className="mt-3" onClick={() => void refetch()}>
        Try again
      </Button>
    </Note>
  ) : (
    <ViewSkeleton label={`Loading ${what}`} />
  )
