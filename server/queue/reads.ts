import { and, asc, count, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Handler } from '../http/serve.ts'
import { idsOf } from '../db/ids-of.ts'
import type * as calls from '#contract/queue.ts'
import { HERE_MS } from '#contract/queue.ts'
import { isOpen, type Region, REGIONS } from '#contract/regions.ts'
import { followUpVet, isHeld } from '../consultations/question-reads.ts'
import { ofTheirRegion, onDutyIn, regionsOf } from '../consultations/region-reads.ts'
import { asListed, selectConsultations } from '../consultations/reads.ts'
import type { Ctx, World } from '../context.ts'
import { doctorName } from '../db/names.ts'
import { consultations, users } from '../db/schema.ts'
import { waitForNew } from '../consultations/room-reads.ts'
import { whyInShort } from '../urgency/reads.ts'

/** An admin sees every region's vets. A vet sees the vets that they could hand a consult to. */
export const listDuty: Handler<typeof calls.listDuty> = ({ db, actor }) =>
  db
    .select({
      id: users.id,
      name: doctorName(users),
      since: sql<Date>`${users.onDutySince}`.mapWith(users.onDutySince),
      cases: count(consultations.id),
    })
    .from(users)
    .leftJoin(consultations, and(eq(consultations.vetId, users.id), isNull(consultations.end)))
    .where(or(...regionsOf(actor).map(onDutyIn)))
    .groupBy(users.id)
    .orderBy(asc(users.onDutySince), asc(users.id))

export const listOwnersHere: Handler<typeof calls.listOwnersHere> = async ({ db, now, actor }) => {
  const rows = await db
    .select({ id: consultations.id })
    .from(consultations)
    .where(
      and(
        isNull(consultations.end),
        gt(consultations.ownerSeenAt, new Date(now().getTime() - HERE_MS)),
        ofTheirRegion(actor),
      ),
    )
  return idsOf(rows)
}

/**
 * Questions after the end that no vet has answered, emergencies first, each with the vet who alone may answer it for now.
 * Another vet's case must be opened before it's read.
 */
export const listFollowUps: Handler<typeof calls.listFollowUps> = async (ctx) => {
  const vet_id = sql<number | null>`case when ${isHeld(ctx.now())} then ${followUpVet} end`
  const rows = await selectConsultations(ctx, { vet_id })
    .where(and(isNotNull(consultations.askedAgainAt), ofTheirRegion(ctx.actor)))
    .orderBy(isNull(consultations.questionRead), asc(consultations.askedAgainAt), asc(consultations.id))
  return rows.map(({ vet_id, ...found }) => {
    const { askedAgainAt, questionRead: read } = found.row
    const urgency = { level: read ? ('emergency' as const) : ('routine' as const), why: whyInShort(read) }
    return { consultation: { ...asListed(ctx.actor, found), urgency }, asked_at: askedAgainAt!, vet_id }
  })
}

export async function queueStatus({
  db,
  now,
  region,
}: Pick<Ctx<typeof calls.queueStatus.access>, 'db' | 'now' | 'region'>) {
  const { vets, minutes, next } = await waitForNew({ db, now }, region)
  const open = isOpen(region, now())
  return {
    open,
    on_duty: vets > 0,
    vets,
    minutes: open ? minutes : null,
    next,
    hours: REGIONS[region].hours?.says ?? null,
  }
}

/** For this long a page may show who was on duty a moment ago. */
const FRESH_MS = 5000
const latest = new Map<Region, { at: number; says: Promise<string> }>()

/** What public pages show about the queue, as one string: while it stays the same, so do the pages. */
export function presentOf(world: World, region: Region): Promise<string> {
  const known = latest.get(region)
  const at = performance.now()
  if (known && at - known.at < FRESH_MS) return known.says
  const says = queueStatus({ db: world.db, now: world.now, region }).then(
    (status) => JSON.stringify(status),
    // The page itself asks again, and shows nothing if that fails too.
    () => '',
  )
  latest.set(region, { at, says })
  return says
}
