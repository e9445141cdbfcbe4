import { inArray } from 'drizzle-orm'
import { rowsJob } from '../jobs/retry-by-row.ts'
import { canSignIn } from '../clinics/reads.ts'
import { takeDueClinicMails } from '../consultations/clinic-writes.ts'
import { transaction, type World } from '../context.ts'
import { consultations } from '../db/schema.ts'
import { mail } from '../mail/outbox.ts'
import { morningLetter } from './emails.ts'
import { clinicsDue, seenByClinic, signedInClinic } from './reads.ts'

/** Sends a clinic one mail with everything that we didn't mail it at night. */
const writeInTheMorning = (world: World, clinicId: number) =>
  transaction(world, async (ctx) => {
    // The rows are locked by this update, so another instance finds nothing left.
    const due = (await takeDueClinicMails(ctx, clinicId)).map(({ id }) => id)
    if (due.length === 0) return
    const seen = await seenByClinic({ ...ctx, actor: { clinicId } }, inArray(consultations.id, due))
    const open = seen.filter(({ portalDetail }) => portalDetail.clinic_accepted_at === null)
    if (open.length === 0) return
    const { clinic, email, region } = await signedInClinic(ctx, { clinicId, personId: null })
    if (email === '') return
    await mail(
      ctx,
      region,
      email,
      'clinic morning',
      morningLetter(clinic, open, await canSignIn(ctx, clinicId)),
    )
  })

export const portalJobs = [
  rowsJob({
    name: 'clinics in the morning',
    lane: 'database',
    everyMinutes: 1,
    due: clinicsDue,
    handle: (world, { id }) => writeInTheMorning(world, id),
  }),
]
