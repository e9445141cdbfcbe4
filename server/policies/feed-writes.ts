import { and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import { fail } from '#contract/errors.ts'
import { transaction, type World } from '../context.ts'
import { feedRuns, pets, policies, users } from '../db/schema.ts'
import { hashOf } from '../identity/secrets.ts'
import { personById } from '../identity/session.ts'
import { personRoom } from '../live/connections.ts'
import type { Letter } from '../mail/mail-template.ts'
import { mail } from '../mail/outbox.ts'
import { endInsurerPlace, insurerPlace, takePlace } from '../memberships/writes.ts'
import { feedHeldLetter, feedRefusedLetter, feedRowsLetter, policyLapsedLetter } from './emails.ts'
import { type BadRow, endsTooMany, type FeedRow, NoFeed, readFeed } from './feed-rules.ts'
import { feedRunOf, countLivePolicies, policiesNamed, speciesByName } from './reads.ts'
import { bindPoliciesOfHolder, holderOf } from './writes.ts'

export type FeedWorld = Pick<World, 'env' | 'db' | 'now' | 'tell' | 'hangUp' | 'wake' | 'log'>

/** An arbitrary number shared by all instances, so feeds load one after another. */
const FEED_LOCK = 5_417_203
const lockFeeds = ({ db }: Pick<World, 'db'>) => db.execute(sql`select pg_advisory_xact_lock(${FEED_LOCK})`)

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
    await lockFeeds(world)
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
    if (state === 'applied') await recountWaiting(world)
    return { ...run, isNew: true }
  })

/** What the files that wait would change now, so that nobody decides by counts from before another file was applied. */
async function recountWaiting(world: FeedWorld) {
  const waiting = await world.db.select().from(feedRuns).where(eq(feedRuns.state, 'waiting'))
  for (const { id, content } of waiting) {
    const said = content && (await read(world, content))
    if (!said || said instanceof NoFeed) continue
    const counts = countsOf(await differences(world, said.rows))
    await world.db.update(feedRuns).set(counts).where(eq(feedRuns.id, id))
  }
}

/** Applies a waiting file, or drops it for good. If two people decide, the second is refused. */
export const decideFeedRun = (world: FeedWorld, id: number, letThrough: boolean) =>
  transaction(world, async (world) => {
    await lockFeeds(world)
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
    await tellOfFeed(world, 'feed refused', feedRefusedLetter(file, `Row 1 ${said.message}`))
    return refused([{ row: 1, why: said.message }])
  }
  const { rows, bad } = said
  if (rows.length === 0 && bad.length > 0) {
    await tellOfFeed(world, 'feed refused', feedRefusedLetter(file, 'None of its rows could be used'))
    return refused(bad)
  }
  const parts = await differences(world, rows)
  const { added, revived, changed, lapsed } = parts
  const counts = countsOf(parts)
  const live = await countLivePolicies(world)
  const told = { file, live, ...counts, bad }
  if (!isAgreed && endsTooMany(lapsed.length, live)) {
    await tellOfFeed(world, 'feed waits', feedHeldLetter(told))
    return { state: 'waiting', ...counts, badRows: bad }
  }
  await lockOwners(world, [...revived, ...lapsed])
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
    if (error instanceof TypeError) return new NoFeed('isn’t UTF-8 text')
    throw error
  }
}

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

const countsOf = ({ added, revived, changed, lapsed }: Awaited<ReturnType<typeof differences>>) => ({
  added: added.length,
  changed: changed.length + revived.length,
  lapsed: lapsed.length,
})

/** Locks owners before policies, in the same order as binding does, because places change under the owner's lock. */
async function lockOwners({ db }: FeedWorld, rows: FeedRow[]) {
  for (const part of inParts(rows)) {
    const named = part.map(({ policy }) => policy)
    const owners = db.select({ id: policies.userId }).from(policies).where(inArray(policies.policy, named))
    const waiting = db
      .select({ id: pets.ownerId })
      .from(pets)
      .innerJoin(policies, eq(policies.id, pets.policyId))
      .where(inArray(policies.policy, named))
    await db
      .select({ id: users.id })
      .from(users)
      .where(or(inArray(users.id, owners), inArray(users.id, waiting)))
      .orderBy(users.id)
      .for('no key update')
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

/** Gives the pet its place again, unless it was put away or has another place. An unbound policy goes to its holder. */
async function backToLife(world: FeedWorld, revived: Policy) {
  const { petId, userId, policy, speciesId } = revived
  if (petId === null || userId === null) return bindToHolder(world, revived)
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

/** Nobody could bind it while it had lapsed, not even the holder who confirmed their email meanwhile. */
async function bindToHolder(world: FeedWorld, policy: Policy) {
  const owners = await world.db
    .selectDistinct({ id: users.id })
    .from(users)
    .innerJoin(pets, eq(pets.ownerId, users.id))
    .where(
      and(
        eq(pets.policyId, policy.id),
        eq(users.email, holderOf(policy)),
        isNotNull(users.emailConfirmedAt),
        isNull(users.deletedAt),
      ),
    )
  for (const { id } of owners) {
    await bindPoliciesOfHolder(world, id)
    world.tell(personRoom(id), accountChanged, { what: ['me', 'pets'] })
  }
}

async function lapse(world: FeedWorld, { petId, userId, policy, petName }: Policy) {
  if (petId === null || userId === null) return
  await endInsurerPlace(world, petId)
  const owner = await personById(world, userId)
  if (!owner) return
  const letter = policyLapsedLetter({ policy, petName, firstName: owner.firstName })
  await mail(world, owner.region, owner.email, 'policy lapsed', letter)
  world.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
}

async function tellOfFeed(world: FeedWorld, template: string, letter: Letter) {
  const { insurerEmail, ledgerEmail, sites } = world.env
  for (const to of new Set([insurerEmail, ledgerEmail]))
    if (to !== undefined) await mail(world, sites[0]!.region, to, template, letter)
}
