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
  const proof = solution ? readSolution(ctx.secret, solution) : null
  if (!proof || proof.action !== action || proof.expires <= ctx.now()) return fail('HUMAN_CHECK')
  if (!(await spend(ctx, `human ${proof.challenge}`, proof.expires))) fail('HUMAN_CHECK')
}
