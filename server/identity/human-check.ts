import { createHmac, randomInt } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/sha'
import { fail } from '#contract/errors.ts'
import { HUMAN_ATTEMPTS, type HumanAction, HumanChallenge, HumanSolution } from '#contract/human.ts'
import type { World } from '../context.ts'
import type { Secrets } from './secrets.ts'
import { spend } from './single-use-tokens.ts'

/** The key signs nothing else, so a signature made elsewhere can't pass for a challenge. */
const keyFrom = (secret: Uint8Array) => createHmac('sha256', secret).update('human check').digest('hex')

/** With fewer attempts it's solved sooner, which helps tests. */
export async function newChallenge(
  [signing]: Secrets,
  action: HumanAction,
  expiresAt: Date,
  attempts = HUMAN_ATTEMPTS,
) {
  const challenge = await createChallenge({
    algorithm: 'SHA-256',
    cost: 1,
    counter: randomInt(attempts + 1),
    data: { action },
    deriveKey,
    expiresAt,
    hmacSignatureSecret: keyFrom(signing),
  })
  return HumanChallenge.parse(challenge)
}

/** What a solution proves; null if it proves nothing. */
async function readSolution(secrets: Secrets, packed: string) {
  const { data } = HumanSolution.safeParse(unpack(packed))
  if (!data) return null
  for (const secret of secrets) {
    const { verified } = await verifySolution({ ...data, deriveKey, hmacSignatureSecret: keyFrom(secret) })
    if (verified) return data.challenge
  }
  return null
}

function unpack(packed: string): unknown {
  try {
    return JSON.parse(Buffer.from(packed, 'base64').toString())
  } catch {
    return null
  }
}

/**
 * Passes only with a solution for this action that is in time and unused, and uses it up. So call it after everything
 * else that may refuse, before asking the provider, and outside of transactions.
 */
export async function checkHuman(
  ctx: Pick<World, 'db' | 'now' | 'secrets'>,
  action: HumanAction,
  solution: string | undefined,
): Promise<void> {
  const challenge = solution ? await readSolution(ctx.secrets, solution) : null
  const expires = new Date((challenge?.parameters.expiresAt ?? 0) * 1000)
  const isRight = challenge?.parameters.data.action === action && expires > ctx.now()
  if (!isRight || !(await spend(ctx, `human ${challenge.signature}`, expires)))
    fail('HUMAN_CHECK', { body: { human: action } })
}
