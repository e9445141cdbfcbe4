import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { wentWrong } from './queries.ts'

/** Says what went wrong, such as a server that hasn't answered for 30 seconds. */
export const NotLoaded = ({
  what,
  query,
}: {
  what: string
  query: Pick<UseQueryResult, 'error' | 'refetch'>
}) => (
  <Note tone="bad" role="alert" title={`We couldn’t load ${what}`}>
    <p>{wentWrong(query.error)}</p>
    <Button size={44} className="mt-3" onClick={() => void query.refetch()}>
      Try again
    </Button>
  </Note>
)
