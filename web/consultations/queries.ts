import { infiniteQueryOptions } from '@tanstack/react-query'
import * as calls from '#contract/consultations.ts'
import { api } from '../lib/api.ts'
import { useCall } from '../lib/queries.ts'
import { attach } from '#contract/chat.ts'

const PAGE = 20

/** Newest first, page by page. That a vet joined is told to the page, which then looks again. */
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

/** Sends a photo into a consult. The same name again is the same photo. */
export const sendPhoto = (
  consultation: number,
  { id, file }: { id: string; file: File },
  onProgress: (sent: number) => void,
) => api(attach, { consultation, client_id: id, file }, { onProgress })
