import { and, asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { CARE_ITEMS } from '#contract/care.ts'
import { fail } from '#contract/errors.ts'
import { type Care, type Pet, PICTURE_WIDTHS } from '#contract/pets.ts'
import type { Ctx, World } from '../context.ts'
import {
  breeds,
  careItems,
  pawcarePets,
  pets,
  policies,
  species,
  subscriptionPets,
  subscriptions,
  uploads,
  users,
} from '../db/schema.ts'
import { iso } from '../http/answers.ts'
import { coverOf, pictureAddress } from './rules.ts'

export const listSpecies = ({ db }: Ctx<'anyone'>) => db.select().from(species).orderBy(asc(species.id))

export const listBreeds = ({ db }: Ctx<'anyone'>) =>
  db
    .select({ id: breeds.id, species_id: breeds.speciesId, name: breeds.name })
    .from(breeds)
    .orderBy(asc(breeds.speciesId), asc(breeds.name))

type Registration = { opt_in: string; opt_out: string | null }

/** Whether the pet has a place in an active membership. */
export const isMembersPet = (now: Date) =>
  sql<boolean>`exists (
    select from ${subscriptionPets} join ${subscriptions} on ${subscriptions.id} = ${subscriptionPets.subscriptionId}
    where ${subscriptionPets.petId} = ${pets.id} and ${subscriptionPets.freeAt} is null
      and (${subscriptions.status} = 'active' or ${subscriptions.end} is null or ${subscriptions.end} >= ${now.toISOString()}::timestamptz))`

const select = ({ db, now }: Pick<World, 'db' | 'now'>) =>
  db
    .select({
      pet: pets,
      breed: breeds.name,
      picture: uploads.name,
      region: users.region,
      registrations: sql<Registration[]>`coalesce((
        select json_agg(json_build_object('opt_in', ${pawcarePets.optIn}, 'opt_out', ${pawcarePets.optOut}) order by ${pawcarePets.id})
        from ${pawcarePets} where ${pawcarePets.petId} = ${pets.id}), '[]')`,
      isMember: isMembersPet(now()),
      policy: sql<Pet['policy']>`(
        select json_build_object('policy', ${policies.policy}, 'confirmed', ${policies.petId} is not null)
        from ${policies}
        where ${policies.id} = ${pets.policyId} and (${policies.userId} is null or ${policies.petId} = ${pets.id}))`,
      care: sql<Care[]>`coalesce((
        select json_agg(entry) from (
          select distinct on (item, done_on is null) id, item, due_on, done_on
          from ${careItems} where ${careItems.petId} = ${pets.id}
          order by item, done_on is null, done_on desc, due_on, id) as entry), '[]')`,
    })
    .from(pets)
    .innerJoin(users, eq(users.id, pets.ownerId))
    .leftJoin(breeds, eq(breeds.id, pets.breedId))
    .leftJoin(uploads, eq(uploads.id, pets.uploadId))

type Row = Awaited<ReturnType<typeof select>>[number]

function asPet({ pet, breed, picture, region, registrations, isMember, policy, care }: Row, now: Date): Pet {
  const times = registrations.map(({ opt_in, opt_out }) => ({
    opt_in: iso(new Date(opt_in)),
    opt_out: opt_out === null ? null : iso(new Date(opt_out)),
  }))
  const open = times.find(({ opt_out }) => opt_out === null)
  return {
    id: pet.id,
    name: pet.name,
    species_id: pet.speciesId,
    breed_id: pet.breedId,
    breed: pet.breedId !== null && breed !== null ? { id: pet.breedId, name: breed } : null,
    sex: pet.sex,
    dob: pet.dob,
    dob_approximate: pet.dobApproximate,
    desexed: pet.desexed,
    microchip: pet.microchip,
    pet_image: picture && pictureAddress(picture, PICTURE_WIDTHS[1]),
    pawcare_pets: times,
    cover: coverOf(
      {
        speciesId: pet.speciesId,
        dob: pet.dob,
        isMember,
        optIn: open ? new Date(open.opt_in) : null,
        region,
      },
      now,
    ),
    policy,
    care: isMember ? inOrder(care) : [],
  }
}

/** In the plan's order, with the next date before past ones. */
const inOrder = (care: Care[]) =>
  care.toSorted(
    (one, other) =>
      CARE_ITEMS.indexOf(one.item) - CARE_ITEMS.indexOf(other.item) ||
      Number(one.done_on !== null) - Number(other.done_on !== null),
  )

export async function listPets(ctx: Ctx<readonly ['owner']>): Promise<Pet[]> {
  const rows = await select(ctx)
    .where(and(eq(pets.ownerId, ctx.actor.userId), isNull(pets.putAwayAt)))
    .orderBy(asc(pets.id))
  return rows.map((row) => asPet(row, ctx.now()))
}

export const listPetsAway = async ({ db, actor }: Ctx<readonly ['owner']>) =>
  (
    await db
      .select({ id: pets.id, name: pets.name, at: pets.putAwayAt })
      .from(pets)
      .where(and(eq(pets.ownerId, actor.userId), isNotNull(pets.putAwayAt)))
      .orderBy(desc(pets.putAwayAt), desc(pets.id))
  ).map(({ at, ...pet }) => ({ ...pet, put_away_at: iso(at!) }))

/** Any pet, for staff, even one that was put away. */
export async function petForStaff(ctx: Pick<World, 'db' | 'now'>, petId: number): Promise<Pet> {
  const [row] = await select(ctx).where(eq(pets.id, petId))
  return asPet(row!, ctx.now())
}

/** One of this owner's pets; anybody else's is NOT_FOUND. */
export async function petOf(ctx: Pick<World, 'db' | 'now'>, ownerId: number, petId: number): Promise<Pet> {
  const [row] = await select(ctx).where(
    and(eq(pets.id, petId), eq(pets.ownerId, ownerId), isNull(pets.putAwayAt)),
  )
  return row ? asPet(row, ctx.now()) : fail('NOT_FOUND')
}

/** The person's existing pet of that name and species. */
export async function petNamed({ db }: Pick<World, 'db'>, ownerId: number, name: string, speciesId: number) {
  const [pet] = await db
    .select({ id: pets.id })
    .from(pets)
    .where(
      and(
        eq(pets.ownerId, ownerId),
        eq(sql`lower(${pets.name})`, name.toLowerCase()),
        eq(pets.speciesId, speciesId),
        isNull(pets.putAwayAt),
      ),
    )
    .limit(1)
  return pet?.id
}
