import { and, asc, eq, exists, gt, inArray, isNotNull, isNull, lte, not, type SQL } from 'drizzle-orm'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import type { Job } from '../clock.ts'
import { transaction, type World } from '../context.ts'
import { consultations, ledger, pets, purchases, users } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import { mail } from '../mail.ts'
import { backOfCharge, hadAVet } from '../room/reads.ts'
import { followUpLetter } from './emails.ts'
import { ownerOf } from './reads.ts'
import { houseSays, sayLate, tellChange } from './writes.ts'

const BATCH = 20

/** Rows that another instance holds are its own; the rest stay held until they are dealt with. */
const claim = ({ db }: Pick<World, 'db'>, due: SQL | undefined) =>
  db
    .select({
      id: consultations.id,
      userId: consultations.userId,
      petId: consultations.petId,
      goesOnFrom: consultations.goesOnFrom,
    })
    .from(consultations)
    .where(due)
    .orderBy(asc(consultations.start))
    .limit(BATCH)
    .for('update', { skipLocked: true })

/** What somebody paid for it alone and has not got back; whoever gives that back apologises with it. */
const goesBack = ({ db }: Pick<World, 'db'>) =>
  exists(
    db
      .select({ id: ledger.id })
      .from(ledger)
      .innerJoin(purchases, eq(purchases.id, ledger.purchaseId))
      .where(
        and(
          eq(purchases.consultationId, consultations.id),
          eq(ledger.kind, 'charge'),
          gt(ledger.amount, backOfCharge),
          not(hadAVet),
        ),
      ),
  )

/** Who waits longer than was promised hears an apology, once. */
const tellLate: Job = {
  name: 'tell who waits too long',
  run: (world) =>
    transaction(world, async (world) => {
      const at = world.now()
      const late = await claim(
        world,
        and(
          isNull(consultations.end),
          isNull(consultations.vetId),
          isNull(consultations.lateToldAt),
          not(goesBack(world)),
          lte(consultations.start, new Date(at.getTime() - PROMISED_MINUTES * 60_000)),
        ),
      )
      for (const { id } of late) await sayLate(world, id)
      return late.length
    }),
}

/** A day after its end an owner is asked how the pet is, once. Of a pet that died nobody asks. */
const followUp: Job = {
  name: 'follow up',
  run: (world) =>
    transaction(world, async (world) => {
      const at = world.now()
      const due = await claim(
        world,
        and(
          isNull(consultations.followUpAt),
          lte(consultations.followUpDueAt, at),
          isNotNull(consultations.end),
        ),
      )
      const died = await world.db
        .select({ id: pets.id })
        .from(pets)
        .where(
          and(
            inArray(
              pets.id,
              due.flatMap(({ petId }) => petId ?? []),
            ),
            eq(pets.putAwayWhy, 'died'),
          ),
        )
      for (const { id, userId, petId, goesOnFrom } of due) {
        await world.db.update(consultations).set({ followUpAt: at }).where(eq(consultations.id, id))
        const owner = await ownerOf(world, id)
        if (!owner || died.some((pet) => pet.id === petId)) continue
        await houseSays(
          world,
          id,
          `How is ${owner.pet} today: better, the same or worse? You can answer here, and your vet reads it.`,
        )
        const [wants] = await world.db
          .select({ notifications: users.notifications })
          .from(users)
          .where(eq(users.id, userId!))
        if (wants!.notifications['check_in'] !== false) {
          const site = siteOfRegion(world, owner.region)
          await mail(
            world,
            site,
            owner.email,
            'follow-up',
            followUpLetter(owner, goesOnFrom === null),
            `follow-up ${id}`,
          )
        }
        tellChange(world, id, userId)
      }
      return due.length
    }),
}

export const consultationJobs = [tellLate, followUp]
