import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { me, type User } from '#contract/accounts.ts'
import type { Input } from '#contract/call.ts'
import {
  joinRoom,
  leaveRoom,
  listFiles,
  marksMoved,
  type Message,
  messageSaid,
  readMessages,
  sendMarks,
  someoneTypes,
} from '#contract/chat.ts'
import { getRecord } from '#contract/clinical.ts'
import * as calls from '#contract/consultations.ts'
import * as queue from '#contract/queue.ts'
import { rosterChanged } from '#contract/roster.ts'
import { MINUTE } from '#contract/time.ts'
import { TYPING_LASTS_MS } from '../chat/typing.ts'
import { roomQuery } from '../consultations/room-queries.ts'
import { CASE_QUERIES, LIST_QUERIES } from '../clinical/queries.ts'
import { api, ApiError } from '../lib/api.ts'
import { listen, together } from '../ui/listen.ts'
import { ask, isConnected, on, onConnection } from '../lib/live.ts'
import { query, useCall } from '../lib/queries.ts'

const REFRESH_MS = 30_000
/** In a background tab too, for the count in its title. */
const POLLED = {
  refetchInterval: REFRESH_MS,
  refetchIntervalInBackground: true,
  refetchOnWindowFocus: 'always',
} as const
const STAFF_PAGE = 50
const MOST_WAITING = 100

export type Filter = NonNullable<Input<typeof calls.listConsultations>['filter']>

/** All consultations, page by page, the longest wait first unless they are sorted. */
export const everyConsultation = (filter: Filter, q: string, sort?: calls.Sort) =>
  infiniteQueryOptions({
    queryKey: [calls.listConsultations.path, 'staff', filter, q, sort],
    queryFn: ({ pageParam, signal }) =>
      api(
        calls.listConsultations,
        {
          filter,
          limit: STAFF_PAGE,
          q: q || undefined,
          sort,
          cursor: pageParam || undefined,
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    ...POLLED,
  })

/** Consults that wait for a vet, the longest wait first. */
export const waitingConsultations = queryOptions({
  ...query(calls.listConsultations, { filter: 'available', limit: MOST_WAITING }),
  ...POLLED,
})

/** Questions after the end. With time they move from one vet to everyone without a push, so they are also polled. */
export const followUps = queryOptions({ ...query(queue.listFollowUps, {}), ...POLLED })

/** The open consults whose owner is on the page. A page that crashes can't say so, so they are also polled. */
export const ownersHere = queryOptions({ ...query(queue.listOwnersHere, {}), refetchInterval: REFRESH_MS })

/** The last message in one of the vet's cases, and how far it has been read. */
export const lastSaid = (consultation: number) =>
  queryOptions({
    queryKey: [readMessages.path, { consultation }, 'queue'],
    queryFn: ({ signal }) => api(readMessages, { consultation }, { signal }),
    refetchInterval: () => (isConnected() ? REFRESH_MS : REFRESH_MS / 3),
    staleTime: 0,
  })

/**
 * The room that both sides see. Fetched again when something in it has changed. If a colleague closes the case while it's
 * shown, nothing of it stays: it opens again for a reason.
 */
export function useStaffRoom(id: number, why: string) {
  const room = useQuery({
    ...roomQuery(id, why || undefined),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const isClosed = room.error instanceof ApiError && room.error.code === 'CONSULT_SAY_WHY'
  return isClosed ? { ...room, data: undefined } : room
}

const changesCase = { invalidates: CASE_QUERIES }
const shownBeside = { ...changesCase, showsFailure: true } as const

export const useTake = () => useCall(queue.takeConsultation, shownBeside)
export const useChangeLevel = () => useCall(calls.changeLevel, shownBeside)
export const useHandBack = () => useCall(queue.handBackConsultation, shownBeside)
export const useHandOver = () => useCall(queue.handOverConsultation, shownBeside)
export const useSnooze = () => useCall(queue.snoozeConsultation, changesCase)
export const useSettle = () => useCall(queue.settleFollowUp, changesCase)

/** However often an owner presses a button, every vet's page fetches at most this often. */
const GATHERED_MS = 500

/** A page in a consult's room hears of each change there twice, as staff and in the room. */
const HEARD_TWICE_MS = 50

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Change {
  consultation: number
  vets?: number[] | undefined
}

/**
 * Handles the first change almost straight away, and then all that arrived meanwhile. It waits for each fetch to finish:
 * another change would cancel it, and on a slow connection in a busy hour nothing would ever arrive.
 */
function gathering(act: (changes: readonly Change[]) => Promise<unknown>) {
  let came: Change[] = []
  let acts = false
  async function next() {
    acts = true
    await pause(HEARD_TWICE_MS)
    while (came.length > 0) {
      const these = came
      came = []
      await Promise.all([act(these), pause(GATHERED_MS)])
    }
    acts = false
  }
  return {
    add: (change: Change) => {
      came.push(change)
      if (!acts) void next()
    },
    stop: () => void (came = []),
  }
}

/** The lists that these changes concern: the queue always, and what vets have only if it changed. */
function listsOf(changes: readonly Change[], user: number) {
  if (changes.some(({ vets }) => vets === undefined)) return LIST_QUERIES
  const vets = changes.flatMap(({ vets }) => vets)
  return [
    calls.listConsultations,
    ...(vets.length > 0 ? [queue.listDuty] : []),
    ...(vets.includes(user) ? [me] : []),
  ]
}

/** Keeps the lists and the open room up to date while the page of this person is open. */
export function useStaffChanges(user: Pick<User, 'id'>, room?: number) {
  const client = useQueryClient()
  const look = useEffectEvent((changes?: readonly Change[]) => {
    const lists = changes ? listsOf(changes, user.id) : LIST_QUERIES
    const paths = lists.map(({ path }): string => path)
    if (room !== undefined && (changes?.some(({ consultation }) => consultation === room) ?? true))
      paths.push(calls.getConsultation.path, getRecord.path)
    return Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: [path] })))
  })
  const lookForOwners = useEffectEvent((moved: readonly Change[]) =>
    Promise.all([
      client.invalidateQueries({ queryKey: [queue.listOwnersHere.path] }),
      room !== undefined &&
        moved.some(({ consultation }) => consultation === room) &&
        client.invalidateQueries({ queryKey: [calls.getConsultation.path, { id: room }] }),
    ]),
  )
  const lookForFiles = useEffectEvent((consultation: number) => {
    if (consultation === room) void client.invalidateQueries({ queryKey: [listFiles.path, { consultation }] })
  })
  useEffect(() => {
    const changes = gathering((changed) => look(changed))
    const moves = gathering((moved) => lookForOwners(moved))
    return together(
      changes.stop,
      moves.stop,
      on(calls.consultationChanged, changes.add),
      on(queue.someoneMoved, moves.add),
      on(rosterChanged, () => void client.invalidateQueries({ queryKey: [queue.listDuty.path] })),
      on(messageSaid, ({ consultation, message }) => {
        if (message.attachment) lookForFiles(consultation)
      }),
      onConnection((isUp) => void (isUp && look())),
    )
  }, [client])
}

/** Listens for new messages in the vet's own cases, except the open one, whose conversation does so. */
export function useOwnCases(ids: readonly number[], shown: number, me: number) {
  const client = useQueryClient()
  const others = ids.filter((id) => id !== shown).join()
  useEffect(() => {
    const rooms = others ? others.split(',').map(Number) : []
    const look = (id: number) =>
      void client.invalidateQueries({ queryKey: [readMessages.path, { consultation: id }, 'queue'] })
    // One of the vet's pages has the message, so it is delivered, though not read.
    const received = (consultation: number, messages: readonly Message[]) => {
      const delivered = messages.findLast(({ user_id }) => user_id !== me)?.seq
      if (delivered && rooms.includes(consultation))
        ask(sendMarks, { consultation, delivered, seen: 0 }).catch(() => {})
    }
    return together(
      on(messageSaid, ({ consultation, message }) => {
        received(consultation, [message])
        look(consultation)
      }),
      on(marksMoved, ({ consultation, mark }) => mark.user_id === me && look(consultation)),
      onConnection((isUp) => {
        if (!isUp) return
        for (const consultation of rooms)
          void ask(joinRoom, { consultation }).then(
            (said) => {
              received(consultation, said.messages)
              client.setQueryData(lastSaid(consultation).queryKey, said)
            },
            // The query's own interval fetches it instead.
            () => {},
          )
      }),
      () => rooms.forEach((consultation) => ask(leaveRoom, { consultation }).catch(() => {})),
    )
  }, [client, others, shown, me])
}

/** The rooms that this page has joined in which the owner is typing now. */
export function useWriting(): ReadonlySet<number> {
  const [writing, setWriting] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => {
    const ends = new Map<number, ReturnType<typeof setTimeout>>()
    const set = (id: number, is: boolean) => {
      clearTimeout(ends.get(id))
      if (is) ends.set(id, setTimeout(set, TYPING_LASTS_MS, id, false))
      setWriting((all) => {
        if (all.has(id) === is) return all
        const next = new Set(all)
        if (is) next.add(id)
        else next.delete(id)
        return next
      })
    }
    return together(
      on(someoneTypes, ({ consultation, side, writing }) => side === 'owner' && set(consultation, writing)),
      on(messageSaid, ({ consultation }) => set(consultation, false)),
      () => ends.forEach((timer) => clearTimeout(timer)),
    )
  }, [])
  return writing
}

const DOWN_MS = 2500

/** Since when the server can't be reached, over the socket or by plain calls. */
export function useOutage(answers: boolean, look: () => void) {
  const [downSince, setDown] = useState<string>()
  const again = useEffectEvent(look)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const down = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        setDown((since) => since ?? new Date().toISOString())
        again()
      }, DOWN_MS)
    }
    const up = () => {
      clearTimeout(timer)
      setDown(undefined)
    }
    return together(
      onConnection((isUp) => (isUp ? up() : down())),
      listen(window, 'offline', down),
      () => clearTimeout(timer),
    )
  }, [])
  return downSince !== undefined && (!answers || !navigator.onLine) ? downSince : undefined
}

const HEARTBEAT_MS = MINUTE

export const onDuty = queryOptions({ ...query(queue.listDuty, {}), refetchInterval: HEARTBEAT_MS })

/** Whether this vet is on duty. If so, the page keeps telling the server that they're here. */
export function useDuty(user: User, gone?: () => void) {
  const tell = useEffectEvent(() => gone?.())
  const client = useQueryClient()
  const duty = useQuery(onDuty)
  const set = useCall(queue.setDuty, { invalidates: [queue.listDuty, calls.getConsultation] })
  const since = duty.data?.find(({ id }) => id === user.id)?.since
  const { mutate: beat } = useCall(queue.setDuty, { showsFailure: true })
  const pressed = useRef(false)
  const was = useRef(since)

  // Another page may have ended the duty, so a vet who is no longer on the list isn't put back on it.
  useEffect(() => {
    if (!since) return
    const timer = setInterval(() => {
      void client
        .fetchQuery({ ...onDuty, staleTime: 0 })
        .then((list) => {
          if (list.some(({ id }) => id === user.id)) beat({ on: true })
        })
        .catch(() => {})
    }, HEARTBEAT_MS)
    return () => clearInterval(timer)
  }, [client, since, user.id, beat])

  useEffect(() => {
    if (was.current && !since && duty.data && !pressed.current) tell()
    if (was.current !== since) pressed.current = false
    was.current = since
  }, [since, duty.data])

  return {
    vets: duty.data,
    since,
    busy: set.isPending,
    turn: (on: boolean) => {
      pressed.current = true
      set.mutate({ on }, { onError: () => void (pressed.current = false) })
    },
  }
}
