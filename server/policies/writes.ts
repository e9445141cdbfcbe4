import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import type { Parsed } from '#contract/call.ts'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/policies.ts'
import { POLICY_CODE_HOURS } from '#contract/policies.ts'
import type { Region } from '#contract/regions.ts'
import { newTypedCode, openCode, replaceCode, useUp } from '../identity/codes.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { feedRuns, pets, policies, users } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import { countedFor } from '../identity/browser-marks.ts'
import { inTurn } from '../identity/in-turn.ts'
import { hashOf } from '../identity/secrets.ts'
import { type Counted, uncount, take, tryTake } from '../identity/limits.ts'
import type { Letter } from '../mail/mail-template.ts'
import { mail } from '../mail/outbox.ts'
import { mayMailUnconfirmed } from '../mail/unconfirmed.ts'
import { endInsurerPlace, freePlace, insurerPlace, takePlace } from '../memberships/writes.ts'
import { personRoom } from '../live/connections.ts'
import {
  feedRefusedLetter,
  feedRowsLetter,
  feedHeldLetter,
  policyCodeLetter,
  policyLapsedLetter,
} from './emails.ts'
import {
  feedRunOf,
  livePolicies,
  openPolicy,
  policiesNamed,
  speciesByName,
  type OpenPolicy,
} from './reads.ts'
import { asStored, type BadRow, endsTooMany, type FeedRow, NoFeed, readFeed } from './rules.ts'

type OwnerCtx = Ctx<readonly ['owner']>

/** Finds a policy by its number. Hits count too, because numbers are in sequence and each hit shows somebody's pet. */
export async function findPolicy(ctx: Counted, typed: string): Promise<OpenPolicy> {
  if ((await tryTake(ctx, 'policyLookUps', countedFor(ctx))) > 0) await ctx.human('try_again')
  return (await openPolicy(ctx, typed)) ?? fail('POLICY_INVALID')
}

export async function lookUpPolicy(ctx: Ctx<'anyone'>, sent: Parsed<typeof calls.lookUpPolicy>) {
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
  const [person] = await ctx.db
    .select({ email: users.email, confirmedAt: users.emailConfirmedAt, region: users.region })
    .from(users)
    .where(eq(users.id, asking.userId))
  const { email, confirmedAt, region } = person!
  const isHolder = confirmedAt !== null && email === holderOf(asking.policy)
  if (!isHolder) await mailCode(ctx, { ...asking, region, email })
  else if (!(await bindPolicy(ctx, { ...asking, region }))) fail('POLICY_INVALID')
  return isHolder
}

/** The holder's email, normalised like an account's. */
export const holderOf = ({ holderEmail }: Pick<OpenPolicy, 'holderEmail'>) => holderEmail.trim().toLowerCase()

/** Once an account's email is confirmed, binds the policies it requested from that holder. */
export async function bindPoliciesOfHolder(ctx: Pick<World, 'db' | 'now'>, userId: number) {
  const [person] = await ctx.db
    .select({ email: users.email, region: users.region })
    .from(users)
    .where(eq(users.id, userId))
    .for('update')
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
        eq(sql`lower(trim(${policies.holderEmail}))`, person!.email),
      ),
    )
    .orderBy(pets.id)
  for (const one of asked) await bindPolicy(ctx, { ...one, userId, region: person!.region })
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

async function mailCode(
  ctx: Pick<World, 'env' | 'db' | 'now' | 'wake'>,
  { userId, petId, policy, region, email }: Asking & { region: Region; email: string },
) {
  // Neither one account nor many may fill a stranger's mailbox.
  await take(ctx, 'policyCode', `asked by ${userId}`)
  if (!(await mayMailUnconfirmed(ctx, policy.holderEmail))) return
  const code = newTypedCode()
  const expiresAt = new Date(ctx.now().getTime() + POLICY_CODE_HOURS * 3_600_000)
  const about = { pet: String(petId), holder: policy.holderEmail }
  await replaceCode(ctx, userId, 'bind_policy', code, expiresAt, about)
  const site = siteOfRegion(ctx, region)
  const asked = { policy: policy.policy, petName: policy.petName, by: email, code }
  await mail(ctx, site, policy.holderEmail, 'policy code', policyCodeLetter(site, asked))
}

/** Mails the code again, only for a pet that this account requested it for. */
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

/** Counts wrong codes. */
export async function confirmPolicy(ctx: OwnerCtx, sent: Parsed<typeof calls.confirmPolicy>) {
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
    // The insurer may have given another holder since the code was mailed.
    if (open.about['holder'] !== policy.holderEmail) fail('POLICY_CODE_WRONG')
    const asking = { userId, petId: asked.petId, policy, region: person!.region }
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

/* The partner insurer's feed. */

export type FeedWorld = Pick<World, 'env' | 'db' | 'now' | 'tell' | 'hangUp' | 'wake' | 'log'>

/** An arbitrary number shared by all instances, so feeds load one after another. */
const FEED_LOCK = 5_417_203
const holdFeeds = ({ db }: Pick<World, 'db'>) => db.execute(sql`select pg_advisory_xact_lock(${FEED_LOCK})`)

const AT_ONCE = 1000

/** As many rows at a time as a statement takes. */
function* inParts<Row>(rows: Row[]) {
  for (let at = 0; at < rows.length; at += AT_ONCE) yield rows.slice(at, at + AT_ONCE)
}

/**
 * Loads a file of the partner insurer in one transaction. We recognise a file by its content, so a repeat changes
 * nothing. A file that would end too many policies waits until somebody agrees.
 */
export const loadFeed = (world: FeedWorld, file: string, content: Uint8Array, isAgreed = false) =>
  transaction(world, async (world) => {
    await holdFeeds(world)
    const contentHash = hashOf(content)
    const known = await feedRunOf(world, contentHash)
    const isUndecided = known?.state === 'waiting' || known?.state === 'dropped'
    if (known && !(isUndecided && isAgreed)) return { ...known, isNew: false }
    const run = await applyFeed(world, file, content, isAgreed)
    const written = { ...run, content: run.state === 'waiting' ? content : null, at: world.now() }
    await world.db
      .insert(feedRuns)
      .values({ file, contentHash, ...written })
      .onConflictDoUpdate({ target: feedRuns.contentHash, set: written })
    const { state, added, changed, lapsed, badRows } = run
    world.log[state === 'applied' && badRows.length === 0 ? 'info' : 'warn']({
      event: `feed ${state}`,
      file,
      added,
      changed,
      lapsed,
      bad: badRows.length,
    })
    return { ...run, isNew: true }
  })

/** Applies a waiting file, or drops it for good. If two people decide, the second is refused. */
export const decideFeedRun = (world: FeedWorld, id: number, letThrough: boolean) =>
  transaction(world, async (world) => {
    await holdFeeds(world)
    const [run] = await world.db.select().from(feedRuns).where(eq(feedRuns.id, id))
    if (!run) return fail('NOT_FOUND')
    if (run.state !== 'waiting') fail('FEED_NOT_WAITING')
    if (letThrough) await loadFeed(world, run.file, run.content ?? fail('FEED_GONE'), true)
    else await world.db.update(feedRuns).set({ state: 'dropped', content: null }).where(eq(feedRuns.id, id))
    return run.file
  })

type Run = Pick<typeof feedRuns.$inferSelect, 'state' | 'added' | 'changed' | 'lapsed' | 'badRows'>

async function applyFeed(
  world: FeedWorld,
  file: string,
  content: Uint8Array,
  isAgreed: boolean,
): Promise<Run> {
  const said = await read(world, content)
  const refused = (badRows: BadRow[]): Run => ({ state: 'refused', added: 0, changed: 0, lapsed: 0, badRows })
  if (said instanceof NoFeed) {
    await tellOfFeed(world, 'feed refused', feedRefusedLetter(file, said.message))
    return refused([{ row: 1, why: said.message }])
  }
  const { rows, bad } = said
  if (rows.length === 0 && bad.length > 0) {
    await tellOfFeed(world, 'feed refused', feedRefusedLetter(file, 'None of its rows could be used'))
    return refused(bad)
  }
  const { added, revived, changed, lapsed } = await differences(world, rows)
  const counts = { added: added.length, changed: changed.length + revived.length, lapsed: lapsed.length }
  const live = await livePolicies(world)
  const told = { file, live, ...counts, bad }
  if (!isAgreed && endsTooMany(lapsed.length, live)) {
    await tellOfFeed(world, 'feed waits', feedHeldLetter(told))
    return { state: 'waiting', ...counts, badRows: bad }
  }
  await holdOwners(world, [...revived, ...lapsed])
  await writePolicies(world, [...added, ...changed])
  // Revivals come first, so a membership doesn't end while one pet leaves and another returns.
  for (const policy of await writePolicies(world, revived)) await backToLife(world, policy)
  for (const policy of await writePolicies(world, lapsed)) await lapse(world, policy)
  if (bad.length > 0) await tellOfFeed(world, 'feed rows', feedRowsLetter(told))
  return { state: 'applied', ...counts, badRows: bad }
}

async function read(world: FeedWorld, content: Uint8Array) {
  try {
    return readFeed(new TextDecoder('utf-8', { fatal: true }).decode(content), await speciesByName(world))
  } catch (error) {
    if (error instanceof NoFeed) return error
    if (error instanceof TypeError) return new NoFeed('It isn’t UTF-8 text')
    throw error
  }
}

/** How a feed differs from our policies. */
async function differences(world: FeedWorld, rows: FeedRow[]) {
  const parts = {
    added: [] as FeedRow[],
    revived: [] as FeedRow[],
    changed: [] as FeedRow[],
    lapsed: [] as FeedRow[],
  }
  for (const part of inParts(rows)) {
    const known = await policiesNamed(
      world,
      part.map(({ policy }) => policy),
    )
    for (const row of part) {
      const before = known.get(row.policy)
      if (!before) parts.added.push(row)
      else if (row.isLive !== before.isLive) parts[row.isLive ? 'revived' : 'lapsed'].push(row)
      else if (
        row.holderEmail !== before.holderEmail ||
        row.petName !== before.petName ||
        row.speciesId !== before.speciesId
      )
        parts.changed.push(row)
    }
  }
  return parts
}

/** Locks owners before policies, in the same order as binding does, because places change under the owner's lock. */
async function holdOwners({ db }: FeedWorld, rows: FeedRow[]) {
  for (const part of inParts(rows)) {
    const named = part.map(({ policy }) => policy)
    const owners = db.select({ id: policies.userId }).from(policies).where(inArray(policies.policy, named))
    await db
      .select({ id: users.id })
      .from(users)
      .where(inArray(users.id, owners))
      .orderBy(users.id)
      .for('update')
  }
}

type Policy = typeof policies.$inferSelect

async function writePolicies({ db, now }: FeedWorld, rows: FeedRow[]) {
  const written: Policy[] = []
  for (const part of inParts(rows))
    written.push(
      ...(await db
        .insert(policies)
        .values(
          part.map(({ isLive, ...row }) => ({ ...row, lapsedAt: isLive ? null : now(), createdAt: now() })),
        )
        .onConflictDoUpdate({
          target: policies.policy,
          set: {
            holderEmail: sql`excluded.holder_email`,
            petName: sql`excluded.pet_name`,
            speciesId: sql`excluded.species_id`,
            lapsedAt: sql`excluded.lapsed_at`,
          },
        })
        .returning()),
    )
  return written
}

/** Gives the pet its place again, unless it was put away or has another place. */
async function backToLife(world: FeedWorld, { petId, userId, policy, speciesId }: Policy) {
  if (petId === null || userId === null) return
  const [pet] = await world.db
    .select({ region: users.region })
    .from(pets)
    .innerJoin(users, and(eq(users.id, pets.ownerId), isNull(users.deletedAt)))
    .where(
      and(
        eq(pets.id, petId),
        isNull(pets.putAwayAt),
        sql`not exists (select from subscription_pets where pet_id = ${petId} and free_at is null)`,
      ),
    )
  if (!pet) return
  await takePlace(world, await insurerPlace(world, { userId, region: pet.region, policy }), petId, speciesId)
  world.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
}

async function lapse(world: FeedWorld, { petId, userId, policy, petName }: Policy) {
  if (petId === null || userId === null) return
  await endInsurerPlace(world, petId)
  const [owner] = await world.db
    .select({ email: users.email, firstName: users.firstName, region: users.region })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
  if (!owner) return
  const site = siteOfRegion(world, owner.region)
  const letter = policyLapsedLetter(site, { policy, petName, firstName: owner.firstName })
  await mail(world, site, owner.email, 'policy lapsed', letter)
  world.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
}

async function tellOfFeed(world: FeedWorld, template: string, letter: Letter) {
  const { insurerEmail, ledgerEmail, sites } = world.env
  for (const to of new Set([insurerEmail, ledgerEmail]))
    if (to !== undefined) await mail(world, sites[0]!, to, template, letter)
}
