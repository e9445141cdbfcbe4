import {
  and,
  asc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  not,
  notInArray,
  type SQL,
} from 'drizzle-orm'
import type { Job } from '../jobs/clock.ts'
import { transaction, type World } from '../context.ts'
import { consultations, ledger, pets, purchases, users } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import { mail } from '../mail/outbox.ts'
import { backOfCharge, hadAVet, isLateInSql } from './room-reads.ts'
import { restingRows, rowByRow } from '../jobs/retry-by-row.ts'
import { followUpLetter } from './emails.ts'
import { ownerOf } from './reads.ts'
import { postFromVetChat, sayLate, tellChange } from './writes.ts'

const BATCH = 20

/** Skips rows that another instance has locked, and locks the rest until they're handled. */
const claim = (world: World, job: string, due: SQL | undefined) =>
  world.db
    .select({
      id: consultations.id,
      userId: consultations.userId,
      petId: consultations.petId,
      goesOnFrom: consultations.goesOnFrom,
    })
    .from(consultations)
    .where(and(due, notInArray(consultations.id, restingRows(world, job))))
    .orderBy(asc(consultations.start))
    .limit(BATCH)
    .for('update', { skipLocked: true })

/** A paid consult that isn't refunded yet; the refund job sends its own apology. */
const unrefundedCharge = ({ db }: Pick<World, 'db'>) =>
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

/** Owners who wait longer than we promised get one apology. */
const TELL_LATE = 'tell who waits too long'
const tellLate: Job = {
  name: TELL_LATE,
  lane: 'database',
  run: (world) =>
    transaction(world, async (world) => {
      const late = await claim(
        world,
        TELL_LATE,
        and(
          isNull(consultations.end),
          isNull(consultations.vetId),
          isNull(consultations.lateToldAt),
          not(unrefundedCharge(world)),
          isLateInSql(world.now()),
        ),
      )
      return rowByRow(world, TELL_LATE, late, ({ id }) => transaction(world, (world) => sayLate(world, id)))
    }),
}

/** A day after the end we ask once how the pet is, except about a pet that died. */
const FOLLOW_UP = 'follow up'
const followUp: Job = {
  name: FOLLOW_UP,
  lane: 'database',
  run: (world) =>
    transaction(world, async (world) => {
      const at = world.now()
      const due = await claim(
        world,
        FOLLOW_UP,
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
      const dead = new Set(died.map(({ id }) => id))
      return rowByRow(world, FOLLOW_UP, due, (one) =>
        transaction(world, (world) => askAfter(world, one, one.petId !== null && dead.has(one.petId))),
      )
    }),
}

async function askAfter(
  world: World,
  { id, userId, goesOnFrom }: Awaited<ReturnType<typeof claim>>[number],
  died: boolean,
) {
  await world.db.update(consultations).set({ followUpAt: world.now() }).where(eq(consultations.id, id))
  const owner = await ownerOf(world, id)
  if (!owner || died) return
  await postFromVetChat(
    world,
    id,
    `How is ${owner.pet} today: better, the same or worse? You can answer here, and your vet will read it.`,
  )
  const [wants] = await world.db
    .select({ notifications: users.notifications })
    .from(users)
    .where(eq(users.id, userId!))
  if (wants!.notifications['check_in'] !== false) {
    const site = siteOfRegion(world, owner.region)
    const letter = followUpLetter(owner, goesOnFrom === null)
    await mail(world, site, owner.email, 'follow-up', letter, `follow-up ${id}`)
  }
  tellChange(world, id, userId)
}

export const consultationJobs = [tellLate, followUp]
