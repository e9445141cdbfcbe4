import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { logout } from '#contract/accounts.ts'
import type { Call, Input, Output } from '#contract/call.ts'
import { sentenceOf } from '#contract/errors.ts'
import { listClinics } from '#contract/clinics.ts'
import * as calls from '#contract/portal.ts'
import { MINUTE } from '#contract/time.ts'
import { api, ApiError } from '../lib/api.ts'
import { refusalOf } from '../lib/for-form.ts'
import { query } from '../lib/queries.ts'
import { clinicToken, forgetClinicToken, keepClinicToken } from './clinic-session.ts'

const PATIENCE_MS = 30_000
/** While nothing has changed, the server's answer is only a few bytes. */
const LOOKS_AGAIN_MS = 5000
/** While another tab is in front, people only see this tab's title, which counts waiting cases. */
const LOOKS_AGAIN_HIDDEN_MS = MINUTE

/** Makes a call with the clinic's token, and signs out if its session has ended. */
async function asClinic<C extends Call>(
  definition: C,
  input: Input<C>,
  signal?: AbortSignal,
): Promise<Output<C>> {
  const token = clinicToken()
  try {
    return await api(definition, input, { timeout: PATIENCE_MS, token, signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && clinicToken() === token) forgetClinicToken(true)
    throw error
  }
}

const clinicQuery = <C extends Call>(definition: C, input: Input<C>) =>
  queryOptions({
    queryKey: [definition.path, input, 'clinic'],
    queryFn: ({ signal }) => asClinic(definition, input, signal),
    // After 30 seconds the page says so. The list is fetched again automatically.
    retry: false,
  })

export function wentWrong(error: unknown): string {
  if (!(error instanceof ApiError)) return sentenceOf('UNEXPECTED')
  if (error.late) return 'VetChat hasn’t answered for 30 seconds. Please try again.'
  return error.status === 0
    ? 'We couldn’t reach VetChat. Check your connection and try again.'
    : error.message
}

export const signedInClinic = clinicQuery(calls.myClinic, {})
export const cases = {
  ...clinicQuery(calls.listClinicConsultations, {}),
  refetchInterval: () => (document.hidden ? LOOKS_AGAIN_HIDDEN_MS : LOOKS_AGAIN_MS),
  refetchIntervalInBackground: true,
}
type Cases = Output<typeof calls.listClinicConsultations>

export const whyEnded = (token: string) => query(calls.readClinicSignOut, { token })

export const deferred = (range: Input<typeof calls.countDeferred>) => clinicQuery(calls.countDeferred, range)
export const everyClinic = query(listClinics, {})
export const deferredOf = (id: number, range: Input<typeof calls.countDeferred>) =>
  query(calls.countDeferredOf, { id, ...range })

/** A change whose failure its button shows. `onDone` puts the answer into the cache. */
function useClinicCall<C extends Call>(
  definition: C,
  onDone?: (answer: Output<C>, client: QueryClient) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Input<C>) => asClinic(definition, input),
    meta: { showsFailure: true },
    onSuccess: (answer) => onDone?.(answer, client),
  })
}

/** The same for a form, which shows why it was refused. */
function useForClinicForm<C extends Call>(...given: Parameters<typeof useClinicCall<C>>) {
  const { mutateAsync } = useClinicCall(...given)
  return (input: Input<C>) =>
    mutateAsync(input).catch((error: unknown) => {
      throw refusalOf(error, wentWrong(error))
    })
}

export const useLoginClinic = () =>
  useForClinicForm(calls.loginClinic, ({ token, clinic }, client) => {
    client.setQueryData(signedInClinic.queryKey, clinic)
    keepClinicToken(token)
    // The form that had the focus has disappeared.
    requestAnimationFrame(() => document.getElementById('main')?.focus())
  })

/** Signs out here straight away, and on the server as soon as it can be reached. */
export function useLogoutClinic() {
  const client = useQueryClient()
  return () => {
    const token = clinicToken()
    if (token) void api(logout, {}, { token, timeout: 5000 }).catch(() => {})
    forgetClinicToken()
    client.clear()
  }
}

export const useAccept = () =>
  useClinicCall(calls.acceptConsultation, ({ consultation }, client) =>
    client.setQueryData(cases.queryKey, (before: Cases | undefined) =>
      before?.map((one) => (one.id === consultation.id ? consultation : one)),
    ),
  )

export const useResetClinicPassword = () => useForClinicForm(calls.resetClinicPassword)

export const useSetClinicMail = () =>
  useForClinicForm(calls.setClinicMail, (clinic, client) =>
    client.setQueryData(signedInClinic.queryKey, clinic),
  )
