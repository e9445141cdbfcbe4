import type { Found, PersonsConsult, Standing } from '#contract/people.ts'
import { MINUTE } from '#contract/time.ts'
import { briefDay, day, dayAndTime } from '../lib/dates.ts'
import { now } from '../lib/session.ts'

export const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim() || 'No name given'

/** What a person is to us, in a badge. */
export function standingSaid({ is, at }: Standing): { tone: 'quiet' | 'green' | 'amber'; said: string } {
  const on = at ? ` ${briefDay(at)}` : ''
  switch (is) {
    case 'member':
      return { tone: 'green', said: 'Member' }
    case 'unpaid':
      return { tone: 'amber', said: 'Payment failed' }
    case 'ending':
      return { tone: 'amber', said: `Ends${on}` }
    case 'ended':
      return { tone: 'quiet', said: `Ended${on}` }
    case 'guest':
      return { tone: 'quiet', said: 'One consult, no account' }
    case 'owner':
      return { tone: 'quiet', said: 'No membership' }
    case 'vet':
      return { tone: 'quiet', said: 'Vet' }
    case 'admin':
      return { tone: 'quiet', said: 'Admin' }
  }
}

/** The filters above the list, by what people are to us. */
export const KINDS: { kind: string; said: string; of: Standing['is'][] }[] = [
  { kind: 'members', said: 'Members', of: ['member', 'unpaid', 'ending'] },
  { kind: 'guests', said: 'No account', of: ['guest'] },
  { kind: 'staff', said: 'Staff', of: ['vet', 'admin'] },
]

export const FOUND_BY: Record<Found['found']['by'], string> = {
  number: 'Person',
  consult: 'Consult',
  receipt: 'Receipt',
  policy: 'Policy',
  name: 'Name',
  email: 'Email',
  mobile: 'Number',
  pet: 'Pet',
}

/** "4 minutes ago" within the hour, otherwise the day and the time. */
export function ago(iso: string): string {
  const minutes = Math.floor((now() - Date.parse(iso)) / MINUTE)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`
  return day(iso) === day(new Date(now()).toISOString())
    ? `today, ${dayAndTime(iso).slice(-5)}`
    : dayAndTime(iso)
}

/** "latest 5 of 12", or how many there are. */
export const countSaid = ({ latest, count }: { latest: unknown[]; count: number }) =>
  count > latest.length ? `latest ${latest.length} of ${count}` : count || undefined

const TYPES = { 1: 'text', 2: 'video', 3: 'phone' } as const

/** "video with Dr Anika Naidoo". */
export const consultSaid = ({ type, vet_name }: PersonsConsult) =>
  `${TYPES[type]} ${vet_name ? `with ${vet_name}` : 'consult'}`

/** What staff did, as the person's page lists it after a name. Owners read the same in their profile. */
export const DONE: Record<string, (about: number | null) => string> = {
  'opened the person': () => 'opened this page',
  opened: (about) => `opened consult ${about}`,
  'read the record': (about) => `read the record of consult ${about}`,
  'opened the plan': (about) => `opened the plan of consult ${about}`,
  refunded: (about) => `refunded receipt VC-${about}`,
  'extended the deadline': (about) => `gave more time for consult ${about}`,
  'ended a session': () => 'ended a session',
  'ended all sessions': () => 'ended all sessions',
  'sent a mail again': () => 'sent an email again',
  'mailed a password link': () => 'emailed a password link',
  'cancelled the membership': () => 'cancelled the membership',
  'opened the invoice of a claim': () => 'opened the invoice of a PawCare claim',
  'decided a claim': () => 'recorded the insurer’s decision on a claim',
  'corrected a claim': () => 'corrected the insurer’s decision on a claim',
  'type changed': () => 'changed the role of the account',
  'vet saved': () => 'changed the vet’s card',
}
