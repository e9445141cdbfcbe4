import { and, asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { CARE_ITEMS } from '#contract/care.ts'
import { fail } from '#contract/errors.ts'
import { type Care, type Pet, PICTURE_WIDTHS } from '#contract/pets.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
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
import { coverOf, pictureAddress } from './rules.ts'

/** The address of an upload's picture in one size. */
export const pictureOf = (width: number) =>
  sql<string | null>`${uploads.name}`.mapWith((name: string) => pictureAddress(name, width))

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
      ...columnsOf(pets, 'id', 'name', 'sex', 'dob', 'desexed', 'microchip'),
      species_id: pets.speciesId,
      breed_id: pets.breedId,
      breed: columnsOf(breeds, 'id', 'name'),
      dob_approximate: pets.dobApproximate,
      pet_image: pictureOf(PICTURE_WIDTHS[1]),
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

function asPet({ region, registrations, isMember, care, ...pet }: Row, now: Date) {
  const times = registrations.map(({ opt_in, opt_out }) => ({
    opt_in: new Date(opt_in),
    opt_out: opt_out === null ? null : new Date(opt_out),
  }))
  const open = times.find(({ opt_out }) => opt_out === null)
  const facts = { speciesId: pet.species_id, dob: pet.dob, isMember, optIn: open?.opt_in ?? null, region }
  return { ...pet, pawcare_pets: times, cover: coverOf(facts, now), care: isMember ? inOrder(care) : [] }
}

/** In the plan's order, with the next date before past ones. */
const inOrder = (care: Care[]) =>
  care.toSorted(
    (one, other) =>
      CARE_ITEMS.indexOf(one.item) - CARE_ITEMS.indexOf(other.item) ||
      Number(one.done_on !== null) - Number(other.done_on !== null),
  )

export async function listPets(ctx: Ctx<readonly ['owner']>) {
  const rows = await select(ctx)
    .where(and(eq(pets.ownerId, ctx.actor.userId), isNull(pets.putAwayAt)))
    .orderBy(asc(pets.id))
  return rows.map((row) => asPet(row, ctx.now()))
}

export const listPetsAway = ({ db, actor }: Ctx<readonly ['owner']>) =>
  db
    .select({
      ...columnsOf(pets, 'id', 'name'),
      put_away_at: sql<Date>`${pets.putAwayAt}`.mapWith(pets.putAwayAt),
    })
    .from(pets)
    .where(and(eq(pets.ownerId, actor.userId), isNotNull(pets.putAwayAt)))
    .orderBy(desc(pets.putAwayAt), desc(pets.id))

/** Any pet, for staff, even one that was put away. */
export async function petForStaff(ctx: Pick<World, 'db' | 'now'>, petId: number) {
  const [row] = await select(ctx).where(eq(pets.id, petId))
  return asPet(row!, ctx.now())
}

/** One of this owner's pets; anybody else's is NOT_FOUND. */
export async function petOf(ctx: Pick<World, 'db' | 'now'>, ownerId: number, petId: number) {
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
