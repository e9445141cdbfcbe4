import { INCIDENTS } from '#contract/claims.ts'
import { words } from '#contract/errors.ts'
import type { Pet } from '#contract/pets.ts'
import { CURRENCIES, type Region, REGIONS } from '#contract/regions.ts'
import { dayAndTime } from '../lib/dates.ts'
import type { Schema } from '../ui/form.tsx'
import { say } from '../ui/say.ts'

/** The fields as typed, under the server's names. */
export interface ClaimTyped {
  pet_id: string
  incident: string
  happened_on: string
  amount: string
  invoice: File | null
}

const MOST = 2_147_483_647

const PREFIXES: string[] = Object.values(CURRENCIES).flatMap(({ typed }) => typed)

/** Cents of an amount as people type it: 1234,50 or R1 234.50 or 1,234. Undefined if it isn't an amount. */
export function amountTyped(typed: string): number | undefined {
  const said = typed.replace(/\s/g, '')
  const prefix = PREFIXES.find((one) => said.toUpperCase().startsWith(one)) ?? ''
  const plain = said.slice(prefix.length)
  const parts = /^([1-9]\d{0,2}(?:[.,]\d{3})+|\d+)(?:[.,](\d{1,2}))?$/.exec(plain)
  if (!parts) return undefined
  const cents = Number(parts[1]!.replace(/[.,]/g, '')) * 100 + Number((parts[2] ?? '').padEnd(2, '0'))
  return cents > 0 && cents <= MOST ? cents : undefined
}

const two = (n: number) => String(n).padStart(2, '0')
const dateOf = (at: Date) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

/** What has to be filled in before sending. The server checks again. */
export const claimRules = (now = () => new Date()): Schema<ClaimTyped> => ({
  '~standard': {
    validate(value) {
      const typed = value as ClaimTyped
      const wrong: { path: keyof ClaimTyped; message: string }[] = []
      const lacks = (path: keyof ClaimTyped, message: string) => wrong.push({ path, message })
      if (!typed.pet_id) lacks('pet_id', say('Choose your pet.'))
      if (!(typed.incident in INCIDENTS)) lacks('incident', say('Choose what happened.'))
      if (!/^\d{4}-\d\d-\d\d$/.test(typed.happened_on) || typed.happened_on > dateOf(now()))
        wrong.push({ path: 'happened_on', message: words('CLAIM_DATE_WRONG') })
      if (amountTyped(typed.amount) === undefined)
        wrong.push({ path: 'amount', message: words('CLAIM_AMOUNT_WRONG') })
      if (!typed.invoice) lacks('invoice', say('Add the invoice.'))
      return wrong.length > 0
        ? { issues: wrong.map(({ path, message }) => ({ path: [path], message })) }
        : { value: typed }
    },
  },
})

/** When a pet's cover ended, if earlier incidents can still be claimed. */
export function coveredUntil({ cover, pawcare_pets }: Pet, region: Region): string | undefined {
  if (cover.state === 'covered') return undefined
  const wait = REGIONS[region].pawcare.waitHours * 3_600_000
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
