import { useCallback } from 'react'
import { useSite } from '../lib/site.ts'
import type { Challenged } from './challenge-dialog.tsx'
import { loadStripe } from './stripe.ts'

/**
 * Shows the bank's question over the page. Without an answer it counts as failed, for example when the script doesn't
 * load.
 */
export function useChallenge(): (clientSecret: string) => Promise<Challenged> {
  const { cardKey } = useSite()
  return useCallback(
    (clientSecret) =>
      (cardKey === null ? askHere(clientSecret) : askThere(cardKey, clientSecret)).catch(
        () => 'failed' as const,
      ),
    [cardKey],
  )
}

async function askThere(key: string, clientSecret: string): Promise<Challenged> {
  const stripe = await loadStripe(key)
  const { error } = await stripe.handleNextAction({ clientSecret })
  return error ? 'failed' : 'passed'
}

async function askHere(clientSecret: string): Promise<Challenged> {
  const { askChallenge } = await import('./challenge-dialog.tsx')
  return askChallenge(clientSecret)
}
