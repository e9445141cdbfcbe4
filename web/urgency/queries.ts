import { type EmergencyCheck, emergencyCheck } from '#contract/urgency.ts'
import { query } from '../lib/queries.ts'
import { say } from '../ui/say.ts'

/** An animal's signs don't change while a page is open. */
export const checkFor = (species: number) => ({
  ...query(emergencyCheck, { species_id: species }),
  staleTime: Infinity,
})

/** The label for skipping the signs. People who couldn't read them shouldn't say that they see none. */
export const pastSigns = (check: EmergencyCheck | undefined, failed: boolean) =>
  failed && !check ? say('Continue without the signs') : say('None of these')
