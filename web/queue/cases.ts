import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Output } from '#contract/call.ts'
import type { Message } from '#contract/chat.ts'
import type { Consultation } from '#contract/consultations.ts'
import type { listFollowUps } from '#contract/queue.ts'
import { attachmentSaid } from '../chat/attachment.tsx'
import { newsAfter } from '../chat/marks.ts'
import { useStableCallbacks } from '../lib/stable-callbacks.ts'
import { isOverdue, standingOf, useNow } from '../consultations/case-words.ts'
import { useUnsentElsewhere } from './unsent-elsewhere.ts'
import { keepInTab } from '../ui/tab-storage.ts'
import { cannotWait, isEmergency } from './urgency-chip.tsx'
import { followUps, lastSaid, ownersHere, useOwnCases, useWriting, waitingConsultations } from './queries.ts'
import { currentUser } from '../lib/current-user.ts'

export interface OwnCase {
  one: Consultation
  last: { body: string; at: string; mine: boolean } | undefined
  unread: number
  /** Whether the owner is typing now. */
  types?: boolean
  /** It waits for the owner until this time. */
  snoozed?: string
  /** When its owner asked a question after the end. */
  asks?: string
  /** Something that the vet wrote couldn't be sent. */
  unsent?: boolean
  /** What the vet wrote is a draft again, because the consult had ended. */
  refused?: boolean
}

export type FollowUp = Output<typeof listFollowUps>[number]

export interface Cases {
  /** Emergencies, urgent consults, and the longest overdue. */
  first: Consultation[]
  own: OwnCase[]
  waiting: Consultation[]
  /** Questions that are emergencies come first of all, the others last. */
  askedFirst: FollowUp[]
  followUps: FollowUp[]
  /** The open consults whose owner has the page open. */
  here: ReadonlySet<number>
}

export type Show = 'all' | 'waiting' | 'mine'

/** The order for J and K. */
export const inOrder = ({ askedFirst, first, own, waiting, followUps }: Cases, show: Show) => [
  ...(show === 'mine'
    ? []
    : [...askedFirst.map(({ consultation }) => consultation.id), ...first.map(({ id }) => id)]),
  ...(show === 'waiting' ? [] : own.map(({ one }) => one.id)),
  ...(show === 'mine'
    ? []
    : [...waiting.map(({ id }) => id), ...followUps.map(({ consultation }) => consultation.id)]),
]

const dataOf = <T>(results: { data: T }[]) => results.map(({ data }) => data)

const HELD_MS = 3000

/** In a rush all are overdue, and the owners whom the vet is helping mustn't disappear below them. */
const MOST_OVERDUE = 5

/**
 * Which of the vet's own cases with something unread comes next. Those in `passed` were left too soon to be read, so they
 * wait until the others had their turn.
 */
export function nextUnread(own: Pick<OwnCase, 'one' | 'unread'>[], chosen: number, passed: Set<number>) {
  const unread = own.flatMap(({ one, unread }) => (unread > 0 && one.id !== chosen ? one.id : []))
  for (const id of passed) if (id !== chosen && !unread.includes(id)) passed.delete(id)
  if (unread.every((id) => passed.has(id))) passed.clear()
  const next = unread.find((id) => !passed.has(id))
  if (next !== undefined) passed.add(next)
  return next
}

/** What was said last. If it isn't the vet's, its time is when that person began to wait for an answer. */
export function lastOf(messages: Message[], me: number): OwnCase['last'] {
  const said = messages.filter(({ user_id }) => user_id !== null)
  const last = said.at(-1)
  if (!last) return undefined
  const mine = last.user_id === me
  const first = said.findLastIndex(({ user_id }) => user_id !== last.user_id) + 1
  return {
    body: last.attachment ? attachmentSaid(last.attachment) : last.body,
    at: (mine ? last : said[first]!).at,
    mine,
  }
}

/** What comes before the vet's own cases, and what comes after. The server sends emergencies first, then urgent consults. */
export function inParts(queued: Consultation[], now: number) {
  const urgent = queued.filter((one) => cannotWait(one.urgency))
  const overdue = queued.filter((one) => !urgent.includes(one) && isOverdue(one, now))
  const first = [...urgent, ...overdue.slice(0, MOST_OVERDUE)]
  return { first, waiting: queued.filter((one) => !first.includes(one)) }
}

/**
 * The queue: urgent and overdue consults, then the vet's own with the longest unanswered first, then the other waiting
 * ones. `entered` is the case in whose conversation the vet is: it counts as read, and is the first of the vet's own.
 */
export function useCases(me: number, shown: number, entered: number) {
  const queue = useQuery(waitingConsultations)
  const self = useQuery(currentUser)
  const now = useNow()
  const open = useMemo(
    () => self.data?.consultations?.filter((one) => standingOf(one) === 'taken') ?? [],
    [self.data],
  )
  const asked = useQuery(followUps)
  const mine = useMemo(() => asked.data?.filter(({ vet_id }) => vet_id === me) ?? [], [asked.data, me])
  const all = useMemo(() => [...open, ...mine.map(({ consultation }) => consultation)], [open, mine])
  const ids = useMemo(() => all.map(({ id }) => id), [all])
  useOwnCases(ids, shown, me)
  const { unsent, refused } = useUnsentElsewhere(ids, shown)
  const said = useQueries({ queries: ids.map((id) => lastSaid(id)), combine: dataOf })

  const writing = useWriting()
  const present = useQuery(ownersHere)
  const cases = useMemo((): Cases => {
    const own = all.map((one, at): OwnCase => {
      const asks = mine.find(({ consultation }) => consultation.id === one.id)?.asked_at
      const { messages = [], marks = [] } = said[at] ?? {}
      const seen = marks.find(({ user_id }) => user_id === me)?.seen ?? 0
      return {
        one,
        last: lastOf(messages, me),
        asks,
        types: writing.has(one.id),
        unsent: unsent.has(one.id),
        refused: refused.has(one.id),
        snoozed: isSnoozed(one, now) ? one.snoozed_until! : undefined,
        // A message that is being read now is marked as read a moment later.
        unread: entered === one.id && one.id === shown ? 0 : newsAfter(seen, messages, me).length,
      }
    })
    const everyones = asked.data?.filter(isEveryones) ?? []
    return {
      ...inParts(queue.data?.consultations ?? [], now),
      own: own.toSorted((a, b) =>
        a.one.id === entered ? -1 : b.one.id === entered ? 1 : longestUnanswered(a, b),
      ),
      askedFirst: everyones.filter(({ consultation }) => cannotWait(consultation.urgency)),
      followUps: everyones.filter(({ consultation }) => !cannotWait(consultation.urgency)),
      here: new Set(present.data),
    }
  }, [
    all,
    mine,
    queue.data,
    asked.data,
    now,
    me,
    said,
    entered,
    shown,
    writing,
    unsent,
    refused,
    present.data,
  ])

  const unread = cases.own.reduce((sum, one) => sum + (one.unread || Number(Boolean(one.asks))), 0)
  return {
    cases,
    now,
    queue,
    followUps: asked.data,
    waits: countOf(queue.data?.counts.needs_help, asked.data),
    unread,
  }
}

/** A question after the end that any vet can take. */
const isEveryones = ({ vet_id }: FollowUp) => vet_id === null

/** How many consults and questions after the end wait for any vet. */
export const countOf = (waiting: number | undefined, asked: FollowUp[] = []) =>
  waiting === undefined ? undefined : waiting + asked.filter(isEveryones).length

const isSnoozed = ({ snoozed_until }: Consultation, now: number) =>
  snoozed_until !== null && Date.parse(snoozed_until) > now

/** An emergency that the vet hasn't answered, other unanswered cases, the answered ones, and those put aside. */
const rankOf = ({ one, last, snoozed }: OwnCase) =>
  snoozed ? 3 : last?.mine ? 2 : isEmergency(one.urgency) ? 0 : 1

const longestUnanswered = (a: OwnCase, b: OwnCase) =>
  rankOf(a) - rankOf(b) || (a.last?.at ?? a.one.start).localeCompare(b.last?.at ?? b.one.start)

/** Keeps the list's order for up to three seconds while the pointer or focus is in it. The rows' text is always new. */
export function useHeldOrder(cases: Cases, held: boolean): Cases {
  const order = useHeld(cases, held)
  if (order === cases) return cases
  const now = new Map([...cases.first, ...cases.waiting].map((one) => [one.id, one]))
  const freshly = (one: Consultation) => now.get(one.id) ?? one
  return {
    ...order,
    first: order.first.map(freshly),
    own: order.own.map((old) => cases.own.find(({ one }) => one.id === old.one.id) ?? old),
    waiting: order.waiting.map(freshly),
    here: cases.here,
  }
}

/** Keeps a value unchanged for up to three seconds. */
function useHeld<T>(value: T, held: boolean): T {
  const [kept, keep] = useState(value)
  if (!held && kept !== value) keep(value)
  useEffect(() => {
    if (!held) return
    const timer = setTimeout(keep, HELD_MS, value)
    return () => clearTimeout(timer)
  }, [value, held])
  return held ? kept : value
}

const KNOWN = 'known-cases'
const keptKnown = () => {
  const kept = sessionStorage.getItem(KNOWN)
  return kept === null ? undefined : new Set(kept.split(','))
}

/**
 * Cases that arrived, by waiting or by being handed over, since the console was first opened in this tab and that nobody
 * has looked at yet.
 */
export function useNewcomers(arrivals: readonly Consultation[] | undefined, shown: number) {
  const [known, know] = useState<ReadonlySet<string> | undefined>(keptKnown)
  if (arrivals && !known) know(new Set(arrivals.map(arrivalOf)))
  useEffect(() => {
    if (known) keepInTab(KNOWN, [...known].join())
  }, [known])
  const fresh = arrivals?.filter((one) => known && !known.has(arrivalOf(one))) ?? []
  const see = (id: number) => {
    const seen = fresh.filter((one) => one.id === id).map(arrivalOf)
    if (seen.length > 0) know((all) => new Set([...(all ?? []), ...seen]))
  }
  see(shown)
  return { fresh: new Set(fresh.map(({ id }) => id)), ...useStableCallbacks({ see }) }
}

/** A case can be handed over to the same vet twice. */
export const arrivalOf = ({ id, vet_start }: Consultation) => `${id} ${vet_start}`
