import { and, asc, eq, exists, gt, isNotNull, isNull, not, notInArray, type SQL } from 'drizzle-orm'
import { DAY } from '#contract/time.ts'
import type { World } from '../context.ts'
import { isDue } from '../db/due.ts'
import { isWaiting } from '../db/kinds.ts'
import { consultations, ledger, purchases } from '../db/schema.ts'
import { mail } from '../mail/outbox.ts'
import { backOfCharge, hadAVet, handedBackRecently, isLateInSql } from './room-reads.ts'
import { lockedRowsJob } from '../jobs/retry-by-row.ts'
import { checkInLetter } from './emails.ts'
import { ownerOf } from './reads.ts'
import { postFromVetChat, sayLate, tellChange } from './writes.ts'

const BATCH = 20

/** Skips rows that another instance has locked, and locks the rest until they're handled. */
const claim = ({ db }: World, resting: number[], due: SQL | undefined) =>
  db
    .select({ id: consultations.id, userId: consultations.userId, goesOnFrom: consultations.goesOnFrom })
    .from(consultations)
    .where(and(due, notInArray(consultations.id, resting)))
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

/** Owners who wait longer than we promised, or as long again for another vet, get one apology. */
const tellLate = lockedRowsJob({
  name: 'write to owners who wait too long',
  due: (world, resting) =>
    claim(
      world,
      resting,
      and(
        isWaiting,
        isNull(consultations.lateToldAt),
        not(unrefundedCharge(world)),
        isLateInSql(world.now()),
        not(handedBackRecently(world.now())),
      ),
    ),
  handle: (world, { id }) => sayLate(world, id),
})

/** A day after the end we ask once how the pet is, unless it died. */
const checkIn = lockedRowsJob({
  name: 'follow up',
  due: (world, resting) =>
    claim(
      world,
      resting,
      and(
        isNull(consultations.followUpAt),
        isDue(consultations.followUpDueAt, world.now(), DAY),
        isNotNull(consultations.end),
      ),
    ),
  handle: askAfter,
})

async function askAfter(world: World, { id, userId, goesOnFrom }: Awaited<ReturnType<typeof claim>>[number]) {
  await world.db.update(consultations).set({ followUpAt: world.now() }).where(eq(consultations.id, id))
  const owner = await ownerOf(world, id)
  if (!owner || owner.petDied) return
  await postFromVetChat(
    world,
    id,
    `How is ${owner.pet} today: better, the same or worse? You can answer here, and your vet will read it.`,
  )
  if (owner.notifications['check_in'] !== false) {
    const letter = checkInLetter(owner, goesOnFrom === null)
    await mail(world, owner.region, owner.email, 'follow-up', letter, { key: `follow-up ${id}` })
  }
  tellChange(world, id, userId)
}

export const consultationJobs = [tellLate, checkIn]
