import { useSite } from '../lib/site.ts'
import { say } from '../ui/say.ts'

interface Form {
  /** The coupon is still being looked up. */
  waits: boolean
  needsCard: boolean
  /** The card fields are empty again, and hidden for a moment. */
  resets: boolean
}

/** Why nobody can press the button that charges them, whatever the form holds; undefined if they can. */
export function useNotYet({ waits, needsCard, resets }: Form): string | undefined {
  const { takesCards } = useSite()
  if (waits) return say('Checking your coupon…')
  if (needsCard && !takesCards) return say('We’re not taking payments right now.')
  return resets ? say('The card field is reloading. This takes a few seconds.') : undefined
}
