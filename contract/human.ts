import * as z from 'zod'
import { call } from './call.ts'
import type { Plan } from './memberships.ts'

/* The human check: a puzzle that the browser solves, signed for one action (decision 023). */

export const HUMAN_ACTIONS = ['subscribe_annually', 'subscribe_monthly', 'pay', 'contact'] as const
export type HumanAction = (typeof HUMAN_ACTIONS)[number]
export const HUMAN_MINUTES = 20

/** What the check before a membership purchase is for. */
export const joiningAction = (plan: Plan): HumanAction =>
  plan === 'annual' ? 'subscribe_annually' : 'subscribe_monthly'

/** The solved challenge in base64. */
export const userConfirmation = z.string().max(2000)

export const humanChallenge = call({
  method: 'GET',
  path: '/human',
  summary: 'A challenge for the human check; its solution is good for one action, once',
  access: 'anyone',
  input: z.object({ action: z.enum(HUMAN_ACTIONS) }),
  output: z.object({
    algorithm: z.literal('SHA-256'),
    challenge: z.string(),
    maxnumber: z.number(),
    salt: z.string(),
    signature: z.string(),
  }),
})
