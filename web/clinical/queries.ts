import { queryOptions } from '@tanstack/react-query'
import { me } from '#contract/accounts.ts'
import * as calls from '#contract/clinical.ts'
import { getConsultation, listConsultations } from '#contract/consultations.ts'
import { listDuty, listFollowUps } from '#contract/queue.ts'
import { useForForm } from '../lib/for-form.ts'
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
const changesRecord = { showsFailure: true, invalidates: [calls.getRecord] } as const
export const useAddToNote = () => useCall(calls.addToNote, changesRecord)
export const useAddPrivateNote = () => useCall(calls.addPrivateNote, changesRecord)
const changesReplies = { invalidates: [calls.listReplies] }
export const useSaveReply = () => useForForm(calls.saveReply, changesReplies)
export const useRemoveReply = () => useCall(calls.removeReply, { ...changesReplies, showsFailure: true })
export const useEndConsultation = () =>
  useForForm(calls.endConsultation, {
    invalidates: CASE_QUERIES,
    unanswered: 'We didn’t get an answer. Try again: it will only be signed once.',
  })
