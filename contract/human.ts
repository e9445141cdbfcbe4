import * as z from 'zod'
import { call } from './call.ts'
import type { Plan } from './memberships.ts'

/* The human check: a puzzle that the browser solves, signed for one action (decision 023). */

/** `try_again` is for anything that was tried too often from an address that many people may share. */
export const HUMAN_ACTIONS = [
  'subscribe_annually',
  'subscribe_monthly',
  'pay',
  'contact',
  'try_again',
] as const
export type HumanAction = (typeof HUMAN_ACTIONS)[number]
export const HUMAN_MINUTES = 20
/** A browser needs half of these attempts on average: about a second on a cheap phone. */
export const HUMAN_ATTEMPTS = 250_000

/** What the check before a membership purchase is for. */
export const joiningAction = (plan: Plan): HumanAction =>
  plan === 'annual' ? 'subscribe_annually' : 'subscribe_monthly'

export const HumanChallenge = z.object({
  parameters: z.object({
    algorithm: z.literal('SHA-256'),
    cost: z.literal(1),
    data: z.object({ action: z.enum(HUMAN_ACTIONS) }),
    expiresAt: z.number(),
    keyLength: z.number(),
    keyPrefix: z.string(),
    nonce: z.string(),
    salt: z.string(),
  }),
  signature: z.string(),
})
export type HumanChallenge = z.infer<typeof HumanChallenge>

/** What a page sends, as JSON in base64. */
export const HumanSolution = z.object({
  challenge: HumanChallenge,
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

/** A call with this in its input may ask for the human check. */
export const confirmation = { userConfirmation: z.string().max(2000).nullish() }

/** Hidden from people: only programs fill it. */
export const honeypot = { website: z.string().max(1000).default('') }

export const humanChallenge = call('GET', '/human', {
  summary: 'A challenge for the human check; its solution is good for one action, once',
  access: 'anyone',
  input: z.object({ action: z.enum(HUMAN_ACTIONS) }),
  output: HumanChallenge,
})
