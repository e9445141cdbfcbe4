import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as calls from '#contract/consultations.ts'
import { type Advice, listAdvice } from '#contract/content.ts'
import { queueStatus } from '#contract/queue.ts'
import { api, ApiError } from '../lib/api.ts'
import { query, useCall } from '../lib/queries.ts'
import { mainToken, markOpen, singleTokens } from '../lib/session.ts'

const PAGE = 20

/** Newest first, page by page. A push tells the page that a vet joined, and it fetches again. */
export const myConsultations = infiniteQueryOptions({
  queryKey: [calls.listConsultations.path, 'pages'],
  queryFn: ({ pageParam, signal }) =>
    api(calls.listConsultations, { limit: PAGE, cursor: pageParam || undefined }, { signal }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
  refetchOnWindowFocus: 'always',
  retryOnMount: false,
})

export const useStartConsultation = () =>
  useCall(calls.startConsultation, { invalidates: [calls.listConsultations], showsFailure: true }).mutateAsync

/** The open consults of everyone who uses this browser: the signed-in person and guests. */
export const openNow = queryOptions({
  queryKey: [calls.listOpen.path],
  async queryFn({ signal }) {
    const asked = [mainToken() && api(calls.listOpen, {}, { signal })]
    for (const token of singleTokens()) asked.push(guestsOpen(token, signal))
    const found = (await Promise.all(asked)).flatMap((open) => open || [])
    const open = found.filter((one, at) => found.findIndex(({ id }) => id === one.id) === at)
    markOpen(open.length > 0)
    return open
  },
  refetchOnWindowFocus: 'always' as const,
})

/** A guest's token has no open consult if it was revoked, or if the consult belongs to an account by now. */
const guestsOpen = (token: string, signal: AbortSignal) =>
  api(calls.listOpen, {}, { token, signal }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return []
    throw error
  })

/** Refreshed while the page is open, because vets go on and off duty. */
export const queueNow = {
  ...query(queueStatus, {}),
  refetchInterval: 30_000,
  refetchOnWindowFocus: 'always' as const,
}

/** The signs on public pages that can't wait; null until a vet has reviewed them. */
export const signsOfEmergency = queryOptions({
  ...query(listAdvice, {}),
  staleTime: Number.POSITIVE_INFINITY,
  select: (all: Advice[]) => all.find(({ item }) => item === 'signs') ?? null,
})
