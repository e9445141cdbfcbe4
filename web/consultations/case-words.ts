import { useEffect, useState } from 'react'
import { OUTCOMES } from '#contract/clinical.ts'
import { type Consultation, isLate, type Room } from '#contract/consultations.ts'
import { HERE_MS } from '#contract/queue.ts'
import { MINUTE } from '#contract/time.ts'
import { choices } from '../lib/session.ts'

const LOOK_MS = 15_000

/** The server's time, updated while the page is open. */
export function useNow() {
  const [at, setAt] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setAt(Date.now()), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return at + (choices().clock ?? 0)
}

export const minutesBetween = (from: string, to: number) =>
  Math.max(0, Math.floor((to - Date.parse(from)) / MINUTE))

const minutes = (n: number) => `${n} minute${n === 1 ? '' : 's'}`
/** "6 min", "2 h", "3 d": short enough for a column. */
export function short(n: number) {
  if (n < 1) return 'now'
  if (n < 120) return `${n} min`
  return n < 2880 ? `${Math.floor(n / 60)} h` : `${Math.floor(n / 1440)} d`
}
const long = (n: number) => (n < 1 ? 'less than a minute' : n < 120 ? minutes(n) : short(n))

const ENDINGS = new Set<string>(Object.values(OUTCOMES))

export type Standing = 'waiting' | 'taken' | 'ended' | 'cancelled'

/** A consult that ended without a vet was cancelled by its owner. */
export function standingOf({ end, vet_name }: Pick<Consultation, 'end' | 'vet_name'>): Standing {
  if (end) return vet_name ? 'ended' : 'cancelled'
  return vet_name ? 'taken' : 'waiting'
}

export const isOverdue = (one: Consultation, now: number) =>
  standingOf(one) === 'waiting' && isLate(new Date(one.start), new Date(now))

/** How long the consult has been waiting, waited, or took. */
export function timeSaid(one: Consultation, now: number) {
  const { start, vet_start, first_taken_at, end, outcome } = one
  const standing = standingOf(one)
  if (standing === 'waiting')
    return `Waiting ${long(minutesBetween(start, now))}${isOverdue(one, now) ? ', overdue' : ''}`
  if (standing === 'cancelled') return `Left after ${long(minutesBetween(start, Date.parse(end!)))}`
  if (standing === 'taken') {
    const waited = minutesBetween(start, Date.parse(first_taken_at ?? vet_start ?? start))
    return waited < 1 ? 'Answered straight away' : `Answered after ${long(waited)}`
  }
  const took = long(minutesBetween(first_taken_at ?? vet_start ?? start, Date.parse(end!)))
  // The outcome of a phone call is free text, too long for a list.
  return ENDINGS.has(outcome) ? `${took}, ${outcome.toLowerCase()}` : took
}

/** Whether the owner of an open consult has its page open. */
export const isHere = ({ end, owner_seen_at }: Pick<Room, 'end' | 'owner_seen_at'>, now: number) =>
  end === null && owner_seen_at !== null && now - Date.parse(owner_seen_at) < HERE_MS

export const nameOf = ({ user }: Pick<Consultation, 'user'>) => `${user.firstName} ${user.lastName}`.trim()

export const KINDS = {
  1: { icon: 'message-circle', said: 'Text' },
  2: { icon: 'video', said: 'Video' },
  3: { icon: 'phone', said: 'Phone' },
} as const
