import { type AdminsClaim, INCIDENTS, type Claim } from '#contract/claims.ts'
import { money, REGIONS, type Region } from '#contract/regions.ts'
import { dayInWords } from '../documents/date-words.ts'
import { greeting, type Letter } from '../mail/mail-template.ts'
import { petForMail } from '../mail/name-for-mail.ts'

interface Claimant {
  firstName: string
  lastName: string
  email: string
  mobile: string
}
interface ClaimedPet {
  name: string
  dob: string | null
  microchip: string
  species: string
}

/** Goes to the insurer, who needs everything as it was typed. */
export const insurerLetter = (claim: Claim, pet: ClaimedPet, owner: Claimant): Letter => ({
  subject: `PawCare claim ${claim.id}: ${pet.name}`,
  parts: [
    `Incident: ${INCIDENTS[claim.incident]}, on ${dayInWords(claim.happened_on)}.`,
    `Invoice: ${money(claim.amount, claim.currency)}. After the excess and within the yearly limit: ${money(claim.would_pay, claim.currency)}.`,
    `Pet: ${pet.name}, ${pet.species}${pet.dob ? `, born ${dayInWords(pet.dob)}` : ''}${pet.microchip ? `, microchip ${pet.microchip}` : ''}.`,
    `Owner: ${owner.firstName} ${owner.lastName}, ${owner.email}, ${owner.mobile}.`,
    {
      quiet:
        'The vet’s invoice is attached. Please write to the owner once you have decided, and send us a copy.',
    },
  ],
})

function wouldPay(region: Region, { amount, would_pay, currency }: Claim) {
  const { excess, yearly } = REGIONS[region].pawcare
  if (amount <= excess) return 'The invoice is within the excess, so nothing would be paid for it.'
  if (would_pay === 0)
    return `Nothing is left of the ${money(yearly, currency)} limit for this membership year, so nothing would be paid for it.`
  const limited = would_pay < amount - excess ? ' and within the yearly limit' : ''
  return `After the excess${limited}, ${money(would_pay, currency)} would be paid.`
}

export const claimReceivedLetter = (region: Region, claim: Claim, owner: Claimant): Letter => ({
  subject: `We’ve received your claim for ${petForMail(claim.pet.name)}`,
  parts: [
    greeting(owner.firstName),
    `Your PawCare claim ${claim.id} is on its way to the insurer: ${INCIDENTS[claim.incident].toLowerCase()} on ${dayInWords(claim.happened_on)}, ${money(claim.amount, claim.currency)}.`,
    `${wouldPay(region, claim)} The insurer will decide and write to you.`,
    { button: 'See my claims', to: '/myaccount' },
  ],
})

export function claimDecidedLetter(
  region: Region,
  { id, pet, incident, happened_on, amount, currency, paid, decision, owner }: AdminsClaim,
  isFirst: boolean,
): Letter {
  const declined = paid === 0
  const bill = `${INCIDENTS[incident].toLowerCase()} on ${dayInWords(happened_on)}, ${money(amount, currency)}`
  return {
    subject: `${declined ? 'The insurer declined your claim' : 'The insurer paid your claim'} for ${petForMail(pet.name)}`,
    parts: [
      greeting(owner.firstName),
      ...(isFirst
        ? []
        : [`We got your PawCare claim ${id} wrong. We’re sorry. This is what the insurer decided.`]),
      declined
        ? `The insurer declined your PawCare claim ${id}: ${bill}.`
        : `The insurer paid ${money(paid!, currency)} for your PawCare claim ${id}: ${bill}.`,
      ...(decision ? [decision] : []),
      ...(declined
        ? [
            `It doesn’t count towards the ${REGIONS[region].pawcare.incidents} claims that PawCare pays for in a membership year.`,
          ]
        : []),
      { button: 'See my claims', to: '/myaccount' },
    ],
  }
}
