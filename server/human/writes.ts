import { fail } from '#contract/errors.ts'
import type { HumanAction } from '#contract/human.ts'
import type { World } from '../context.ts'
import { spend } from '../identity/single-use-tokens.ts'
import { readSolution } from './rules.ts'

/**
 * Passes only with a solution for this action that is in time and was not used before. It is used up by this, so it is
 * asked after what stands in the way of a purchase anyhow, before the provider is asked, and outside of transactions.
 */
export async function checkHuman(
  ctx: Pick<World, 'db' | 'now' | 'secret'>,
  action: HumanAction,
  solution: string | null | undefined,
): Promise<void> {
  const challenge = solution ? await readSolution(ctx.secret, solution) : null
  if (challenge?.parameters.data.action !== action) return fail('HUMAN_CHECK')
  const expires = new Date(challenge.parameters.expiresAt * 1000)
  if (expires <= ctx.now() || !(await spend(ctx, `human ${challenge.signature}`, expires)))
    fail('HUMAN_CHECK')
}
