import { INCIDENTS } from '#contract/claims.ts'
import { sentenceOf } from '#contract/errors.ts'
import { isDay, LARGEST_INTEGER } from '#contract/fields.ts'
import type { Pet } from '#contract/pets.ts'
import { minorOf, type Region, REGIONS } from '#contract/regions.ts'
import { HOUR } from '#contract/time.ts'
import { dayAndTime, isoDay } from '../lib/dates.ts'
import { now } from '../lib/session.ts'
import type { Rules } from '../ui/form-state.ts'
import { say } from '../ui/say.ts'

/** The fields as typed, under the server's names. */
export interface ClaimTyped {
  pet_id: string
  incident: string
  happened_on: string
  amount: string
  invoice: File | null
}

/** Cents of an amount as people type it: 1234,50 or R1 234.50 or 1,234. Undefined if it isn't an amount. */
export function amountTyped(typed: string): number | undefined {
  const amount = minorOf(typed)
  return amount !== undefined && amount > 0 && amount <= LARGEST_INTEGER ? amount : undefined
}

/** What has to be filled in before sending. The server checks again, by the date in the owner's region. */
export const claimRules: Rules<ClaimTyped> = ({ pet_id, incident, happened_on, amount, invoice }) => ({
  pet_id: !pet_id && say('Choose your pet.'),
  incident: !(incident in INCIDENTS) && say('Choose what happened.'),
  happened_on: (!isDay(happened_on) || happened_on > isoDay(now())) && sentenceOf('CLAIM_DATE_WRONG'),
  amount: amountTyped(amount) === undefined && sentenceOf('CLAIM_AMOUNT_WRONG'),
  invoice: !invoice && say('Add the invoice.'),
})

/** When a pet's cover ended, if earlier incidents can still be claimed. */
export function coveredUntil({ cover, pawcare_pets }: Pet, region: Region): string | undefined {
  if (cover.state === 'covered') return undefined
  const wait = REGIONS[region].pawcare.waitHours * HOUR
  return pawcare_pets
    .flatMap(({ opt_in, opt_out }) =>
      opt_out && Date.parse(opt_out) - Date.parse(opt_in) > wait ? [opt_out] : [],
    )
    .toSorted()
    .at(-1)
}

/** Why no claim can be made for a pet now. Undefined if one can. */
export function whyNot(pet: Pet, incidents: number, region: Region): string | undefined {
  const { name, cover } = pet
  const { pawcare } = REGIONS[region]
  if (incidents >= pawcare.incidents)
    return say(
      '{name} has had {incidents} claims in this membership year, which is the most PawCare pays for.',
      { name, incidents },
    )
  if (cover.state === 'covered' || coveredUntil(pet, region)) return undefined
  if (cover.state === 'opted_out') return say('{name} was opted out of PawCare.', { name })
  if (cover.state === 'waiting')
    return cover.from
      ? say('PawCare begins {hours} hours after {name} was registered: {day}.', {
          hours: pawcare.waitHours,
          name,
          day: dayAndTime(cover.from),
        })
      : say('PawCare begins {hours} hours after {name} was registered.', { hours: pawcare.waitHours, name })
  if (cover.why === 'species') return say('PawCare is for cats and dogs.')
  if (cover.why === 'age') return say('PawCare begins when {name} is 8 weeks old.', { name })
  return say('{name} isn’t on an active membership.', { name })
}
