import { listOpenClinics } from '#contract/content.ts'
import type { PageRequest } from '#contract/page.ts'
import { emergencyCheck } from '#contract/urgency.ts'
import { askOr } from '../lib/page-request.ts'
import { checkPlaceOf } from './check-place.ts'

/** The signs and open clinics for the first paint, by the address. If we can't load them, the browser tries again. */
export async function checkGiven({ request }: { request: Request }, page: PageRequest) {
  const { step, species, area } = checkPlaceOf(new URL(request.url).searchParams)
  const [check, clinics] = await Promise.all([
    species === undefined || step === 'done'
      ? null
      : askOr(page, emergencyCheck, { species_id: species }, null),
    step === 'found' ? askOr(page, listOpenClinics, { area: area ?? '' }, null) : null,
  ])
  return { check, clinics }
}
