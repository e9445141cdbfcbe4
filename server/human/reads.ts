import type { Parsed } from '#contract/call.ts'
import { HUMAN_MINUTES, type humanChallenge as call } from '#contract/human.ts'
import { addMinutes } from '#contract/time.ts'
import type { Ctx } from '../context.ts'
import { newChallenge } from '../identity/human-check.ts'

export const humanChallenge = ({ secrets, now }: Ctx<'anyone'>, { action }: Parsed<typeof call>) =>
  newChallenge(secrets, action, addMinutes(now(), HUMAN_MINUTES))
