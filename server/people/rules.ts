import type { FOUND_BY, Standing } from '#contract/people.ts'
import { USER_TYPES } from '#contract/accounts.ts'
import type { subscriptions } from '../db/schema/memberships.ts'
import { graceEnd } from '../memberships/rules.ts'

export type FoundBy = (typeof FOUND_BY)[number]

/** One thing that a person was found by. The smaller its rank, the better it matches. */
export interface Hit {
  id: number
  by: FoundBy
  text: string
  rank: number
}

/** What belongs to one person comes first, then names, then emails, then pets. */
const ORDER: FoundBy[] = ['receipt', 'policy', 'number', 'consult', 'name', 'email', 'mobile', 'pet']
const EXACT = 0
const STARTS = 1
const CONTAINS = 2

const rankOf = (by: FoundBy, match: number) => match * ORDER.length + ORDER.indexOf(by)
export const exactly = (id: number, by: FoundBy, text: string): Hit => ({
  id,
  by,
  text,
  rank: rankOf(by, EXACT),
})

interface Someone {
  id: number
  firstName: string
  lastName: string
  email: string
  mobile: string
}

function matchOf(asked: string, texts: string[]) {
  if (texts.includes(asked)) return EXACT
  return texts.some((text) => text.startsWith(asked)) ? STARTS : CONTAINS
}

/** The part of a person that contains the words. `asked` is in lower case. */
export function hitOf(asked: string, { id, firstName, lastName, email, mobile }: Someone): Hit | undefined {
  const name = `${firstName} ${lastName}`.trim()
  const [full, first, last] = [name, firstName, lastName].map((text) => text.toLowerCase())
  const words = asked.split(' ')
  if (words.every((word) => full!.includes(word)))
    return { id, by: 'name', text: name, rank: rankOf('name', matchOf(asked, [full!, first!, last!])) }
  if (email.includes(asked))
    return { id, by: 'email', text: email, rank: rankOf('email', matchOf(asked, [email])) }
  const digits = nationalDigits(asked)
  if (digits && mobile.replace(/\D/g, '').includes(digits))
    return { id, by: 'mobile', text: mobile, rank: rankOf('mobile', CONTAINS) }
  // The words are partly in the name and partly in the email.
  return words.length > 1 ? { id, by: 'name', text: name, rank: rankOf('name', CONTAINS) } : undefined
}

export const petHit = (asked: string, { id, pet }: { id: number; pet: string }): Hit => ({
  id,
  by: 'pet',
  text: pet,
  rank: rankOf('pet', matchOf(asked, [pet.toLowerCase()])),
})

/** Each person once, with the best match. */
export function bestFirst(hits: Hit[]): Hit[] {
  const best = new Map<number, Hit>()
  for (const hit of hits) if (hit.rank < (best.get(hit.id)?.rank ?? Infinity)) best.set(hit.id, hit)
  return [...best.values()].toSorted(
    (one, other) => one.rank - other.rank || one.text.localeCompare(other.text) || one.id - other.id,
  )
}

const LEAST_DIGITS = 3

/**
 * The digits by which a mobile is found, however it was typed: without the country's code and the zero before it.
 * Undefined if it isn't a number.
 */
export function nationalDigits(typed: string): string | undefined {
  if (!/^[\d\s+().-]+$/.test(typed)) return undefined
  const digits = typed.replace(/\D/g, '').replace(/^(?:(?:00)?(?:27|61)(?=\d{9}$)|0)/, '')
  return digits.length >= LEAST_DIGITS ? digits : undefined
}

/** The number of a receipt, as its PDF shows it. */
export const receiptNumber = (asked: string) => /^vc-?(\d{1,9})$/.exec(asked)?.[1]

type Membership = Pick<
  typeof subscriptions.$inferSelect,
  'status' | 'recurringStart' | 'currentPeriodEnd' | 'end' | 'endedAt' | 'pastDueSince'
>

/** The state of one membership, and the day that belongs to it. */
export function membershipState(one: Membership, now: Date) {
  const isActive = one.endedAt === null && (one.status === 'active' || one.end === null || one.end >= now)
  if (!isActive) return { state: 'ended', until: one.endedAt ?? one.end } as const
  if (one.pastDueSince) return { state: 'unpaid', until: graceEnd(one.pastDueSince) } as const
  if (one.end) return { state: 'ending', until: one.end } as const
  return { state: 'active', until: one.currentPeriodEnd } as const
}

/** The state of a person, in one word. */
export function standingOf(
  { type, guest, createdAt }: { type: 1 | 2 | 3; guest: boolean; createdAt: Date },
  memberships: Membership[],
  now: Date,
): { is: Standing['is']; at: Date | null } {
  if (type === USER_TYPES.admin) return { is: 'admin', at: null }
  if (type === USER_TYPES.vet) return { is: 'vet', at: null }
  const states = memberships.map((one) => ({ ...membershipState(one, now), since: one.recurringStart }))
  const by = (wanted: string) => states.find(({ state }) => state === wanted)
  const active = by('active')
  if (active) return { is: 'member', at: active.since }
  for (const state of ['unpaid', 'ending'] as const) {
    const one = by(state)
    if (one) return { is: state, at: one.until }
  }
  const ended = states.findLast(({ state }) => state === 'ended')
  if (ended) return { is: 'ended', at: ended.until }
  return { is: guest ? 'guest' : 'owner', at: createdAt }
}
