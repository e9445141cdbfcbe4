import { infiniteQueryOptions } from '@tanstack/react-query'
import * as calls from '#contract/consultations.ts'
import { api } from '../lib/api.ts'
import { useCall } from '../lib/queries.ts'

const PAGE = 20
const WHILE_OPEN = 15_000

/** Newest first, page by page. While one is open the list looks again, so that a vet who joined is seen. */
export const myConsultations = infiniteQueryOptions({
  queryKey: [calls.listConsultations.path, 'pages'],
  queryFn: ({ pageParam, signal }) =>
    api(calls.listConsultations, { limit: PAGE, ...(pageParam && { cursor: pageParam }) }, { signal }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
  refetchOnWindowFocus: 'always',
  retryOnMount: false,
  refetchInterval: ({ state }) => {
    const counts = state.data?.pages[0]?.counts
    return counts && counts.needs_help + counts.in_progress > 0 ? WHILE_OPEN : false
  },
})

export const useStartConsultation = () =>
  useCall(calls.startConsultation, { invalidates: [calls.listConsultations], showsFailure: true }).mutateAsync
