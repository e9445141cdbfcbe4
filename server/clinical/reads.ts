import { and, asc, eq, isNotNull, isNull, ne } from 'drizzle-orm'
import type { Note } from '#contract/clinical.ts'
import { fail } from '#contract/errors.ts'
import { hasPortal } from '../clinics/reads.ts'
import { earlierOf } from '../consultations/reads.ts'
import { doctorName } from '../consultations/rules.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
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
import { iso } from '../http/answers.ts'

const EARLIER = 20

/** What vets see beside a case. */
export async function recordOf(
  ctx: Pick<Ctx<readonly ['vet', 'admin']>, 'db' | 'now' | 'actor'>,
  id: number,
) {
  const [found] = await ctx.db
    .select({ row: consultations, owner: users })
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
      name: owner ? `${owner.firstName} ${owner.lastName}`.trim() : (row.caller?.name ?? ''),
      mobile: phoneToRead(owner?.mobile ?? row.caller?.phone ?? '', row.region),
      own_clinic: owner?.userClinic ?? '',
      is_member: memberships.length > 0,
    },
    earlier,
    note,
  }
}

/** Version 0 means that nobody has begun the note. */
export async function noteOf({ db }: Pick<World, 'db'>, id: number): Promise<Note> {
  const [[found], added] = await Promise.all([
    db
      .select({ note: clinicalNotes, signer: users })
      .from(clinicalNotes)
      .leftJoin(users, eq(users.id, clinicalNotes.signedBy))
      .where(eq(clinicalNotes.consultationId, id)),
    db
      .select({ note: notes, firstName: users.firstName, lastName: users.lastName })
      .from(notes)
      .innerJoin(users, eq(users.id, notes.vetId))
      .where(eq(notes.consultationId, id))
      .orderBy(asc(notes.id)),
  ])
  const note = found?.note
  return {
    history: note?.history ?? '',
    findings: note?.findings ?? '',
    assessment: note?.assessment ?? '',
    summary: note?.summary ?? '',
    plan: note?.plan ?? '',
    watch_for: note?.watchFor ?? '',
    go_if: note?.goIf ?? '',
    outcome: note?.outcome ?? null,
    version: note?.version ?? 0,
    saved_at: iso(note?.savedAt ?? null),
    signed_at: iso(note?.signedAt ?? null),
    signed_by: found?.signer ? doctorName(found.signer) : null,
    additions: added.map(({ note: { kind, body, at }, ...vet }) => ({
      kind,
      by: doctorName(vet),
      body,
      at: iso(at),
    })),
  }
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
      .select({ id: ownReplies.id, title: ownReplies.title, body: ownReplies.body })
      .from(ownReplies)
      .where(eq(ownReplies.vetId, actor.userId))
      .orderBy(asc(ownReplies.title), asc(ownReplies.id)),
    db
      .select({ id: cannedReplies.id, title: cannedReplies.title, body: cannedReplies.body })
      .from(cannedReplies)
      .orderBy(asc(cannedReplies.id)),
  ])
  return [...own.map((one) => ({ ...one, own: true })), ...shared.map((one) => ({ ...one, own: false }))]
}
