import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Parsed } from '#contract/call.ts'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/consultations.ts'
import type { Consultation } from '#contract/consultations.ts'
import type { Ctx, World } from '../context.ts'
import { prepared } from '../db/client.ts'
import { consultations, pets, users } from '../db/schema.ts'
import { iso } from '../wire.ts'

const owners = alias(users, 'owners')
const vets = alias(users, 'vets')

const select = ({ db }: Pick<World, 'db'>) =>
  db
    .select({ row: consultations, pet: pets, owner: owners, vet: vets })
    .from(consultations)
    .leftJoin(pets, eq(pets.id, consultations.petId))
    .leftJoin(owners, eq(owners.id, consultations.userId))
    .leftJoin(vets, eq(vets.id, consultations.vetId))

type Row = Awaited<ReturnType<typeof select>>[number]

/** A phone consultation has a caller where the others have an owner and a pet. */
function asConsultation({ row, pet, owner, vet }: Row): Consultation {
  return {
    id: row.id,
    type: row.type,
    start: iso(row.start),
    vet_start: iso(row.vetStart),
    end: iso(row.end),
    vet_name: vet && `Dr ${vet.firstName} ${vet.lastName}`,
    pet: pet
      ? { id: pet.id, name: pet.name, species_id: pet.speciesId }
      : { id: null, name: row.caller?.pet ?? '', species_id: row.caller?.speciesId ?? null },
    user: {
      firstName: owner?.firstName ?? row.caller?.name ?? '',
      lastName: owner?.lastName ?? '',
      email: owner?.email ?? row.caller?.email ?? '',
    },
    pet_issue: row.petIssue,
    query: row.petIssue,
    outcome: row.outcome,
    portalDetail: {
      clinic_notified_at: iso(row.clinicNotifiedAt),
      clinic_accepted_at: iso(row.clinicAcceptedAt),
    },
  }
}

type Opener = Ctx<readonly ['owner', 'guest', 'vet', 'admin']>

const opened = prepared((db) =>
  db
    .select({ userId: consultations.userId, vetId: consultations.vetId, lastSeq: consultations.lastSeq })
    .from(consultations)
    .where(eq(consultations.id, sql.placeholder('id')))
    .prepare('opened_consultation'),
)

/** Its owner, the guest it belongs to and the house's vets may open a consultation; for others it is not there. */
export async function mayOpen({ db, actor }: Pick<Opener, 'db' | 'actor'>, id: number) {
  const [row] = await opened(db).execute({ id })
  const mine =
    actor.kind === 'guest'
      ? actor.consultationId === id
      : actor.kind === 'owner'
        ? row?.userId === actor.userId
        : true
  return row && mine ? row : fail('NOT_FOUND')
}

const LATEST = 20

/** What a vet took last. */
export async function latestTakenBy(ctx: Pick<World, 'db'>, vetId: number): Promise<Consultation[]> {
  const rows = await select(ctx)
    .where(eq(consultations.vetId, vetId))
    .orderBy(desc(consultations.vetStart))
    .limit(LATEST)
  return rows.map(asConsultation)
}

/** An owner's own, newest first; ids grow with the time of entry. */
export async function listConsultations(
  ctx: Ctx<readonly ['owner']>,
  { cursor, limit }: Parsed<typeof calls.listConsultations>,
) {
  const mine = eq(consultations.userId, ctx.actor.userId)
  const [rows, [counts]] = await Promise.all([
    select(ctx)
      .where(and(mine, cursor === undefined ? undefined : lt(consultations.id, cursor)))
      .orderBy(desc(consultations.id))
      .limit(limit + 1),
    ctx.db
      .select({
        needs_help: sql<number>`count(*) filter (where ${consultations.end} is null and ${consultations.vetId} is null)::int`,
        in_progress: sql<number>`count(*) filter (where ${consultations.end} is null and ${consultations.vetId} is not null)::int`,
        completed: sql<number>`count(*) filter (where ${consultations.end} is not null)::int`,
      })
      .from(consultations)
      .where(mine),
  ])
  const page = rows.slice(0, limit).map(asConsultation)
  return { consultations: page, next: rows.length > limit ? page.at(-1)!.id : null, counts: counts! }
}
