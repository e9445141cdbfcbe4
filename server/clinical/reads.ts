import { and, asc, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import { hasPortal } from '../clinics/reads.ts'
import { earlierOf } from '../consultations/reads.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { doctorName, fullName } from '../db/names.ts'
import {
  cannedReplies,
  clinicalNotes,
  clinics,
  consultations,
  notes,
  ownReplies,
  users,
} from '../db/schema.ts'
import { phoneToRead } from '../identity/phone-number.ts'
import { activeMembershipsOf } from '../memberships/reads.ts'
import { petForStaff } from '../pets/reads.ts'
import { petRecordOf } from '../records/reads.ts'

const EARLIER = 20

/** What vets see beside a case. */
export async function recordOf(
  ctx: Pick<Ctx<readonly ['vet', 'admin']>, 'db' | 'now' | 'actor'>,
  id: number,
) {
  const [found] = await ctx.db
    .select({
      row: consultations,
      owner: { ...columnsOf(users, 'mobile', 'userClinic'), name: fullName(users) },
    })
    .from(consultations)
    .leftJoin(users, eq(users.id, consultations.userId))
    .where(eq(consultations.id, id))
  const { row, owner } = found ?? fail('NOT_FOUND')
  const [pet, kept, earlier, memberships, note] = await Promise.all([
    row.petId === null ? null : petForStaff(ctx, row.petId),
    row.petId === null ? null : petRecordOf(ctx, row.petId),
    row.petId === null ? [] : earlierOf(ctx, row.petId, id, EARLIER),
    row.userId === null ? [] : activeMembershipsOf(ctx, row.userId),
    noteOf(ctx, id),
  ])
  return {
    pet,
    kept,
    owner: {
      name: owner?.name ?? row.caller?.name ?? '',
      mobile: phoneToRead(owner?.mobile ?? row.caller?.phone ?? '', row.region),
      own_clinic: owner?.userClinic ?? '',
      is_member: memberships.length > 0,
    },
    earlier,
    note,
  }
}

/** Version 0 means that nobody has begun the note. */
export async function noteOf({ db }: Pick<World, 'db'>, id: number) {
  const [[note], additions] = await Promise.all([
    db
      .select({
        ...columnsOf(clinicalNotes, 'history', 'findings', 'assessment', 'summary', 'plan'),
        watch_for: clinicalNotes.watchFor,
        go_if: clinicalNotes.goIf,
        ...columnsOf(clinicalNotes, 'outcome', 'version'),
        saved_at: clinicalNotes.savedAt,
        signed_at: clinicalNotes.signedAt,
        signed_by: doctorName<string | null>(users),
      })
      .from(clinicalNotes)
      .leftJoin(users, eq(users.id, clinicalNotes.signedBy))
      .where(eq(clinicalNotes.consultationId, id)),
    db
      .select({ ...columnsOf(notes, 'kind', 'body', 'at'), by: doctorName(users) })
      .from(notes)
      .innerJoin(users, eq(users.id, notes.vetId))
      .where(eq(notes.consultationId, id))
      .orderBy(asc(notes.id)),
  ])
  return { ...(note ?? NOT_BEGUN), additions }
}

const NOT_BEGUN = {
  history: '',
  findings: '',
  assessment: '',
  summary: '',
  plan: '',
  watch_for: '',
  go_if: '',
  outcome: null,
  version: 0,
  saved_at: null,
  signed_at: null,
  signed_by: null,
}

/** The clinic that the owner chose and agreed to for this consultation. We never mail any other clinic. */
export async function sharedClinicOf({ db }: Pick<World, 'db'>, id: number) {
  const [clinic] = await db
    .select({
      ...columnsOf(clinics, 'clinic', 'email', 'notify'),
      hasPortal: hasPortal({ db }),
    })
    .from(consultations)
    .innerJoin(clinics, eq(clinics.id, consultations.clinicId))
    .where(
      and(
        eq(consultations.id, id),
        isNotNull(consultations.clinicSharedAt),
        isNull(clinics.deletedAt),
        ne(clinics.email, ''),
      ),
    )
  return clinic
}

/** A vet's own replies first. */
export async function listReplies({ db, actor }: Pick<World, 'db'> & { actor: { userId: number } }) {
  const [own, shared] = await Promise.all([
    db
      .select({ ...columnsOf(ownReplies, 'id', 'title', 'body'), own: sql<boolean>`true` })
      .from(ownReplies)
      .where(eq(ownReplies.vetId, actor.userId))
      .orderBy(asc(ownReplies.title), asc(ownReplies.id)),
    db
      .select({ ...columnsOf(cannedReplies, 'id', 'title', 'body'), own: sql<boolean>`false` })
      .from(cannedReplies)
      .orderBy(asc(cannedReplies.id)),
  ])
  return [...own, ...shared]
}
