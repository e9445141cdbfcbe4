import { hash } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import type { Input } from '#contract/call.ts'
import {
  HUMAN_ATTEMPTS,
  HUMAN_MINUTES,
  type HumanAction,
  type HumanChallenge,
  joiningAction,
} from '#contract/human.ts'
import type { subscribe, upgrade } from '#contract/joining.ts'
import type { Plan } from '#contract/memberships.ts'
import { addMinutes } from '#contract/time.ts'
import type { World } from '#server/context.ts'
import { breeds } from '#server/db/schema.ts'
import { newChallenge } from '#server/identity/human-check.ts'
import type { TestWorld } from './world.ts'

export function solutionOf({ parameters: { salt, nonce, keyPrefix } }: HumanChallenge) {
  // Vitest looks up an import at each use, and there are 125,000 on average.
  const sha = hash
  const message = Buffer.from(`${salt}${nonce}00000000`, 'hex')
  for (let counter = 0; counter <= HUMAN_ATTEMPTS; counter++) {
    message.writeUInt32BE(counter, message.length - 4)
    const derivedKey = sha('sha256', message, 'hex')
    if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey }
  }
  throw new Error('There is no solution')
}

/** What a browser sends after solving a challenge, here one that takes few attempts. */
export async function solved(
  { world }: { world: Pick<World, 'secrets' | 'now'> },
  action: HumanAction,
): Promise<string> {
  const expires = addMinutes(world.now(), HUMAN_MINUTES)
  const challenge = await newChallenge(world.secrets, action, expires, 100)
  return btoa(JSON.stringify({ challenge, solution: solutionOf(challenge) }))
}

let count = 0

/** A new owner's form with a dog and a working card, sent from a separate browser. */
export async function newcomer(
  world: Pick<TestWorld, 'nobody' | 'db' | 'world'>,
  change: Partial<Input<typeof subscribe>> = {},
) {
  const n = ++count
  const plan: Plan = change.plan === 'monthly' ? 'monthly' : 'annual'
  const [breed] = await world.db
    .select()
    .from(breeds)
    .where(eq(breeds.speciesId, 1))
    .orderBy(asc(breeds.id))
    .limit(1)
  const form: Input<typeof subscribe> = {
    plan,
    firstName: 'Lerato',
    lastName: 'Nkosi',
    email: `joins${n}@example.com`,
    mobile: '082 555 1234',
    postcode: '8001',
    address: '1 Long Street',
    password: 'Passw0rd',
    pet: { name: 'Biscuit', type: 1, breed: breed!.id, dob: '2021-03-04', sex: 0 },
    stripeToken: 'tok_visa',
    agreed: true,
    terms: '1',
    userConfirmation: await solved(world, joiningAction(plan)),
    ...change,
  }
  return { form, browser: world.nobody.from(`10.${4 + (n >> 8)}.0.${n & 255}`), breed: breed!.id }
}

export const upgradeForm = async (
  world: Pick<TestWorld, 'world'>,
  change: Partial<Input<typeof upgrade>> = {},
): Promise<Input<typeof upgrade>> => ({
  plan: 'monthly',
  stripeToken: 'tok_visa',
  agreed: true,
  terms: '1',
  userConfirmation: await solved(world, joiningAction(change.plan === 'annual' ? 'annual' : 'monthly')),
  ...change,
})
