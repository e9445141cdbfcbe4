import { createHmac, randomInt } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/sha'
import { HUMAN_ATTEMPTS, type HumanAction, HumanChallenge, HumanSolution } from '#contract/human.ts'

/** The key signs nothing else, so a signature made elsewhere can't pass for a challenge. */
const keyFrom = (secret: Uint8Array) => createHmac('sha256', secret).update('human check').digest('hex')

export async function newChallenge(secret: Uint8Array, action: HumanAction, expiresAt: Date) {
  const challenge = await createChallenge({
    algorithm: 'SHA-256',
    cost: 1,
    counter: randomInt(HUMAN_ATTEMPTS + 1),
    data: { action },
    deriveKey,
    expiresAt,
    hmacSignatureSecret: keyFrom(secret),
  })
  return HumanChallenge.parse(challenge)
}

/** What a solution proves; null where it proves nothing. */
export async function readSolution(secret: Uint8Array, packed: string) {
  const { data } = HumanSolution.safeParse(unpack(packed))
  if (!data) return null
  const { verified } = await verifySolution({ ...data, deriveKey, hmacSignatureSecret: keyFrom(secret) })
  return verified ? data.challenge : null
}

function unpack(packed: string): unknown {
  try {
    return JSON.parse(Buffer.from(packed, 'base64').toString())
  } catch {
    return null
  }
}
