import type { PageRequest } from '#contract/page.ts'
import { emergencyCheck } from '#contract/urgency.ts'
import { checkPlaceOf } from './check-place.ts'

/** The signs that the first paint shows, for the animal in the address. If we can't find out, the browser asks again. */
export async function checkGiven({ request }: { request: Request }, page: PageRequest) {
  const { step, species } = checkPlaceOf(new URL(request.url).searchParams)
  if (species === undefined || step === 'done') return null
  return page.ask(emergencyCheck, { species_id: species }).catch((error: unknown) => {
    page.report(error)
    return null
  })
}
