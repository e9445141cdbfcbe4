import { createHmac } from 'node:crypto'
import { HOUR, MINUTE } from '#contract/time.ts'
import { RELAY_HOURS, RING_SECONDS, VET_GONE_SECONDS, type Ways } from '#contract/video.ts'
import type { Env } from '../env.ts'

export type Side = 'owner' | 'vet'

/** One page's own room. Signals for it reach no other page, not even an older one of the same person. */
export const deviceRoom = (call: number, device: string) => `call:${call}:${device}`

/**
 * The relay's credentials, as coturn's use-auth-secret checks them: the name contains the time when they expire, and the
 * password is its signature. The name also contains the consult and the side, so that the relay's log shows whose traffic
 * it was. A side always gets the same ones within an hour, so the relay's quota for a name is a quota for a person.
 */
export function waysOf(
  { stunUrl, turn, turnOnly }: Pick<Env, 'stunUrl' | 'turn' | 'turnOnly'>,
  consultation: number,
  side: Side,
  now: Date,
): Ways {
  const stun = stunUrl && !turnOnly ? [{ urls: [stunUrl] }] : []
  if (!turn) return { ice_servers: stun, relay_only: false }
  const hours = Math.ceil(now.getTime() / HOUR) + RELAY_HOURS
  const username = `${hours * 3600}:${consultation}:${side}`
  const credential = createHmac('sha1', turn.secret).update(username).digest('base64')
  // Many office networks let only TCP through.
  const urls = turn.urls.flatMap((url) =>
    url.includes('?') || url.startsWith('turns:') ? [url] : [url, `${url}?transport=tcp`],
  )
  return { ice_servers: [...stun, { urls, username, credential }], relay_only: turnOnly }
}

const STARTED = performance.timeOrigin

/**
 * Why a call is over although nobody left it; null while it isn't. Sound and picture don't need the server. So if the
 * server was down, the vet gets a minute from its start to report.
 */
export function whyOver(
  call: { vetId: number; rungAt: Date; answeredAt: Date | null; vetSeenAt: Date },
  consult: { vetId: number | null; end: Date | null },
  now: Date,
  started = STARTED,
): 'consult moved on' | 'unanswered' | 'vet gone' | null {
  const since = (at: number) => (now.getTime() - at) / 1000
  if (consult.end !== null || consult.vetId !== call.vetId) return 'consult moved on'
  if (call.answeredAt === null && since(call.rungAt.getTime()) >= RING_SECONDS) return 'unanswered'
  return since(Math.max(call.vetSeenAt.getTime(), started)) >= VET_GONE_SECONDS ? 'vet gone' : null
}

/** The message that remains in the conversation. */
export function callSaid(vet: string, answeredAt: Date | null, now: Date): string {
  if (answeredAt === null)
    return `${vet} rang by video, and nobody answered. Write here when you’re ready, and your vet can ring again.`
  const minutes = Math.max(1, Math.round((now.getTime() - answeredAt.getTime()) / MINUTE))
  return `Video call with ${vet}, ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
}
