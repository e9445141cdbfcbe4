import { and, eq, isNull, ne, type SQL } from 'drizzle-orm'
import { fail, failAt } from '#contract/errors.ts'
import type * as calls from '#contract/records.ts'
import { consultationChanged } from '#contract/consultations.ts'
import { localDay } from '#contract/regions.ts'
import type { Handler } from '../http/serve.ts'
import { transaction } from '../context.ts'
import { consultations, petFacts, pets, petWeights } from '../db/schema.ts'
import { STAFF_ROOM } from '../live/connections.ts'
import { tickWeighing } from '../pets/care-writes.ts'
import { mayKeep, petRecordOf, type RecordCtx } from './reads.ts'

const MOST_FACTS = 100
const MOST_WEIGHTS = 1000

/** Changes the record under the pet's lock, so that parallel changes count each other. Vets with the case open see it. */
async function keep(ctx: RecordCtx, petId: number, change: (ctx: RecordCtx, by: number) => Promise<unknown>) {
  const { by, putAwayAt } = await mayKeep(ctx, petId)
  // The record of a pet that was put away can only be read.
  if (putAwayAt !== null) fail('NOT_FOUND')
  return transaction(ctx, async (ctx) => {
    await ctx.db.select({ id: pets.id }).from(pets).where(eq(pets.id, petId)).for('no key update')
    await change(ctx, by)
    const open = await ctx.db
      .select({ id: consultations.id })
      .from(consultations)
      .where(and(eq(consultations.petId, petId), isNull(consultations.end)))
    for (const { id } of open) ctx.tell(STAFF_ROOM, consultationChanged, { consultation: id, vets: [] })
    return petRecordOf(ctx, petId)
  })
}

export const addWeight: Handler<typeof calls.addWeight> = async (ctx, { id, kg, on, scale }) => {
  const today = localDay(ctx.actor.region, ctx.now())
  if (on && on > today) failAt('on', 'WEIGHT_DATE_WRONG')
  // An owner can't know what a vet's scale said today.
  const weight = { grams: Math.round(kg * 1000), scale: scale && ctx.actor.kind === 'vet', at: ctx.now() }
  return keep(ctx, id, async (ctx, addedBy) => {
    const { db } = ctx
    if ((await db.$count(petWeights, eq(petWeights.petId, id))) >= MOST_WEIGHTS) fail('PET_RECORD_FULL')
    await db
      .insert(petWeights)
      .values({ petId: id, on: on ?? today, addedBy, ...weight })
      .onConflictDoUpdate({ target: [petWeights.petId, petWeights.on], set: { addedBy, ...weight } })
    await tickWeighing(ctx, id, on ?? today)
  })
}

/** People can remove only what they added. */
export const removeWeight: Handler<typeof calls.removeWeight> = (ctx, { id, weight }) =>
  keep(ctx, id, ({ db }, addedBy) =>
    db
      .delete(petWeights)
      .where(and(eq(petWeights.id, weight), eq(petWeights.petId, id), eq(petWeights.addedBy, addedBy))),
  )

const holds = (petId: number, ...more: (SQL | undefined)[]) =>
  and(eq(petFacts.petId, petId), isNull(petFacts.endedAt), ...more)

async function insertFact({ db, now }: RecordCtx, fact: Omit<typeof petFacts.$inferInsert, 'at'>) {
  if ((await db.$count(petFacts, eq(petFacts.petId, fact.petId))) >= MOST_FACTS) fail('PET_RECORD_FULL')
  await db.insert(petFacts).values({ ...fact, at: now() })
}

export const addFact: Handler<typeof calls.addFact> = (ctx, { id, kind, name, detail }) =>
  keep(ctx, id, async (ctx, addedBy) => {
    const { db, now } = ctx
    const none = holds(id, eq(petFacts.kind, kind), eq(petFacts.name, ''))
    await db.update(petFacts).set({ endedAt: now() }).where(none)
    const known = await db
      .update(petFacts)
      .set({ detail })
      .where(holds(id, eq(petFacts.kind, kind), eq(petFacts.name, name)))
      .returning({ id: petFacts.id })
    if (known.length === 0) await insertFact(ctx, { petId: id, kind, name, detail, addedBy })
  })

/** Ends what was known, and records once that there is none. */
export const recordNone: Handler<typeof calls.recordNone> = (ctx, { id, kind }) =>
  keep(ctx, id, async (ctx, addedBy) => {
    const { db, now } = ctx
    const ofKind = eq(petFacts.kind, kind)
    await db
      .update(petFacts)
      .set({ endedAt: now() })
      .where(holds(id, ofKind, ne(petFacts.name, '')))
    const said = await db.select({ id: petFacts.id }).from(petFacts).where(holds(id, ofKind))
    if (said.length === 0) await insertFact(ctx, { petId: id, kind, name: '', addedBy })
  })

export const endFact: Handler<typeof calls.endFact> = (ctx, { id, fact }) =>
  keep(ctx, id, ({ db, now }) =>
    db
      .update(petFacts)
      .set({ endedAt: now() })
      .where(holds(id, eq(petFacts.id, fact))),
  )
