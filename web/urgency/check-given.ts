import type { Call, Input } from '#contract/call.ts'
import { listOpenClinics } from '#contract/content.ts'
import type { PageRequest } from '#contract/page.ts'
import { emergencyCheck } from '#contract/urgency.ts'
import { checkPlaceOf } from './check-place.ts'

/** What the first paint shows: the signs of the animal in the address, and where to go with one. If we can't find out, the browser asks again. */
export async function checkGiven({ request }: { request: Request }, page: PageRequest) {
  const { step, species, area } = checkPlaceOf(new URL(request.url).searchParams)
  const ask = <C extends Call>(definition: C, input: Input<C>) =>
    page.ask(definition, input).catch((error: unknown) => {
      page.report(error)
      return null
    })
  const [check, clinics] = await Promise.all([
    species === undefined || step === 'done' ? null : ask(emergencyCheck, { species_id: species }),
    step === 'found' ? ask(listOpenClinics, { area: area ?? '' }) : null,
  ])
  return { check, clinics }
}
