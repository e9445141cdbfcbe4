import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { me, type User } from '#contract/accounts.ts'
import type { Input } from '#contract/call.ts'
import { joinRoom, leaveRoom, marksMoved, messageSaid, readMessages } from '#contract/chat.ts'
import { getRecord } from '#contract/clinical.ts'
import * as calls from '#contract/consultations.ts'
import * as queue from '#contract/queue.ts'
import { roomQuery } from '../chat/queries.ts'
import { CASE_QUERIES, LIST_QUERIES } from '../clinical/queries.ts'
import { api } from '../lib/api.ts'
import { ask, on, onConnection } from '../lib/live.ts'
import { query, useCall } from '../lib/queries.ts'

const REFRESH_MS = 30_000
const STAFF_PAGE = 50
const LINE_MOST = 100

export type Filter = NonNullable<Input<typeof calls.listConsultations>['filter']>

/** All consultations, in the server's order, page by page. Refreshes in a background tab too, for the count in its title. */
export const everyConsultation = (filter: Filter, q: string) =>
  infiniteQueryOptions({
    queryKey: [calls.listConsultations.path, 'staff', filter, q],
    queryFn: ({ pageParam, signal }) =>
      api(
        calls.listConsultations,
        { filter, limit: STAFF_PAGE, ...(q && { q }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
  })

/** Who waits for a vet, longest first. */
export const waitingConsultations = queryOptions({
  ...query(calls.listConsultations, { filter: 'available', limit: LINE_MOST }),
  refetchInterval: REFRESH_MS,
  refetchIntervalInBackground: true,
  refetchOnWindowFocus: 'always',
})

/** Questions after the end. They pass from one vet to everyone with time, so they are also asked for by the clock. */
export const followUps = queryOptions({
  ...query(queue.listFollowUps, {}),
  refetchInterval: REFRESH_MS,
  refetchIntervalInBackground: true,
  refetchOnWindowFocus: 'always',
})

/** The vet, with their current consults. */
export const myself = query(me, {})

/** The last message in one of the vet's cases, and how far it was read. */
export const lastSaid = (consultation: number) =>
  queryOptions({
    queryKey: [readMessages.path, { consultation }, 'queue'],
    queryFn: ({ signal }) => api(readMessages, { consultation }, { signal }),
    refetchInterval: REFRESH_MS / 3,
    staleTime: 0,
  })

/** The room that both sides see. Fetched again when something in it has changed. */
export const staffRoom = (id: number, why: string) => ({
  ...roomQuery(id, why || undefined),
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
})

export const useTake = () =>
  useCall(queue.takeConsultation, { showsFailure: true, invalidates: CASE_QUERIES })
export const useChangeLevel = () =>
  useCall(calls.changeLevel, { showsFailure: true, invalidates: CASE_QUERIES })
export const useHandBack = () =>
  useCall(queue.handBackConsultation, { showsFailure: true, invalidates: CASE_QUERIES })
export const useHandOver = () =>
  useCall(queue.handOverConsultation, { showsFailure: true, invalidates: CASE_QUERIES })
export const useSettle = () =>
  useCall(queue.settleFollowUp, { showsFailure: true, invalidates: CASE_QUERIES })
/** Keeps the lists and the open room up to date for as long as the page is open. */
export function useStaffChanges(room?: number) {
  const client = useQueryClient()
  const look = useEffectEvent((consultation?: number) => {
    const paths = LIST_QUERIES.map(({ path }): string => path)
    if (room !== undefined && (consultation === undefined || consultation === room))
      paths.push(calls.getConsultation.path, getRecord.path)
    for (const path of paths) void client.invalidateQueries({ queryKey: [path] })
  })
  useEffect(() => {
    const stops = [
      on(calls.consultationChanged, ({ consultation }) => look(consultation)),
      onConnection((isUp) => isUp && look()),
    ]
    return () => stops.forEach((stop) => stop())
  }, [])
}

/** Listens for new messages in the vet's own cases. The open case's conversation listens for itself. */
export function useOwnCases(ids: readonly number[], shown: number, me: number) {
  const client = useQueryClient()
  const others = ids.filter((id) => id !== shown).join()
  useEffect(() => {
    const rooms = others ? others.split(',').map(Number) : []
    const look = (id: number) =>
      void client.invalidateQueries({ queryKey: [readMessages.path, { consultation: id }, 'queue'] })
    const stops = [
      on(messageSaid, ({ consultation }) => look(consultation)),
      on(marksMoved, ({ consultation, mark }) => mark.user_id === me && look(consultation)),
      onConnection((isUp) => {
        if (!isUp) return
        for (const consultation of rooms)
          void ask(joinRoom, { consultation }).then(
            (said) => client.setQueryData(lastSaid(consultation).queryKey, said),
            // The query's own interval looks instead.
            () => {},
          )
      }),
    ]
    return () => {
      stops.forEach((stop) => stop())
      for (const consultation of rooms) ask(leaveRoom, { consultation }).catch(() => {})
    }
  }, [client, others, shown, me])
}

const HEARTBEAT_MS = 60_000

export const onDuty = queryOptions({ ...query(queue.listDuty, {}), refetchInterval: HEARTBEAT_MS })

/** Whether this vet is on duty. While they are, the page keeps telling the server that they're here. */
export function useDuty(user: User, gone: () => void) {
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
    if (was.current && !since && duty.data && !pressed.current) gone()
    if (was.current !== since) pressed.current = false
    was.current = since
  }, [since, duty.data, gone])

  return {
    vets: duty.data,
    since,
    failed: duty.isError,
    busy: set.isPending,
    turn: (on: boolean) => {
      pressed.current = true
      set.mutate({ on }, { onError: () => void (pressed.current = false) })
    },
  }
}
