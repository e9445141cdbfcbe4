import { PROMISED_MINUTES } from '#contract/consultations.ts'
import type { Place } from '#contract/content.ts'
import { useSite } from '../lib/site.ts'
import { useHere, usePrices } from '../shell/page-parts.tsx'

/** The values for the placeholders in answers, with this region's prices and hours. */
export function usePlaces(): Record<Place, string> {
  const { regulator, within, whenOpen } = useHere()
  const { consult, annual, monthly, giftCard, cover } = usePrices()
  const { shop } = useSite()
  return {
    regulator,
    within,
    consult,
    annual,
    monthly,
    cover,
    'when open': whenOpen,
    'promise minutes': String(PROMISED_MINUTES),
    'care plan and gift': shop
      ? `, a care plan for each pet, and a gift card of ${giftCard} for ${shop}.`
      : ' and a care plan for each pet.',
  }
}
