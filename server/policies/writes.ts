import { and, eq, isNull, sql } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/policies.ts'
import { POLICY_CODE_HOURS } from '#contract/policies.ts'
import type { Region } from '#contract/regions.ts'
import { addHours } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { transaction, type World } from '../context.ts'
import { pets, policies, users } from '../db/schema.ts'
import { countedFor } from '../identity/browser-marks.ts'
import { newTypedCode, openCode, replaceCode, useUp } from '../identity/codes.ts'
import { inTurn } from '../concurrency/in-turn.ts'
import { type Counted, uncount, take, tryTake } from '../identity/limits.ts'
import { lockPerson, personById } from '../identity/session.ts'
import { personRoom } from '../live/connections.ts'
import { mail } from '../mail/outbox.ts'
import { mayMailUnconfirmed } from '../mail/unconfirmed.ts'
import { freePlace, insurerPlace, takePlace } from '../memberships/writes.ts'
import { policyCodeLetter } from './emails.ts'
import { openPolicy, type OpenPolicy } from './reads.ts'
import { asStored } from './rules.ts'

/** Finds a policy by its number. Hits count too, because numbers are in sequence and each hit shows somebody's pet. */
export async function findPolicy(ctx: Counted, typed: string): Promise<OpenPolicy> {
  if ((await tryTake(ctx, 'policyLookUps', countedFor(ctx))) > 0) await ctx.human('try_again')
  return (await openPolicy(ctx, typed)) ?? fail('POLICY_INVALID')
}

export const lookUpPolicy: Handler<typeof calls.lookUpPolicy> = async (ctx, sent) => {
  const { policy, petName, speciesId } = await findPolicy(ctx, sent.policy)
  return { policy: { policy, pet_name: petName, pet_type: speciesId } }
}

/** The pet that a policy is requested for, and its owner. */
interface Asking {
  userId: number
  petId: number
  policy: OpenPolicy
}

/**
 * Binds the policy straight away if the account's confirmed email is the holder's. Otherwise mails the holder a code
 * for it. Returns whether it is bound. The caller has locked the owner.
 */
export async function askForPolicy(ctx: Pick<World, 'env' | 'db' | 'now' | 'wake'>, asking: Asking) {
  const { email, emailConfirmedAt, region } = (await personById(ctx, asking.userId))!
  const isHolder = emailConfirmedAt !== null && email === holderOf(asking.policy)
  if (!isHolder) await mailCode(ctx, { ...asking, region, email })
  else if (!(await bindPolicy(ctx, { ...asking, region }))) fail('POLICY_INVALID')
  return isHolder
}

/** The holder's email, normalised like an account's. */
export const holderOf = ({ holderEmail }: Pick<OpenPolicy, 'holderEmail'>) => holderEmail.trim().toLowerCase()

/** Once an account's email is confirmed, binds the policies it requested from that holder. */
export async function bindPoliciesOfHolder(ctx: Pick<World, 'db' | 'now'>, userId: number) {
  const { email, region } = await lockPerson(ctx, userId)
  const asked = await ctx.db
    .select({ petId: pets.id, policy: policies })
    .from(pets)
    .innerJoin(policies, eq(policies.id, pets.policyId))
    .where(
      and(
        eq(pets.ownerId, userId),
        isNull(pets.putAwayAt),
        isNull(policies.userId),
        isNull(policies.lapsedAt),
        eq(sql`lower(trim(${policies.holderEmail}))`, email),
      ),
    )
    .orderBy(pets.id)
  for (const one of asked) await bindPolicy(ctx, { ...one, userId, region })
}

/** Binds a policy; only the first of two gets true. The pet takes a place in the membership that the insurer pays for. */
async function bindPolicy(
  ctx: Pick<World, 'db' | 'now'>,
  { userId, petId, policy, region }: Asking & { region: Region },
) {
  const bound = await ctx.db
    .update(policies)
    .set({ userId, petId, boundAt: ctx.now() })
    .where(and(eq(policies.id, policy.id), isNull(policies.userId), isNull(policies.lapsedAt)))
    .returning({ id: policies.id })
  if (bound.length === 0) return false
  // The pet may have joined another membership while it waited.
  await freePlace(ctx, petId)
  const place = await insurerPlace(ctx, { userId, region, policy: policy.policy })
  await takePlace(ctx, place, petId, policy.speciesId)
  return true
}

/** A place for a pet whose policy is bound and live. The caller has locked the owner. */
export async function policyPlace(ctx: Pick<World, 'db' | 'now'>, userId: number, petId: number) {
  const [bound] = await ctx.db
    .select({ policy: policies.policy, region: users.region })
    .from(policies)
    .innerJoin(users, eq(users.id, policies.userId))
    .where(and(eq(policies.petId, petId), eq(policies.userId, userId), isNull(policies.lapsedAt)))
  return bound ? insurerPlace(ctx, { userId, ...bound }) : null
}

async function mailCode(
  ctx: Pick<World, 'env' | 'db' | 'now' | 'wake'>,
  { userId, petId, policy, region, email }: Asking & { region: Region; email: string },
) {
  // Neither one account nor many may fill a stranger's mailbox.
  await take(ctx, 'policyCode', `asked by ${userId}`)
  if (!(await mayMailUnconfirmed(ctx, policy.holderEmail))) return
  const code = newTypedCode()
  const until = addHours(ctx.now(), POLICY_CODE_HOURS)
  const about = { pet: String(petId), holder: policy.holderEmail }
  await replaceCode(ctx, userId, 'bind_policy', code, until, about)
  const asked = { policy: policy.policy, petName: policy.petName, by: email, code }
  await mail(ctx, region, policy.holderEmail, 'policy code', policyCodeLetter(asked), { until })
}

/** Mails the code again, only for a pet that this account requested it for. */
export const askPolicyCode: Handler<typeof calls.askPolicyCode> = async (ctx, sent) => {
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

/** Counts wrong codes. */
export const confirmPolicy: Handler<typeof calls.confirmPolicy> = async (ctx, sent) => {
  const { userId } = ctx.actor
  const open = await inTurn(`policy code ${userId}`, async () => {
    await take(ctx, 'policyCode', String(userId))
    const open = await openCode(ctx, 'bind_policy', sent.code)
    if (open?.userId !== userId) return fail('POLICY_CODE_WRONG')
    await uncount(ctx, 'policyCode', String(userId))
    return open
  })
  await transaction(ctx, async (ctx) => {
    // The lock gives out places one at a time.
    const { region } = await lockPerson(ctx, userId)
    if (!(await useUp(ctx, open.id))) fail('POLICY_CODE_WRONG')
    const [asked] = await ctx.db
      .select({ petId: pets.id, policy: policies.policy })
      .from(pets)
      .innerJoin(policies, eq(policies.id, pets.policyId))
      .where(and(eq(pets.id, Number(open.about['pet'])), eq(pets.ownerId, userId), isNull(pets.putAwayAt)))
    const policy = asked && (await openPolicy(ctx, asked.policy))
    if (!asked || !policy) return fail('POLICY_INVALID')
    // The insurer may have given another holder since the code was mailed.
    if (open.about['holder'] !== policy.holderEmail) fail('POLICY_CODE_WRONG')
    const asking = { userId, petId: asked.petId, policy, region }
    if (!(await bindPolicy(ctx, asking))) fail('POLICY_INVALID')
    ctx.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
  })
  return {}
}

/** Frees the policies of a deleted account, so they can be bound again. */
export async function releasePoliciesOf({ db }: Pick<World, 'db'>, userId: number) {
  await db
    .update(policies)
    .set({ userId: null, petId: null, boundAt: null })
    .where(eq(policies.userId, userId))
}
