import { useSite } from '../lib/site.ts'
import { say } from '../ui/say.ts'

interface Form {
  /** The coupon is still being looked up. */
  waits: boolean
  needsCard: boolean
  /** The card fields are being emptied, and are hidden for a moment. */
  resets: boolean
}

/** Why the button that charges is disabled, apart from the form's fields; undefined if it isn't. */
export function useWhyDisabled({ waits, needsCard, resets }: Form): string | undefined {
  const { takesCards } = useSite()
  if (waits) return say('Checking your coupon…')
  if (needsCard && !takesCards) return say('We’re not taking payments right now.')
  return resets ? say('The card field is reloading. This takes a few seconds.') : undefined
}
