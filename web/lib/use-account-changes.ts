import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Keeps a page true while it stands. The socket and what it hears of come when the page has settled. */
export function useAccountChanges() {
  const client = useQueryClient()
  useEffect(() => {
    let stop: (() => void) | undefined
    let left = false
    void import('./account-changes.ts').then(({ followAccount }) => {
      if (!left) stop = followAccount(client)
    })
    return () => {
      left = true
      stop?.()
    }
  }, [client])
}
