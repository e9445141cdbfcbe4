import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'
import { FACTOR_DIGITS } from '#contract/factor.ts'
import { newTypedCode } from '../identity/codes.ts'
import { macOf, type Secrets } from '../identity/secrets.ts'

const CIPHER = 'aes-256-gcm'
const [IV, TAG] = [12, 16]
const SECONDS = 30
const RECOVERY_LENGTH = 10

const keyFor = (secret: Uint8Array, use: string) => Buffer.from(hkdfSync('sha256', secret, '', use, 32))
const sealKey = (secret: Uint8Array) => keyFor(secret, 'second factor')

/** Encrypts a factor's secret for one person. In another person's row it can't be opened. */
export function seal([signing]: Secrets, userId: number, text: string): string {
  const iv = randomBytes(IV)
  const cipher = createCipheriv(CIPHER, sealKey(signing), iv).setAAD(Buffer.from(String(userId)))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

function unsealWith(secret: Uint8Array, userId: number, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const cipher = createDecipheriv(CIPHER, sealKey(secret), bytes.subarray(0, IV))
    .setAAD(Buffer.from(String(userId)))
    .setAuthTag(bytes.subarray(IV, IV + TAG))
  return Buffer.concat([cipher.update(bytes.subarray(IV + TAG)), cipher.final()]).toString('utf8')
}

/** Opens what any of the secrets sealed. `isOld` means that it wasn't the secret that seals now. */
export function unseal([signing, ...others]: Secrets, userId: number, sealed: string) {
  for (const secret of others) {
    const key = opened(secret, userId, sealed)
    if (key !== null) return { key, isOld: true }
  }
  return { key: unsealWith(signing, userId, sealed), isOld: false }
}

/** Null if another secret sealed it. */
function opened(secret: Uint8Array, userId: number, sealed: string): string | null {
  try {
    return unsealWith(secret, userId, sealed)
  } catch (error) {
    if (error instanceof Error && /unable to authenticate data/.test(error.message)) return null
    throw error
  }
}

export const newKey = () => new Secret({ size: 20 }).base32

const totpOf = (key: string, label = '') =>
  new TOTP({ issuer: 'VetChat', label, secret: key, digits: FACTOR_DIGITS, period: SECONDS })

/** The half minute of a code, if it's the current one or next to it, because phones run a little fast or slow. */
export function stepOf(key: string, code: string, now: Date): number | undefined {
  const off = totpOf(key).validate({ token: code, timestamp: now.getTime(), window: 1 })
  return off === null ? undefined : Math.floor(now.getTime() / 1000 / SECONDS) + off
}

/** What an app scans, as one path of unit squares. */
export function qrOf(key: string, label: string) {
  const { data, size } = encode(totpOf(key, label).toString(), { ecc: 'M', border: 0 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return { path: dark.join(''), size }
}

export const isOfApp = (code: string) => new RegExp(`^\\d{${FACTOR_DIGITS}}$`).test(code)

export const newRecoveryCode = () => newTypedCode(RECOVERY_LENGTH)

/**
 * The hash is keyed, because somebody with only the database could search fifty bits. The key is the app's own, which
 * outlives a change of SECRET.
 */
export const hashOfRecoveryCode = (key: string, code: string) =>
  macOf(keyFor(Buffer.from(key), 'recovery codes'), code)

/** The codes of earlier builds were keyed by SECRET. */
export const earlierHashesOf = (secrets: Secrets, code: string) =>
  secrets.map((secret) => macOf(keyFor(secret, 'recovery codes'), code))
