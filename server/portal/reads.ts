import { and, asc, desc, eq, gte, isNotNull, isNull, like, notInArray, or, sql, type SQL } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/portal.ts'
import { PORTAL_DAYS } from '#contract/portal.ts'
import { CONSULT_TYPES } from '#contract/consultations.ts'
import { addDays } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { isPhone } from '../db/kinds.ts'
import { fileAddress } from '../chat/rules.ts'
import { clinicOf } from '../clinics/reads.ts'
import { versionOfLists } from '../consultations/list-reads.ts'
import { asConsultation, isClinicMailDue, owners, selectConsultations } from '../consultations/reads.ts'
import type { World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import {
  attachments,
  breeds,
  clinicalNotes,
  clinicPeople,
  clinics,
  consultations,
  pets,
  phoneConsults,
  sessions,
  summaries,
} from '../db/schema.ts'
import { phoneToRead } from '../identity/phone-number.ts'
import { sessionIdOf } from '../identity/session.ts'
import { stepsShown, versionOfSteps } from '../escalation/reads.ts'

/** The clinic whose list it is. */
type ClinicCtx = Pick<World, 'db' | 'now'> & { actor: { clinicId: number } }

/** A clinic's consults: those that it was told about, unless the owner took back what they had shared. */
const concerns = (clinicId: number) =>
  and(
    eq(consultations.clinicId, clinicId),
    isNotNull(consultations.clinicNotifiedAt),
    or(isPhone, isNotNull(consultations.clinicSharedAt)),
  )

const isRecent = (now: Date) => gte(consultations.start, addDays(now, -PORTAL_DAYS))

export const listClinicConsultations: Handler<typeof calls.listClinicConsultations> = (ctx) =>
  seenByClinic(ctx, isRecent(ctx.now()))

/** The list changes with the lists of staff, and with the pictures that are sent. */
export async function versionOfClinicList(ctx: ClinicCtx) {
  const [sent] = await ctx.db
    .select({ messages: sql<number>`coalesce(sum(${consultations.lastSeq}), 0)::int` })
    .from(consultations)
    .where(and(eq(consultations.clinicId, ctx.actor.clinicId), isRecent(ctx.now())))
  const steps = await versionOfSteps(ctx, ctx.actor.clinicId)
  return `${await versionOfLists(ctx)}.${sent!.messages}.${steps}`
}

export async function clinicConsultation(ctx: ClinicCtx, id: number) {
  const [consultation] = await seenByClinic(ctx, eq(consultations.id, id))
  return { consultation: consultation ?? fail('NOT_FOUND') }
}

export async function seenByClinic(ctx: ClinicCtx, which: SQL) {
  const { db, actor } = ctx
  const seen = and(concerns(actor.clinicId), which)
  // One query after the other, because the morning's job runs this inside its transaction.
  const rows = await selectConsultations(ctx, {
    also: {
      breed: breeds.name,
      dob: pets.dob,
      sex: sql<1 | 2 | null>`coalesce(${pets.sex}, (${consultations.caller} ->> 'sex')::int)`,
      age: sql<string>`coalesce(${consultations.caller} ->> 'age', '')`,
    },
    mobile: sql<string>`coalesce(${owners.mobile}, ${consultations.caller} ->> 'phone', '')`,
    phone: columnsOf(phoneConsults, 'decision', 'urgency'),
    ended_as: clinicalNotes.outcome,
    advice: {
      ...columnsOf(summaries, 'summary', 'plan'),
      watch_for: summaries.watchFor,
      go_if: summaries.goIf,
    },
    accepted_by: sql<string | null>`case when ${consultations.clinicAcceptedAt} is not null
        then coalesce(${clinicPeople.name}, ${clinics.clinic}) end`,
  })
    .innerJoin(clinics, eq(clinics.id, consultations.clinicId))
    .leftJoin(clinicPeople, eq(clinicPeople.id, consultations.clinicAcceptedBy))
    .leftJoin(breeds, eq(breeds.id, pets.breedId))
    .leftJoin(phoneConsults, eq(phoneConsults.consultationId, consultations.id))
    .leftJoin(
      clinicalNotes,
      and(eq(clinicalNotes.consultationId, consultations.id), isNotNull(clinicalNotes.signedAt)),
    )
    .where(seen)
    .orderBy(desc(consultations.start), desc(consultations.id))
  const pictures = await db
    .select({
      consultation: attachments.consultationId,
      ...columnsOf(attachments, 'filename', 'width', 'height'),
      url: sql<string>`${attachments.name}`.mapWith(fileAddress),
    })
    .from(attachments)
    .innerJoin(consultations, eq(consultations.id, attachments.consultationId))
    .where(and(seen, isSharedPicture))
    .orderBy(asc(attachments.id))
  const calls = rows.flatMap(({ row }) => (row.type === CONSULT_TYPES.phone ? row.id : []))
  const steps = await stepsShown(ctx, calls)
  return rows.map(({ also, mobile, phone, ended_as, advice, accepted_by, ...found }) => {
    const shown = asConsultation(found, true)
    return {
      ...shown,
      pet: { ...shown.pet, ...also },
      mobile: phoneToRead(mobile, found.row.region),
      decision: phone?.decision ?? null,
      urgency: phone?.urgency ?? null,
      ended_as,
      advice,
      accepted_by,
      pictures: pictures.filter(({ consultation }) => consultation === shown.id),
      steps: steps.filter(({ consultation }) => consultation === shown.id),
    }
  })
}

/** Whether the owner sent an attachment of their consult and agreed to share it. */
const isSharedPicture = and(
  isNotNull(consultations.clinicPicturesAt),
  eq(attachments.userId, consultations.userId),
  like(attachments.type, 'image/%'),
)

/** Whether a clinic may see a file that was sent in a consult. */
export async function mayClinicSee({ db }: Pick<World, 'db'>, clinicId: number, name: string) {
  const [seen] = await db
    .select({ id: attachments.id })
    .from(attachments)
    .innerJoin(consultations, eq(consultations.id, attachments.consultationId))
    .where(and(eq(attachments.name, name), concerns(clinicId), isSharedPicture))
  return seen !== undefined
}

/** The clinic as it sees itself. */
export async function signedInClinic(
  ctx: Pick<World, 'db' | 'now'>,
  { clinicId, personId }: { clinicId: number; personId: number | null },
) {
  const clinic = await clinicOf(ctx, clinicId)
  const [person] =
    personId === null
      ? []
      : await ctx.db
          .select({ name: clinicPeople.name })
          .from(clinicPeople)
          .where(eq(clinicPeople.id, personId))
  return { ...clinic, person: person?.name ?? null }
}

/** The name of the person who acts for the clinic, for the log. */
export async function signInName(
  ctx: Pick<World, 'db' | 'now'>,
  actor: { clinicId: number; personId: number | null },
): Promise<string> {
  const { person, clinic } = await signedInClinic(ctx, actor)
  return person ? `${person}, ${clinic}` : clinic
}

export const readClinicSignOut: Handler<typeof calls.readClinicSignOut> = async (ctx, { token }) => {
  const id = await sessionIdOf(ctx, token)
  const [removed] =
    id === undefined
      ? []
      : await ctx.db
          .select({ clinic: clinics.clinic })
          .from(sessions)
          .innerJoin(clinics, eq(clinics.id, sessions.clinicId))
          .leftJoin(clinicPeople, eq(clinicPeople.id, sessions.clinicPersonId))
          .where(
            and(eq(sessions.id, id), or(isNotNull(clinics.deletedAt), isNotNull(clinicPeople.deletedAt))),
          )
  return { removed_from: removed?.clinic ?? null }
}

export const myClinic: Handler<typeof calls.myClinic> = (ctx) => signedInClinic(ctx, ctx.actor)

/** The clinics that we must mail about consults by now. Deleted clinics get no more mail. */
export const clinicsDue = (world: Pick<World, 'db' | 'now'>, resting: number[]) =>
  world.db
    .selectDistinct({ id: clinics.id })
    .from(consultations)
    .innerJoin(clinics, eq(clinics.id, consultations.clinicId))
    .where(and(isClinicMailDue(world), isNull(clinics.deletedAt), notInArray(clinics.id, resting)))
    .limit(20)
