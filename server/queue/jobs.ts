import { and, asc, eq, gt, isNotNull, isNull, lte, notExists, notInArray, sql } from 'drizzle-orm'
import { VET_GONE_MINUTES } from '#contract/queue.ts'
import type { Job } from '../jobs/clock.ts'
import { transaction } from '../context.ts'
import { clinicalNotes, consultations, messages, users } from '../db/schema.ts'
import { restingRows, rowByRow } from '../jobs/retry-by-row.ts'
import { handBackConsultations } from '../consultations/writes.ts'

const BATCH = 20

/**
 * Vets whose page and cases have been silent for too long go off duty, and their cases go back to the queue.
 * The demo's vets never reported in, so silence doesn't end their duty.
 */
const MISS_VETS = 'miss vets'
const missVets: Job = {
  name: MISS_VETS,
  lane: 'database',
  run: (world) =>
    transaction(world, async (world) => {
      const { db } = world
      const before = new Date(world.now().getTime() - VET_GONE_MINUTES * 60_000)
      const theirs = and(eq(consultations.vetId, users.id), isNull(consultations.end))
      const spoke = db
        .select({ one: sql`1` })
        .from(messages)
        .innerJoin(consultations, eq(consultations.id, messages.consultationId))
        .where(and(theirs, eq(messages.userId, users.id), gt(messages.at, before)))
      const noted = db
        .select({ one: sql`1` })
        .from(clinicalNotes)
        .innerJoin(consultations, eq(consultations.id, clinicalNotes.consultationId))
        .where(and(theirs, gt(clinicalNotes.savedAt, before)))
      const gone = await db
        .select({ id: users.id })
        .from(users)
        .where(
          and(
            isNotNull(users.onDutySince),
            lte(users.lastSeenAt, before),
            notExists(spoke),
            notExists(noted),
            notInArray(users.id, restingRows(world, MISS_VETS)),
          ),
        )
        .orderBy(asc(users.id))
        .limit(BATCH)
        .for('no key update', { skipLocked: true })
      return rowByRow(world, MISS_VETS, gone, ({ id }) =>
        transaction(world, async (world) => {
          await world.db.update(users).set({ onDutySince: null }).where(eq(users.id, id))
          await handBackConsultations(
            world,
            id,
            'Your vet lost their connection. You’re back in your place in the queue, and the next vet will read everything you wrote.',
          )
        }),
      )
    }),
}

export const queueJobs = [missVets]
