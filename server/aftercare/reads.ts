import { and, asc, desc, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import type * as calls from '#contract/aftercare.ts'
import type { ShareStep } from '#contract/aftercare.ts'
import type { Handler } from '../http/serve.ts'
import { mayOpen, vets } from '../consultations/reads.ts'
import type { World } from '../context.ts'
import { beginningWith } from '../db/like.ts'
import { columnsOf } from '../db/columns-of.ts'
import { doctorName, fullName } from '../db/names.ts'
import { auditLog, clinics, consultations, pets, summaries, users } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import { isAbout } from '../identity/audit.ts'
import { pdf } from '../documents/pdf.ts'
import { planPdf } from './rules.ts'

const MOST_CLINICS = 10

export const writable = and(isNull(clinics.deletedAt), ne(clinics.email, ''))

/** Clinics in the caller's region whose name, or a part of their address such as the town, begins with `q`. */
export const findClinics: Handler<typeof calls.findClinics> = ({ db, actor }, { q }) => {
  const begins = beginningWith(q)
  return db
    .select({ id: clinics.id, clinic: clinics.clinic, address: clinics.address })
    .from(clinics)
    .where(
      and(
        writable,
        eq(clinics.region, actor.region),
        or(
          sql`lower(${clinics.clinic}) like ${begins}`,
          sql`lower(${clinics.address}) like ${begins}`,
          sql`regexp_replace(lower(${clinics.address}), ', *', ',', 'g') like ${`%,${begins}`}`,
        ),
      ),
    )
    .orderBy(asc(clinics.clinic), asc(clinics.id))
    .limit(MOST_CLINICS)
}

const MOST_STEPS = 100

export const listShares: Handler<typeof calls.listShares> = async (ctx, { id }) => {
  const { userId } = await mayOpen(ctx, id)
  const [steps, [now], probably] = await Promise.all([
    ctx.db
      .select({
        step: sql<ShareStep>`${auditLog.action}`,
        clinic: sql<string>`coalesce(${clinics.clinic}, '')`,
        pictures: sql<boolean>`coalesce((${auditLog.details}->>'pictures')::boolean, false)`,
        at: auditLog.at,
      })
      .from(auditLog)
      .leftJoin(clinics, eq(clinics.id, sql`(${auditLog.details}->>'clinic')::int`))
      .where(isAbout(['clinic share', id]))
      .orderBy(desc(auditLog.id))
      .limit(MOST_STEPS),
    ctx.db
      .select({ pictures: isNotNull(consultations.clinicPicturesAt).mapWith(Boolean) })
      .from(consultations)
      .where(eq(consultations.id, id)),
    userId === null ? null : probablyTheirs(ctx, userId),
  ])
  return { steps, pictures: now!.pictures, probably }
}

/** A shorter text in a profile doesn't identify a clinic. */
const FEWEST_LETTERS = 4

/** The clinic of the person's last shared consult, else the one in their profile: an exact match, or the only similar name. */
async function probablyTheirs({ db }: Pick<World, 'db'>, userId: number) {
  const typed = sql`lower(trim(${users.userClinic}))`
  const name = sql`lower(${clinics.clinic})`
  const [first, second] = await db
    .select({
      which: { id: clinics.id, clinic: clinics.clinic, address: clinics.address },
      isSure: sql<boolean>`${consultations.id} is not null or ${typed} = ${name}`,
    })
    .from(clinics)
    .innerJoin(users, and(eq(users.id, userId), eq(users.region, clinics.region)))
    .leftJoin(
      consultations,
      and(
        eq(consultations.clinicId, clinics.id),
        eq(consultations.userId, userId),
        isNotNull(consultations.clinicSharedAt),
      ),
    )
    .where(
      and(
        writable,
        or(
          isNotNull(consultations.id),
          eq(typed, name),
          and(
            sql`length(${typed}) >= ${FEWEST_LETTERS}::int`,
            sql`(starts_with(${name}, ${typed}) or starts_with(${typed}, ${name}))`,
          ),
        ),
      ),
    )
    .orderBy(
      sql`${consultations.clinicSharedAt} desc nulls last`,
      desc(sql`${typed} = ${name}`),
      asc(clinics.id),
    )
    .limit(2)
  return first && (first.isSure || !second) ? first.which : null
}

/** The current plan as a PDF; null if nothing was advised or it was erased. */
export async function planFileOf(world: Pick<World, 'db' | 'env'>, id: number): Promise<Buffer | null> {
  const [row] = await world.db
    .select({
      ...columnsOf(summaries, 'summary', 'plan', 'watchFor', 'goIf', 'at'),
      ...columnsOf(consultations, 'start', 'region', 'caller'),
      pet: pets.name,
      owner: fullName<string | null>(users),
      vet: doctorName(vets),
      registration: vets.registration,
    })
    .from(summaries)
    .innerJoin(vets, eq(vets.id, summaries.vetId))
    .innerJoin(consultations, eq(consultations.id, summaries.consultationId))
    .leftJoin(pets, eq(pets.id, consultations.petId))
    .leftJoin(users, eq(users.id, consultations.userId))
    .where(eq(summaries.consultationId, id))
  if (!row) return null
  const { caller, ...plan } = row
  const pet = plan.pet ?? caller?.pet ?? ''
  const owner = plan.owner ?? caller?.name ?? ''
  return pdf(planPdf(siteOfRegion(world, plan.region), { ...plan, pet, owner }))
}
