import type { Env } from '../env.ts'

export interface Sms {
  /** The same number for every try, by which the provider recognises a repeat. */
  messageId: string
  to: string
  text: string
}

/** The provider refused this message for good, so a retry would be refused too. */
export class SmsRefused extends Error {
  override name = 'SmsRefused'
}

/** Sends one SMS; throws if the provider doesn't accept it. */
export type Texter = (sms: Sms) => Promise<void>

const PATIENCE_MS = 15_000
/** These are about our account or the provider's state, and are temporary. */
const FOR_LATER = [401, 402, 403, 408, 409, 425, 429]

/**
 * Posts to a provider that takes BulkSMS's JSON. SMS_URL is the address of its messages, with the account's id and
 * secret. Without it no SMS leaves the server: the table of messages is the sandbox's inbox.
 */
export function openTexter({ smsUrl }: Pick<Env, 'smsUrl'>): Texter {
  if (!smsUrl) return async () => {}
  const { username, password, origin, pathname, searchParams } = new URL(smsUrl)
  const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = `Basic ${Buffer.from(account).toString('base64')}`
  return async ({ messageId, to, text }) => {
    const query = new URLSearchParams(searchParams)
    query.set('auto-unicode', 'true')
    query.set('deduplication-id', messageId)
    const answer = await fetch(`${origin}${pathname}?${query}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ to, body: text }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await answer.body?.cancel()
    if (answer.ok) return
    const says = `The SMS provider answered ${answer.status}`
    const isForGood = answer.status < 500 && !FOR_LATER.includes(answer.status)
    throw isForGood ? new SmsRefused(says) : new Error(says)
  }
}
