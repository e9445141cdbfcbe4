import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Input } from '#contract/call.ts'
import * as calls from '#contract/video.ts'
import { api, ApiError } from '../lib/api.ts'
import { ask, on } from '../lib/live.ts'

const callKey = (consultation: number) => [calls.getCall.path, { consultation }] as const

/** The open call of a consult, and the servers to make it with. */
export const callQuery = (consultation: number) =>
  queryOptions({
    queryKey: callKey(consultation),
    queryFn: ({ signal }) => api(calls.getCall, { consultation }, { consultation, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Fetches again, because an answer that is on its way may be out of date. */
export async function lookAgain(client: QueryClient, consultation: number) {
  const { queryKey } = callQuery(consultation)
  await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}

/** Puts a pushed call into the query that reads it. */
export function keepCall(client: QueryClient, consultation: number, call: calls.VideoCall | null) {
  const { queryKey } = callQuery(consultation)
  const state = client.getQueryState(queryKey)
  if (state?.status === 'success' && state.fetchStatus === 'idle')
    client.setQueryData(queryKey, (known) => known && { ...known, call })
  else void lookAgain(client, consultation)
}

export const readCall = (consultation: number) => api(calls.getCall, { consultation }, { consultation })

/** This page's last request to leave. A ring sent before it is done would only continue the call that is being left. */
let leaving: Promise<unknown> = Promise.resolve()

export const joinCall = (own: Input<typeof calls.joinCall>) => leaving.then(() => ask(calls.joinCall, own))
export const answerCall = (answer: Input<typeof calls.answerCall>) => ask(calls.answerCall, answer)
export const holdCall = (own: Input<typeof calls.holdCall>) => ask(calls.holdCall, own)
const AGAIN_MS = 2000
/** Retries for a minute if the server is away, so that the other side doesn't wait for this page. */
export async function leaveCall(own: Input<typeof calls.leaveCall>, tries = 30): Promise<void> {
  const left = ask(calls.leaveCall, own)
  leaving = left.catch(() => {})
  try {
    await left
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status > 0 && error.status < 500) || tries <= 1) return
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    await leaveCall(own, tries - 1)
  }
}
export const sendSignals = (batch: Input<typeof calls.sendSignals>) => ask(calls.sendSignals, batch)

export const onCall = (consultation: number, listen: (call: calls.VideoCall | null) => void) =>
  on(calls.callChanged, ({ consultation: which, call }) => {
    if (which === consultation) listen(call)
  })

export const onSignals = (
  consultation: number,
  listen: (batch: { from: string; to: string; n: number; signals: calls.Signal[] }) => void,
) =>
  on(calls.signalled, (batch) => {
    if (batch.consultation === consultation) listen(batch)
  })

/** A round trip to our server, in milliseconds. */
export async function pingServer(): Promise<number> {
  const from = performance.now()
  await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(5000) })
  return performance.now() - from
}
