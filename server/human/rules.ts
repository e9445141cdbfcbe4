import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { HUMAN_ACTIONS, type HumanAction } from '#contract/human.ts'

/** A browser tries about half of them: a cheap phone for a second, and for every purchase anew. */
const MOST_TRIES = 250_000
const ALGORITHM = 'SHA-256'

const hexOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** The key is for nothing else, so that what is signed here can not pass for something else of ours. */
const sign = (secret: Uint8Array, challenge: string) =>
  createHmac('sha256', createHmac('sha256', secret).update('human check').digest())
    .update(challenge)
    .digest('hex')

/**
 * A challenge of ALTCHA's first version: find the number whose hash behind the salt is the challenge. What it is for
 * and how long it is good stand in the salt, so the signature holds them too. The salt ends with a mark that is no
 * digit: else its last digits and the number's first could change places.
 */
export function newChallenge(secret: Uint8Array, action: HumanAction, expires: Date) {
  const seconds = Math.floor(expires.getTime() / 1000)
  const salt = `${randomBytes(12).toString('hex')}?action=${action}&expires=${seconds}&`
  const challenge = hexOf(salt + randomInt(MOST_TRIES + 1))
  const signature = sign(secret, challenge)
  return { algorithm: ALGORITHM, challenge, maxnumber: MOST_TRIES, salt, signature } as const
}

const SALT = new RegExp(`^[0-9a-f]{24}\\?action=(${HUMAN_ACTIONS.join('|')})&expires=(\\d{1,12})&$`)

/** What a solution proves; null where it proves nothing. */
export function readSolution(secret: Uint8Array, solution: string) {
  const { algorithm, challenge, number, salt, signature } = objectOf(solution)
  if (algorithm !== ALGORITHM || typeof salt !== 'string' || typeof signature !== 'string') return null
  const [, action, expires] = SALT.exec(salt) ?? []
  if (!action || !Number.isInteger(number) || (number as number) < 0) return null
  if (hexOf(salt + String(number)) !== challenge) return null
  const [given, right] = [signature, sign(secret, challenge)].map((text) => Buffer.from(text))
  if (given!.length !== right!.length || !timingSafeEqual(given!, right!)) return null
  return { action: action as HumanAction, expires: new Date(Number(expires) * 1000), challenge }
}

function objectOf(solution: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(solution, 'base64').toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
