import { and, asc, eq, isNull, or } from 'drizzle-orm'
import { USER_TYPES } from '#contract/accounts.ts'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/records.ts'
import type { PetRecord } from '#contract/records.ts'
import type { Handler } from '../http/serve.ts'
import { doctorName } from '../consultations/rules.ts'
import type { Ctx, World } from '../context.ts'
import { consultations, petFacts, pets, petWeights, users } from '../db/schema.ts'
import { iso } from '../http/answers.ts'

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
const byOf = (person: { type: number; firstName: string; lastName: string }) =>
  person.type === USER_TYPES.vet ? doctorName(person) : ''

const author = { type: users.type, firstName: users.firstName, lastName: users.lastName }

export async function petRecordOf({ db }: Pick<World, 'db'>, petId: number): Promise<PetRecord> {
  const [weights, facts] = await Promise.all([
    db
      .select({ row: petWeights, author })
      .from(petWeights)
      .innerJoin(users, eq(users.id, petWeights.addedBy))
      .where(eq(petWeights.petId, petId))
      .orderBy(asc(petWeights.on)),
    db
      .select({ row: petFacts, author })
      .from(petFacts)
      .innerJoin(users, eq(users.id, petFacts.addedBy))
      .where(and(eq(petFacts.petId, petId), isNull(petFacts.endedAt)))
      .orderBy(asc(petFacts.id)),
  ])
  const said = facts.map(({ row: { id, kind, name, detail, at }, author }) => ({
    id,
    kind,
    name,
    detail,
    by: byOf(author),
    at: iso(at),
  }))
  return {
    weights: weights.map(({ row: { id, grams, on, scale }, author }) => ({
      id,
      kg: grams / 1000,
      on,
      scale,
      by: byOf(author),
    })),
    facts: said.filter(({ name }) => name !== ''),
    none: said.filter(({ name }) => name === '').map(({ kind, by, at }) => ({ kind, by, at })),
  }
}
