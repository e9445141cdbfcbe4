import { type ErrorCode, ERRORS, sentenceOf } from '#contract/errors.ts'
import { answerCalls } from './visit.tsx'

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
    Response.json({ errors: [sentenceOf(code)], code, ...more }, { status: ERRORS[code].status })
export const lost: Turn = () => Promise.reject(new TypeError('Failed to fetch'))

/** Gives these answers to the page's calls, and an empty list to any other. Returns what the page sent. */
export function takeTurns(turns: Turns): Sent[] {
  const sent: Sent[] = []
  answerCalls((called, body = {}, key) => {
    const path = called.replace(/\?.*/, '')
    sent.push({ path, body: body as Sent['body'], key })
    const own = turns[path] ?? [ok([])]
    return (own.length > 1 ? own.shift()! : own[0]!)()
  })
  return sent
}
