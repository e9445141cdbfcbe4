import { queryOptions } from '@tanstack/react-query'
import { me } from '#contract/accounts.ts'
import * as calls from '#contract/clinical.ts'
import { getConsultation, listConsultations } from '#contract/consultations.ts'
import { listDuty, listFollowUps } from '#contract/queue.ts'
import { query, useCall } from '../lib/queries.ts'

export const recordQuery = (id: number, why: string) =>
  queryOptions({
    ...query(calls.getRecord, { id, why: why || undefined }),
    refetchOnWindowFocus: 'always',
  })

export const replies = queryOptions({
  ...query(calls.listReplies, {}),
  staleTime: Number.POSITIVE_INFINITY,
})

export const LIST_QUERIES = [listConsultations, listFollowUps, listDuty, me]

/** Queries that change when a vet takes, hands over or ends a consult. */
export const CASE_QUERIES = [...LIST_QUERIES, getConsultation, calls.getRecord]

export const useSaveNote = () => useCall(calls.saveNote, { showsFailure: true })
export const useAddToNote = () =>
  useCall(calls.addToNote, { showsFailure: true, invalidates: [calls.getRecord] })
export const useSaveReply = () =>
  useCall(calls.saveReply, { showsFailure: true, invalidates: [calls.listReplies] })
export const useRemoveReply = () =>
  useCall(calls.removeReply, { showsFailure: true, invalidates: [calls.listReplies] })
export const useAddPrivateNote = () =>
  useCall(calls.addPrivateNote, { showsFailure: true, invalidates: [calls.getRecord] })
export const useEndConsultation = () =>
  useCall(calls.endConsultation, {
    showsFailure: true,
    invalidates: CASE_QUERIES,
  })
