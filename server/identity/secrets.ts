import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The first one signs. Each is accepted, so that SECRET can be changed without signing anybody out. */
export type Secrets = readonly [signing: Uint8Array, ...alsoAccepted: Uint8Array[]]

/** The secret that is kept in a folder; made if there is none. A first start that found the disk full left it empty. */
export function secretIn(folder: string): string {
  const file = path.join(folder, 'secret')
  const made = randomBytes(32).toString('base64url')
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(file, made, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (statSync(file).size === 0) writeFileSync(file, made)
  }
  return readFileSync(file, 'utf8')
}

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
