import { emergencyCheck } from '#contract/urgency.ts'
import { query } from '../lib/queries.ts'

/** The signs of an animal stay the same for as long as a page is open. */
export const checkFor = (species: number) => ({
  ...query(emergencyCheck, { species_id: species }),
  staleTime: Infinity,
})
