import { claimPays } from '#contract/claims.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { CATS_AND_DOGS } from '#contract/pets.ts'
import { localDay, type Region, REGIONS } from '#contract/regions.ts'
import { addHours } from '#contract/time.ts'
import { oldEnoughOn } from '../pets/rules.ts'

interface Stay {
  addedAt: Date
  freeAt: Date | null
  /** When the membership's cover ends or ended. */
  end: Date | null
  recurringStart: Date
}

export interface Case<P extends Stay = Stay> {
  name: string
  speciesId: number
  dob: string | null
  region: Region
  /** Its places in memberships, latest first. */
  places: P[]
  registrations: { optIn: Date; optOut: Date | null }[]
  claims: { happenedOn: string; wouldPay: number; paid: number | null }[]
}

type Covered = Pick<Case, 'claims' | 'region' | 'places' | 'registrations'>

/**
 * When a pet's membership years begin: with the membership that its cover began on. They continue when a partner’s policy
 * moves the pet and its cover stays. Cover that begins again, after a new wait, has the years of its own membership.
 */
function yearsBegin({ places, registrations }: Covered, place: Stay): Date {
  const cover = registrations.find(
    ({ optIn, optOut }) =>
      (place.freeAt === null || optIn < place.freeAt) && (optOut === null || optOut > place.addedAt),
  )
  const first = places.find(
    ({ addedAt, freeAt }) => cover && addedAt <= cover.optIn && (freeAt === null || freeAt > cover.optIn),
  )
  return (first ?? place).recurringStart
}

/** The membership year of a day, from its first day to the start of the next. */
function yearOf(start: string, day: string) {
  const year = Number(day.slice(0, 4)) - (day.slice(4) < start.slice(4) ? 1 : 0)
  return { from: `${year}${start.slice(4)}`, to: `${year + 1}${start.slice(4)}` }
}

/**
 * How much of its limits a membership year's claims have used: what the insurer paid or, until it decides, what it would
 * pay. A claim for nothing, whether declined or under the excess, isn't one of the year's incidents.
 */
export function usedIn(pet: Covered, place: Stay, day: string) {
  const { from, to } = yearOf(localDay(pet.region, yearsBegin(pet, place)), day)
  const sums = pet.claims
    .filter(({ happenedOn }) => happenedOn >= from && happenedOn < to)
    .map(({ paid, wouldPay }) => paid ?? wouldPay)
    .filter((sum) => sum > 0)
  return { incidents: sums.length, paid: sums.reduce((all, sum) => all + sum, 0) }
}

type Made = Case['claims'][number] & { id: number; subscriptionId: number; amount: number }

/**
 * What a pet's open claims would pay now, where that has changed: each can use what the decided ones and the open ones
 * before it leave of the year's limit.
 */
export function paysOtherwise(
  pet: Pick<
    Case<Stay & { subscriptionId: number; region: Region }>,
    'region' | 'places' | 'registrations'
  > & {
    claims: Made[]
  },
) {
  const before = pet.claims.filter(({ paid }) => paid !== null)
  const open = pet.claims.filter(({ paid }) => paid === null).toSorted((one, other) => one.id - other.id)
  const changed: { id: number; wouldPay: number }[] = []
  for (const claim of open) {
    const place = pet.places.find((one) => one.subscriptionId === claim.subscriptionId)!
    const used = usedIn({ ...pet, claims: before }, place, claim.happenedOn)
    const wouldPay = claimPays(place.region, claim.amount, used.paid)
    if (wouldPay !== claim.wouldPay) changed.push({ id: claim.id, wouldPay })
    before.push({ ...claim, wouldPay })
  }
  return changed
}

type Judgement<P extends Stay> =
  | { refused: ErrorCode; values?: Record<string, string | number> }
  | { place: P; paid: number }

/** Whether PawCare covered a pet on a day, and through which membership. */
export function judge<P extends Stay>(pet: Case<P>, day: string, now: Date): Judgement<P> {
  const { name, region, dob } = pet
  const { waitHours, incidents: most } = REGIONS[region].pawcare
  const dayOf = (at: Date) => localDay(region, at)
  const goesOn = (until: Date | null) => until === null || dayOf(until) > day
  const waiting = { refused: 'CLAIM_WAITING', values: { pet: name, hours: waitHours } } as const

  if (!CATS_AND_DOGS.includes(pet.speciesId)) return { refused: 'CLAIM_WRONG_SPECIES' }
  const later = pet.places.filter(({ freeAt, end }) => goesOn(freeAt) && goesOn(end))
  const place = later.find(({ addedAt }) => dayOf(addedAt) <= day)
  if (!place) return later.length > 0 ? waiting : { refused: 'CLAIM_NOT_A_MEMBER', values: { pet: name } }
  if (dob !== null && day < oldEnoughOn(dob)) return { refused: 'CLAIM_TOO_YOUNG', values: { pet: name } }
  const registered = pet.registrations.filter(({ optOut }) => goesOn(optOut))
  if (registered.length === 0) return { refused: 'CLAIM_OPTED_OUT', values: { pet: name } }
  const begins = registered.map(({ optIn }) => addHours(optIn, waitHours))
  if (!begins.some((from) => from <= now && dayOf(from) <= day)) return waiting
  const { incidents, paid } = usedIn(pet, place, day)
  if (incidents >= most) return { refused: 'CLAIM_INCIDENTS_USED', values: { pet: name, incidents: most } }
  return { place, paid }
}

/** Keys of mails to the insurer begin with this. */
export const CLAIM = 'claim '

/** Where an invoice may be stored. */
export const invoiceKeys = (name: string) => ['pdf', 'jpg'].map((ending) => `claims/${name}.${ending}`)

/** Where it opens. */
export const invoiceAddress = (name: string) => `/media/claims/${name}`
