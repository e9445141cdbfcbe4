import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Output } from '#contract/call.ts'
import * as calls from '#contract/consultations.ts'
import { queueStatus } from '#contract/queue.ts'
import { api } from '../lib/api.ts'
import { query, useCall } from '../lib/queries.ts'

const PAGE = 20

/** Newest first, page by page. A push tells the page when a vet joined, and it fetches again. */
export const myConsultations = infiniteQueryOptions({
  queryKey: [calls.listConsultations.path, 'pages'],
  queryFn: ({ pageParam, signal }) =>
    api(calls.listConsultations, { limit: PAGE, ...(pageParam && { cursor: pageParam }) }, { signal }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
  refetchOnWindowFocus: 'always',
  retryOnMount: false,
})

export const useStartConsultation = () =>
  useCall(calls.startConsultation, { invalidates: [calls.listConsultations], showsFailure: true }).mutateAsync

const latest = query(calls.listConsultations, { limit: PAGE })
/** The owner's open consults. */
export const openConsultations = {
  ...latest,
  select: ({ consultations }: Output<typeof calls.listConsultations>) =>
    consultations.filter(({ end }) => end === null),
}

/** Refreshed while the page is open, because vets go on and off duty. */
export const queueNow = {
  ...query(queueStatus, {}),
  refetchInterval: 30_000,
  refetchOnWindowFocus: 'always' as const,
}
