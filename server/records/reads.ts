import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import { USER_TYPES } from '#contract/accounts.ts'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/records.ts'
import type { Handler } from '../http/serve.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { doctorName } from '../db/names.ts'
import { consultations, petFacts, pets, petWeights, users } from '../db/schema.ts'

export type RecordCtx = Ctx<typeof calls.getPetRecord.access>

/** The owner, the guest of a consult about the pet, and vets who have or had one. For everybody else, the pet isn't found. */
export async function mayKeep({ db, actor }: Pick<RecordCtx, 'db' | 'actor'>, petId: number) {
  const [pet] = await db
    .select({ ownerId: pets.ownerId, putAwayAt: pets.putAwayAt })
    .from(pets)
    .where(eq(pets.id, petId))
  if (!pet) return fail('NOT_FOUND')
  if (actor.kind === 'owner')
    return pet.ownerId === actor.userId ? { ...pet, by: actor.userId } : fail('NOT_FOUND')
  const theirs =
    actor.kind === 'guest'
      ? eq(consultations.id, actor.consultationId)
      : or(eq(consultations.vetId, actor.userId), eq(consultations.followUpVetId, actor.userId))
  if ((await db.$count(consultations, and(eq(consultations.petId, petId), theirs))) === 0)
    return fail('NOT_FOUND')
  return { ...pet, by: actor.kind === 'guest' ? pet.ownerId : actor.userId }
}

export const getPetRecord: Handler<typeof calls.getPetRecord> = async (ctx, { id }) => {
  await mayKeep(ctx, id)
  return petRecordOf(ctx, id)
}

/** The name of the vet who added it; empty for the owner. */
const by = sql<string>`case ${users.type} when ${USER_TYPES.vet} then ${doctorName(users)} else '' end`

export async function petRecordOf({ db }: Pick<World, 'db'>, petId: number) {
  const [weights, facts] = await Promise.all([
    db
      .select({
        ...columnsOf(petWeights, 'id', 'on', 'scale'),
        kg: sql`${petWeights.grams} / 1000.0`.mapWith(Number),
        by,
      })
      .from(petWeights)
      .innerJoin(users, eq(users.id, petWeights.addedBy))
      .where(eq(petWeights.petId, petId))
      .orderBy(asc(petWeights.on)),
    db
      .select({ ...columnsOf(petFacts, 'id', 'kind', 'name', 'detail', 'at'), by })
      .from(petFacts)
      .innerJoin(users, eq(users.id, petFacts.addedBy))
      .where(and(eq(petFacts.petId, petId), isNull(petFacts.endedAt)))
      .orderBy(asc(petFacts.id)),
  ])
  return {
    weights,
    facts: facts.filter(({ name }) => name !== ''),
    none: facts.filter(({ name }) => name === ''),
  }
}
