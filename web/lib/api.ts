import type { Call, Input, Output } from '#contract/call.ts'
import { urlOf } from '#contract/call.ts'
import { sentenceOf } from '#contract/errors.ts'
import { type HumanAction, humanChallenge } from '#contract/human.ts'
import { type Region, REGIONS } from '#contract/regions.ts'
import { countData } from './data-used.ts'
import { leaveForLogin, leaveToSetUp } from './login-path.ts'
import { cameFilled, say } from '../ui/say.ts'
import {
  correctClock,
  endSession,
  isGuestsRoom,
  mainToken,
  renewToken,
  settled,
  singleToken,
} from './session.ts'

export interface CallOptions {
  signal?: AbortSignal
  /** Gives up after this many milliseconds. By default after 30 s, and never for an upload. */
  timeout?: number
  /** Sent with every retry, so the server does the work only once. */
  idempotencyKey?: string
  /** A token of another kind, such as the clinic's. */
  token?: string
  /** The call is about this consultation, so its own token is tried if the account's isn't enough. */
  consultation?: number
  /** Called with the share of the body that was sent, from 0 to 1. */
  onProgress?: (sent: number) => void
}

/** A call that failed. Status 0 means no response. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly errors: string[]
  readonly code: string | undefined
  readonly fields: Record<string, string>
  /** The whole response, for codes with more details, such as the right price. */
  readonly body: Record<string, unknown>
  /** There was no response within the call's timeout. */
  readonly late: boolean
  /** The plain body `Unauthorized`: this page's session has ended. */
  readonly unauthorized: boolean

  constructor(status: number, text: string, { ofSession = true, late = false } = {}) {
    const body = objectOf(text)
    const errors = Array.isArray(body.errors) ? body.errors.map(String) : []
    const refused = status === 401 && errors.length === 0 && text.includes('Unauthorized')
    super(errors.join('\n') || (refused ? sentenceOf('PLEASE_LOGIN') : sentenceOf('UNEXPECTED')))
    if (typeof body.sentence === 'string')
      cameFilled(this.message, body.sentence, body.values as Record<string, string>)
    this.status = status
    this.errors = errors
    this.code = typeof body.code === 'string' ? body.code : undefined
    this.fields = (body.fields as Record<string, string> | undefined) ?? {}
    this.body = body
    this.late = late
    this.unauthorized = refused && ofSession
  }
}

/** Without an answer, we don't know whether the call was carried out. */
export const isSilence = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500)

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return value && typeof value === 'object' ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** A network that wants people to sign in answers with its own page instead of ours. */
function answerOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError(0, '')
  }
}

const PATIENCE = 30_000

interface Known {
  etag: string
  answer: unknown
}
/** Responses with a version, by token and address. The server doesn't send an unchanged one again. */
const known = new Map<string, Known>()
const MOST_KNOWN = 20

function remember(name: string, latest: Known) {
  known.delete(name)
  known.set(name, latest)
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!)
}

/** How often one call solves another human check, or asks for the password again, if the server still refuses. */
const CHECKS = 2

/** Makes one call of the contract. If the server asks for the human check or the password, it calls again after it. */
export async function api<C extends Call>(
  definition: C,
  input: Input<C>,
  options: CallOptions = {},
  checks = CHECKS,
): Promise<Output<C>> {
  await settled()
  const main = options.token ?? mainToken()
  const single = options.consultation === undefined ? undefined : singleToken(options.consultation)
  let token = main ?? single
  const { url } = urlOf(definition, input)
  const before = known.get(`${token} ${url}`)
  let response = await send(definition, input, options, token, before?.etag)
  if (response.status === 304 && before) return before.answer as Output<C>
  const outOfReach = [401, 403, 404].includes(response.status)
  if (main && single && outOfReach) response = await send(definition, input, options, (token = single))
  const text = await textOf(response)
  if (!response.ok) {
    const error = new ApiError(response.status, text, { ofSession: !options.token && isOfSession(token) })
    if (error.code === 'FACTOR_REQUIRED') leaveToSetUp()
    if (error.code === 'PASSWORD_AGAIN' && checks > 0) {
      const { askPasswordAgain } = await import('./password-again.tsx')
      if (await askPasswordAgain((call, typed) => api(call, typed, {}, 0)))
        return api(definition, input, options, checks - 1)
    }
    const { human } = error.body
    if (!human || checks === 0) throw error
    const userConfirmation = await solveHuman(human as HumanAction, options.signal)
    return api(definition, { ...(input as object), userConfirmation } as Input<C>, options, checks - 1)
  }
  const answer = text ? answerOf(text) : undefined
  const etag = response.headers.get('etag')
  if (etag) remember(`${token} ${url}`, { etag, answer })
  return answer as Output<C>
}

/** Solves the human check. The answer is sent as userConfirmation and works once, for this action. */
export async function solveHuman(action: HumanAction, signal?: AbortSignal): Promise<string> {
  const challenge = await api(humanChallenge, { action }, { signal })
  const { solve } = await import('./human.ts')
  return solve(challenge, signal)
}

/** A refusal of an older token doesn't concern the present session. */
const isOfSession = (sent: string | undefined) => [undefined, sent].includes(mainToken())

async function send(
  definition: Call,
  input: object,
  options: CallOptions,
  token: string | undefined,
  etag?: string,
) {
  const { url, body } = urlOf(definition, input)
  const headers = new Headers()
  const { region } = document.documentElement.dataset
  if (region) headers.set('app_module', REGIONS[region as Region].appModule)
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (etag) headers.set('if-none-match', etag)
  if (options.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey)
  const form = body && definition.upload ? formOf(body) : undefined
  if (body && !form) headers.set('content-type', 'application/json')
  const timeout = options.timeout ?? (definition.upload ? undefined : PATIENCE)
  const limits = [options.signal, timeout !== undefined && AbortSignal.timeout(timeout)].filter(
    (x) => x instanceof AbortSignal,
  )
  try {
    const request = {
      method: definition.method,
      headers,
      cache: 'no-store' as const,
      body: form ?? (body && JSON.stringify(body)),
      signal: AbortSignal.any(limits),
    }
    const { onProgress } = options
    const response = await (onProgress
      ? sendTold(`/api${url}`, request, onProgress)
      : fetch(`/api${url}`, request))
    correctClock(response.headers.get('date'))
    const renewed = response.headers.get('x-vetchat-token')
    if (renewed && token) renewToken(token, renewed)
    return response
  } catch (error) {
    const late = error instanceof DOMException && error.name === 'TimeoutError'
    throw options.signal?.aborted ? error : new ApiError(0, '', { late })
  }
}

interface Told {
  method: string
  headers: Headers
  body?: FormData | string
  signal?: AbortSignal
}

/** Like fetch, but reports upload progress. */
function sendTold(url: string, { method, headers, body, signal }: Told, onProgress: (sent: number) => void) {
  return new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    headers.forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total ? loaded / total : 0))
    request.upload.addEventListener('loadend', ({ loaded }) => countData(loaded))
    request.addEventListener('load', () => {
      const answered = new Headers()
      for (const name of ['date', 'x-vetchat-token']) {
        const value = request.getResponseHeader(name)
        if (value) answered.set(name, value)
      }
      resolve(new Response(request.responseText, { status: request.status, headers: answered }))
    })
    for (const trouble of ['error', 'abort', 'timeout'])
      request.addEventListener(trouble, () => reject(new TypeError(trouble)))
    signal?.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}

async function textOf(response: Response) {
  try {
    return await response.text()
  } catch {
    throw new ApiError(0, '')
  }
}

function formOf(body: Record<string, unknown>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(body))
    for (const part of [value].flat())
      if (part != null) form.append(name, part instanceof Blob ? part : String(part))
  return form
}

/** What the person can do about a failure that has no sentence of its own. */
export function adviceOn(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.message !== sentenceOf('UNEXPECTED')) return undefined
  if (error.status === 0)
    return navigator.onLine
      ? say('We couldn’t reach VetChat. Check your connection and try again.')
      : say('You’re offline. Try again when you’re back online.')
  return error.status === 429
    ? say('VetChat is busy. Please try again in a minute.')
    : say('Something went wrong on our side. Please try again in a minute.')
}

/**
 * The sentence for a failed call. If the session has expired, it is signed out here, and /login says "Please login" and
 * leads back to this page. A room that a guest's token can open stays open.
 */
export function failed(error: unknown): string {
  if (!(error instanceof ApiError)) {
    reportError(error)
    return sentenceOf('UNEXPECTED')
  }
  if (!error.unauthorized) return error.message
  const isGuest = mainToken() === undefined
  endSession()
  if (isGuest || !isGuestsRoom()) leaveForLogin('assign')
  return sentenceOf('PLEASE_LOGIN')
}
