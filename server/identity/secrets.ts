import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The first one signs. Each is accepted, so that SECRET can be changed without signing anybody out. */
export type Secrets = readonly [signing: Uint8Array, ...alsoAccepted: Uint8Array[]]

/** For content that is random enough, or no secret, so that its hash needs no key. */
export const hashOf = (content: string | Uint8Array) =>
  createHash('sha256').update(content).digest('base64url')

export const macOf = (secret: Uint8Array, text: string) =>
  createHmac('sha256', secret).update(text).digest('base64url')

export const sign = ([signing]: Secrets, text: string) => macOf(signing, text)

export function isSame(given: string, right: string) {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

export const isSignedBy = (secrets: Secrets, text: string, signature: string) =>
  secrets.some((secret) => isSame(signature, macOf(secret, text)))
