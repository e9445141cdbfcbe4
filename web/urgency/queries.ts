import { type EmergencyCheck, emergencyCheck } from '#contract/urgency.ts'
import { query } from '../lib/queries.ts'
import { say } from '../ui/say.ts'

/** The signs of an animal stay the same for as long as a page is open. */
export const checkFor = (species: number) => ({
  ...query(emergencyCheck, { species_id: species }),
  staleTime: Infinity,
})

/** What leads past the signs. Nobody who couldn't read them says that they see none. */
export const pastSigns = (check: EmergencyCheck | undefined, failed: boolean) =>
  failed && !check ? say('Continue without the signs') : say('None of these')
