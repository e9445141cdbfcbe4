import { and, eq, isNull } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import type { Parsed } from '#contract/call.ts'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/policies.ts'
import { POLICY_CODE_HOURS } from '#contract/policies.ts'
import type { Region } from '#contract/regions.ts'
import { asTyped, newTypedCode, openCode, replaceCode, useUp } from '../codes.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { pets, policies, users } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import { giveBack, inTurn, take } from '../limits.ts'
import { mail } from '../mail.ts'
import { freePlace, insurerPlace, takePlace } from '../memberships/writes.ts'
import { personRoom } from '../serve.ts'
import { policyCodeLetter } from './emails.ts'
import { openPolicy, type OpenPolicy } from './reads.ts'
import { asStored } from './rules.ts'

type OwnerCtx = Ctx<readonly ['owner']>

/** Finds a policy by its number. Misses are counted: each is tried first and given back when it was none. */
export const findPolicy = (ctx: Pick<Ctx, 'db' | 'now' | 'address'>, typed: string): Promise<OpenPolicy> =>
  inTurn(`policy ${ctx.address}`, async () => {
    await take(ctx, 'policyMisses', ctx.address)
    const found = (await openPolicy(ctx, typed)) ?? fail('POLICY_INVALID')
    await giveBack(ctx, 'policyMisses', ctx.address)
    return found
  })

export async function lookUpPolicy(ctx: Ctx<'anyone'>, sent: Parsed<typeof calls.lookUpPolicy>) {
  const { policy, petName, speciesId } = await findPolicy(ctx, sent.policy)
  return { policy: { policy, pet_name: petName, pet_type: speciesId } }
}

/** Whose pet it is, for which a policy is asked. */
interface Asking {
  userId: number
  petId: number
  policy: OpenPolicy
}

/**
 * Binds the policy to a pet at once where the account's email is known to be the holder's; otherwise mails the holder
 * a code that does. Answers whether it is bound. The caller holds the owner's row.
 */
export async function askForPolicy(ctx: Pick<World, 'env' | 'db' | 'now' | 'wake'>, asking: Asking) {
  const [person] = await ctx.db
    .select({ email: users.email, confirmedAt: users.emailConfirmedAt, region: users.region })
    .from(users)
    .where(eq(users.id, asking.userId))
  const { email, confirmedAt, region } = person!
  const isHolder = confirmedAt !== null && email === asking.policy.holderEmail.trim().toLowerCase()
  if (isHolder) await bindPolicy(ctx, { ...asking, region })
  else await mailCode(ctx, { ...asking, region, email })
  return isHolder
}

/** Of two accounts that bind one policy, one gets it. Its pet takes a place in the membership that the insurer pays for. */
async function bindPolicy(
  ctx: Pick<World, 'db' | 'now'>,
  { userId, petId, policy, region }: Asking & { region: Region },
) {
  const bound = await ctx.db
    .update(policies)
    .set({ userId, petId, boundAt: ctx.now() })
    .where(and(eq(policies.id, policy.id), isNull(policies.userId), isNull(policies.lapsedAt)))
    .returning({ id: policies.id })
  if (bound.length === 0) fail('POLICY_INVALID')
  // It may have been put into another membership while it waited.
  await freePlace(ctx, petId)
  const place = await insurerPlace(ctx, { userId, region, policy: policy.policy })
  await takePlace(ctx, place, petId, policy.speciesId)
}

async function mailCode(
  ctx: Pick<World, 'env' | 'db' | 'now' | 'wake'>,
  { userId, petId, policy, region, email }: Asking & { region: Region; email: string },
) {
  // The holder's mailbox is not the asker's to fill.
  await take(ctx, 'policyCode', `asked by ${userId}`)
  const code = newTypedCode()
  const expiresAt = new Date(ctx.now().getTime() + POLICY_CODE_HOURS * 3_600_000)
  await replaceCode(ctx, userId, 'bind_policy', code, expiresAt, { pet: String(petId) })
  const site = siteOfRegion(ctx, region)
  const asked = { policy: policy.policy, petName: policy.petName, by: email, code }
  await mail(ctx, site, policy.holderEmail, 'policy code', policyCodeLetter(site, asked))
}

/** The code goes again only for a pet that this account asked it for. */
export async function askPolicyCode(ctx: OwnerCtx, sent: Parsed<typeof calls.askPolicyCode>) {
  const { userId } = ctx.actor
  await transaction(ctx, async (ctx) => {
    const [asked] = await ctx.db
      .select({ petId: pets.id, email: users.email, region: users.region })
      .from(pets)
      .innerJoin(policies, eq(policies.id, pets.policyId))
      .innerJoin(users, eq(users.id, pets.ownerId))
      .where(
        and(eq(pets.ownerId, userId), isNull(pets.putAwayAt), eq(policies.policy, asStored(sent.policy))),
      )
      .limit(1)
    const policy = await openPolicy(ctx, sent.policy)
    if (!asked || !policy) return fail('POLICY_INVALID')
    await mailCode(ctx, { ...asked, userId, policy })
  })
  return {}
}

/** Wrong codes are counted. */
export async function confirmPolicy(ctx: OwnerCtx, sent: Parsed<typeof calls.confirmPolicy>) {
  const { userId } = ctx.actor
  const open = await inTurn(`policy code ${userId}`, async () => {
    await take(ctx, 'policyCode', String(userId))
    const open = await openCode(ctx, 'bind_policy', asTyped(sent.code))
    if (open?.userId !== userId) return fail('POLICY_CODE_WRONG')
    await giveBack(ctx, 'policyCode', String(userId))
    return open
  })
  await transaction(ctx, async (ctx) => {
    // Places are given out one at a time.
    const [person] = await ctx.db
      .select({ region: users.region })
      .from(users)
      .where(eq(users.id, userId))
      .for('update')
    if (!(await useUp(ctx, open.id))) fail('POLICY_CODE_WRONG')
    const [asked] = await ctx.db
      .select({ petId: pets.id, policy: policies.policy })
      .from(pets)
      .innerJoin(policies, eq(policies.id, pets.policyId))
      .where(and(eq(pets.id, Number(open.about['pet'])), eq(pets.ownerId, userId), isNull(pets.putAwayAt)))
    const policy = asked && (await openPolicy(ctx, asked.policy))
    if (!asked || !policy) return fail('POLICY_INVALID')
    await bindPolicy(ctx, { userId, petId: asked.petId, policy, region: person!.region })
    ctx.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
  })
  return {}
}

/** Whoever left no longer holds a policy here; it can be bound again. */
export async function releasePoliciesOf({ db }: Pick<World, 'db'>, userId: number) {
  await db
    .update(policies)
    .set({ userId: null, petId: null, boundAt: null })
    .where(eq(policies.userId, userId))
}
