import { and, asc, eq, gt, gte, isNotNull, isNull, lte, ne, notExists, notInArray, sql } from 'drizzle-orm'
import { VET_GONE_MINUTES } from '#contract/queue.ts'
import { rosterChanged } from '#contract/roster.ts'
import { addMinutes } from '#contract/time.ts'
import type { World } from '../context.ts'
import { isDue } from '../db/due.ts'
import { doctorName } from '../db/names.ts'
import { clinicalNotes, consultations, messages, users } from '../db/schema.ts'
import { lockedRowsJob } from '../jobs/retry-by-row.ts'
import { answeredLetter, askedAgainLetter } from '../consultations/emails.ts'
import { followUpVet } from '../consultations/question-reads.ts'
import { ANSWER_GATHERED_MS } from '../consultations/question-writes.ts'
import { ownerOf } from '../consultations/reads.ts'
import { handBackConsultations, tellWaiting } from '../consultations/writes.ts'
import { STAFF_ROOM } from '../live/connections.ts'
import { mail } from '../mail/outbox.ts'

const BATCH = 20

/**
 * A vet whose page and cases have been silent for too long goes off duty, and their cases return to the queue.
 * The demo's vets have never reported, so silence doesn't end their duty.
 */
const endSilentDuty = lockedRowsJob({
  name: 'end the duty of silent vets',
  due: silentVets,
  async handle(world, { id, region }) {
    await world.db.update(users).set({ onDutySince: null }).where(eq(users.id, id))
    await handBackConsultations(
      world,
      id,
      'Your vet lost their connection. You’re back in your place in the queue, and the next vet will read everything you wrote.',
    )
    await tellWaiting(world, region)
    world.tell(STAFF_ROOM, rosterChanged, {})
  },
})

function silentVets({ db, now }: World, resting: number[]) {
  const before = addMinutes(now(), -VET_GONE_MINUTES)
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
  return (
    db
      .select({ id: users.id, region: users.region })
      .from(users)
      .where(
        and(
          isNotNull(users.onDutySince),
          lte(users.lastSeenAt, before),
          notExists(spoke),
          notExists(noted),
          notInArray(users.id, resting),
        ),
      )
      .orderBy(asc(users.id))
      // Each vet's cases are locked in order, so two vets' cases in one transaction wouldn't be.
      .limit(1)
      .for('no key update', { skipLocked: true })
  )
}

/** A vet on duty sees the question in the console. A vet who isn't on duty gets a mail. */
const mailQuestions = lockedRowsJob({
  name: 'mail follow-up questions',
  due: mailsDue(consultations.questionMailDueAt),
  async handle(world, { id, vetId, dueAt }) {
    await world.db.update(consultations).set({ questionMailDueAt: null }).where(eq(consultations.id, id))
    const [vet] = await world.db
      .select({ email: users.email, firstName: users.firstName })
      .from(users)
      .where(and(eq(users.id, vetId), isNull(users.onDutySince), isNull(users.deletedAt)))
    const owner = vet && (await ownerOf(world, id))
    if (!owner) return
    const letter = askedAgainLetter(vet, owner.pet, `/text-chat/${id}`)
    await mail(world, owner.region, vet.email, 'follow-up question', letter, {
      key: `question ${id} ${+dueAt}`,
    })
  },
})

/** The owner gets the answer by mail too, with all its messages in one mail. */
const mailAnswers = lockedRowsJob({
  name: 'mail follow-up answers',
  due: mailsDue(consultations.answerMailDueAt),
  async handle(world, { id, dueAt }) {
    await world.db.update(consultations).set({ answerMailDueAt: null }).where(eq(consultations.id, id))
    const owner = await ownerOf(world, id)
    if (!owner) return
    const said = await world.db
      .select({ body: messages.body, by: doctorName(users) })
      .from(messages)
      .innerJoin(users, eq(users.id, messages.userId))
      .where(
        and(
          eq(messages.consultationId, id),
          ne(messages.userId, owner.userId),
          gte(messages.at, new Date(dueAt.getTime() - ANSWER_GATHERED_MS)),
        ),
      )
      .orderBy(asc(messages.seq))
    const [first] = said
    if (!first) return
    const words = said.map(({ body }) => body || 'Your vet sent a file. It’s in the conversation.')
    const letter = answeredLetter(owner, first.by, words)
    await mail(world, owner.region, owner.email, 'follow-up answer', letter, {
      key: `answer ${id} ${+dueAt}`,
    })
  },
})

/** Rows with a mail to send now, locked until the mail is in the outbox. */
function mailsDue(dueAt: typeof consultations.questionMailDueAt | typeof consultations.answerMailDueAt) {
  return ({ db, now }: World, resting: number[]) =>
    db
      .select({ id: consultations.id, vetId: followUpVet, dueAt: sql<Date>`${dueAt}`.mapWith(dueAt) })
      .from(consultations)
      .where(and(isDue(dueAt, now(), ANSWER_GATHERED_MS), notInArray(consultations.id, resting)))
      .orderBy(asc(dueAt))
      .limit(BATCH)
      .for('update', { skipLocked: true })
}

export const queueJobs = [endSilentDuty, mailQuestions, mailAnswers]
