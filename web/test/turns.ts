import { vi } from 'vitest'
import { type ErrorCode, ERRORS, words } from '#contract/errors.ts'

interface Sent {
  path: string
  key: string | null
  body: Record<string, unknown>
}
export type Turn = () => Response | Promise<Response>
/** Each call's answers in order. The last one repeats. */
export type Turns = Record<string, Turn[]>

export const ok =
  (body: unknown): Turn =>
  () =>
    Response.json(body)
export const refuse =
  (code: ErrorCode, more: object = {}): Turn =>
  () =>
    Response.json({ errors: [words(code)], code, ...more }, { status: ERRORS[code].status })
export const lost: Turn = () => Promise.reject(new TypeError('Failed to fetch'))

/** Gives these answers to the page's calls, and an empty list to any other. Returns what the page sent. */
export function takeTurns(turns: Turns): Sent[] {
  const sent: Sent[] = []
  vi.stubGlobal('fetch', async (url: string, init: { body?: string; headers: Headers }) => {
    const path = url.replace(/^\/api/, '').replace(/\?.*/, '')
    const body = init.body ? (JSON.parse(init.body) as Sent['body']) : {}
    sent.push({ path, body, key: init.headers.get('idempotency-key') })
    const own = turns[path] ?? [ok([])]
    return (own.length > 1 ? own.shift()! : own[0]!)()
  })
  return sent
}
