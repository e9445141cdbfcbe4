import { and, asc, eq, gt, gte, inArray, isNotNull, lt, ne } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import { fail, failAt } from '#contract/errors.ts'
import type * as calls from '#contract/roster.ts'
import { LONGEST_SHIFT_HOURS, ROSTER_DAYS, rosterChanged, TOLD_WITHIN_HOURS } from '#contract/roster.ts'
import { daysAfter, instantOf, type Region, localTimeOf } from '#contract/regions.ts'
import { DAY, HOUR } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { isVet } from '../db/kinds.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { doctorName } from '../db/names.ts'
import { shifts, users } from '../db/schema.ts'
import { record } from '../identity/audit.ts'
import { iso } from '../http/answers.ts'
import { STAFF_ROOM } from '../live/connections.ts'
import { mail } from '../mail/outbox.ts'
import {
  shiftAddedLetter,
  shiftChangedLetter,
  shiftRemovedLetter,
  shiftTakenLetter,
  type Span,
} from './emails.ts'
import { shiftOf, shiftsBetween } from './reads.ts'
import { daysFrom, hoursOf, placeOf, spanOf } from './rules.ts'

type AdminCtx = Ctx<typeof calls.addShift.access>
type VetCtx = Ctx<typeof calls.takeShift.access>
type Row = typeof shifts.$inferSelect

/** Locks vets in the order of their ids, so that their shifts change one after the other. */
async function lockVets({ db }: Pick<World, 'db'>, region: Region, ids: number[]) {
  const rows = await db
    .select({ ...columnsOf(users, 'id', 'firstName', 'email'), name: doctorName(users) })
    .from(users)
    .where(and(inArray(users.id, ids), eq(users.region, region), isVet))
    .orderBy(asc(users.id))
    .for('no key update')
  return new Map(rows.map((row) => [row.id, row]))
}

type Held = NonNullable<ReturnType<Awaited<ReturnType<typeof lockVets>>['get']>>

async function overlaps({ db }: Pick<World, 'db'>, vetId: number, { begin, end }: Span, except = 0) {
  const [other] = await db
    .select({ id: shifts.id })
    .from(shifts)
    .where(and(eq(shifts.vetId, vetId), lt(shifts.begin, end), gt(shifts.end, begin), ne(shifts.id, except)))
    .limit(1)
  return other !== undefined
}

function checked(ctx: Pick<World, 'now'>, span: Span): Span {
  if (hoursOf(span) <= 0) failAt('to', 'SHIFT_SKIPPED')
  if (hoursOf(span) > LONGEST_SHIFT_HOURS) failAt('to', 'SHIFT_TOO_LONG')
  if (span.end <= ctx.now()) fail('SHIFT_PAST')
  return span
}

const isSoon = (ctx: Pick<World, 'now'>, ...spans: Span[]) =>
  spans.some(
    ({ begin, end }) => end > ctx.now() && begin.getTime() - ctx.now().getTime() < TOLD_WITHIN_HOURS * HOUR,
  )

async function tell(
  ctx: AdminCtx | VetCtx,
  vet: Held | undefined,
  letter: ReturnType<typeof shiftAddedLetter>,
) {
  if (vet) await mail(ctx, ctx.actor.region, vet.email, 'roster', letter(vet.firstName))
}

/** Locks a shift after its vet and these others, in the order in which a vet leaves both duty and roster. */
async function lockShift({ db, actor }: AdminCtx | VetCtx, id: number, others: number[] = []) {
  const { region } = actor
  const isIt = and(eq(shifts.id, id), eq(shifts.region, region))
  const [seen] = await db.select({ vetId: shifts.vetId }).from(shifts).where(isIt)
  if (!seen) return undefined
  const vets = await lockVets({ db }, region, [seen.vetId, ...others])
  const [row] = await db.select().from(shifts).where(isIt).for('no key update')
  return row && { row, vets }
}

const isAsSeen = (now: Row, was: Parsed<typeof calls.changeShift>['was']) =>
  was.vet_id === now.vetId && was.begin === iso(now.begin) && was.end === iso(now.end)

function changed(ctx: AdminCtx | VetCtx, action: string, { id, ...details }: Partial<Row> & { id: number }) {
  ctx.tell(STAFF_ROOM, rosterChanged, {})
  return record(ctx, ctx.actor.userId, action, ['shift', id], { details })
}

export const addShift: Handler<typeof calls.addShift> = (ctx, { vet_id, day, from, to }) =>
  transaction(ctx, async (ctx) => {
    const { region } = ctx.actor
    const span = checked(ctx, spanOf(region, day, from, to))
    const vet = (await lockVets(ctx, region, [vet_id])).get(vet_id) ?? failAt('vet_id', 'SHIFT_VET_UNKNOWN')
    if (await overlaps(ctx, vet_id, span)) failAt('vet_id', 'SHIFT_OVERLAPS')
    const [row] = await ctx.db
      .insert(shifts)
      .values({ region, vetId: vet_id, ...span, createdAt: ctx.now() })
      .returning()
    await changed(ctx, 'shift added', row!)
    if (isSoon(ctx, span)) await tell(ctx, vet, shiftAddedLetter(region, span))
    return shiftOf(ctx, row!.id)
  })

export const changeShift: Handler<typeof calls.changeShift> = (ctx, sent) =>
  transaction(ctx, async (ctx) => {
    const { region } = ctx.actor
    const { row: before, vets } = (await lockShift(ctx, sent.id, [sent.vet_id])) ?? fail('SHIFT_REMOVED')
    if (!isAsSeen(before, sent.was)) fail('SHIFT_CHANGED')
    const span = checked(ctx, spanOf(region, sent.day, sent.from, sent.to))
    const vet = vets.get(sent.vet_id) ?? failAt('vet_id', 'SHIFT_VET_UNKNOWN')
    if (await overlaps(ctx, vet.id, span, before.id)) failAt('vet_id', 'SHIFT_OVERLAPS')
    await ctx.db
      .update(shifts)
      .set({ vetId: vet.id, ...span, ...(vet.id !== before.vetId && { offeredAt: null }) })
      .where(eq(shifts.id, before.id))
    await changed(ctx, 'shift changed', before)
    if (isSoon(ctx, before, span)) {
      if (vet.id === before.vetId) await tell(ctx, vet, shiftChangedLetter(region, before, span))
      else {
        await tell(ctx, vet, shiftAddedLetter(region, span))
        await tell(ctx, vets.get(before.vetId), shiftRemovedLetter(region, before))
      }
    }
    return shiftOf(ctx, before.id)
  })

/** A shift that a colleague removed first is gone, as the admin wanted. */
export const removeShift: Handler<typeof calls.removeShift> = (ctx, { id, ...was }) =>
  transaction(ctx, async (ctx) => {
    const locked = await lockShift(ctx, id)
    if (!locked) return {}
    const { row, vets } = locked
    if (!isAsSeen(row, was)) fail('SHIFT_CHANGED')
    await ctx.db.delete(shifts).where(eq(shifts.id, id))
    await changed(ctx, 'shift removed', row)
    if (isSoon(ctx, row)) await tell(ctx, vets.get(row.vetId), shiftRemovedLetter(ctx.actor.region, row))
    return {}
  })

/** Copies by the clock: a shift from 06:00 still begins at 06:00 if the clocks change in between. */
export const repeatWeek: Handler<typeof calls.repeatWeek> = (ctx, { from, to, write }) =>
  transaction(ctx, async (ctx) => {
    const { region } = ctx.actor
    const apart = Math.round((Date.parse(to) - Date.parse(from)) / DAY)
    if (Math.abs(apart) < ROSTER_DAYS) failAt('to', 'WEEK_SAME')
    const last = instantOf(region, daysAfter(from, ROSTER_DAYS + 1), '00:00')
    const days = daysFrom(from)
    const known = (await shiftsBetween(ctx, region, instantOf(region, from, '00:00'), last)).filter(
      ({ begin }) => days.includes(placeOf(region, begin).day),
    )
    const vets = await lockVets(ctx, region, [...new Set(known.map(({ vetId }) => vetId))])
    const fits: Repeated[] = []
    const leftOut: Repeated[] = []
    for (const row of known) {
      const [begin, end] = [localTimeOf(region, row.begin), localTimeOf(region, row.end)]
      const day = daysAfter(begin.day, apart)
      const span = spanOf(region, day, begin.time, end.time)
      const one = { name: row.name, day, from: begin.time, to: end.time, vetId: row.vetId, span }
      const isFree =
        vets.has(row.vetId) &&
        hoursOf(span) > 0 &&
        span.end > ctx.now() &&
        !(await overlaps(ctx, row.vetId, span))
      if (isFree) fits.push(one)
      else leftOut.push(one)
    }
    if (write && fits.length > 0) {
      await ctx.db
        .insert(shifts)
        .values(fits.map(({ vetId, span }) => ({ region, vetId, ...span, createdAt: ctx.now() })))
      const { userId } = ctx.actor
      const details = { from, to, shifts: fits.length }
      await record(ctx, userId, 'week repeated', ['roster', to], { details })
      for (const { vetId, span } of fits.filter(({ span }) => isSoon(ctx, span)))
        await tell(ctx, vets.get(vetId), shiftAddedLetter(region, span))
      ctx.tell(STAFF_ROOM, rosterChanged, {})
    }
    return { written: write, shifts: fits, left_out: leftOut }
  })

interface Repeated {
  name: string
  day: string
  from: string
  to: string
  vetId: number
  span: Span
}

export const offerShift: Handler<typeof calls.offerShift> = (ctx, { id, offered }) =>
  transaction(ctx, async (ctx) => {
    const { userId } = ctx.actor
    const [row] = await ctx.db
      .update(shifts)
      .set({ offeredAt: offered ? ctx.now() : null })
      .where(and(eq(shifts.id, id), eq(shifts.vetId, userId), gt(shifts.begin, ctx.now())))
      .returning()
    if (!row) return fail('SHIFT_NOT_YOURS')
    await changed(ctx, offered ? 'shift offered' : 'shift kept', row)
    return shiftOf(ctx, id)
  })

/** The first vet who takes it has it. */
export const takeShift: Handler<typeof calls.takeShift> = (ctx, { id, ...was }) =>
  transaction(ctx, async (ctx) => {
    const { userId, region } = ctx.actor
    const { row, vets } = (await lockShift(ctx, id, [userId])) ?? fail('SHIFT_REMOVED')
    if (!row.offeredAt || row.vetId === userId || row.begin <= ctx.now()) fail('SHIFT_NOT_OFFERED')
    if (!isAsSeen(row, was)) fail('SHIFT_CHANGED')
    const taker = vets.get(userId) ?? fail('NOT_FOUND')
    if (await overlaps(ctx, userId, row)) fail('SHIFT_OVERLAPS')
    await ctx.db
      .update(shifts)
      .set({ vetId: userId, offeredAt: null })
      .where(and(eq(shifts.id, id), eq(shifts.vetId, row.vetId), isNotNull(shifts.offeredAt)))
    await changed(ctx, 'shift taken', row)
    await tell(ctx, vets.get(row.vetId), shiftTakenLetter(region, taker.name, row))
    return shiftOf(ctx, id)
  })

/** A person who is no longer a vet leaves gaps behind, from now on. */
export async function openShiftsOf(ctx: Pick<World, 'db' | 'now' | 'tell'>, vetId: number) {
  const now = ctx.now()
  await ctx.db.delete(shifts).where(and(eq(shifts.vetId, vetId), gte(shifts.begin, now)))
  await ctx.db
    .update(shifts)
    .set({ end: now })
    .where(and(eq(shifts.vetId, vetId), gt(shifts.end, now)))
  ctx.tell(STAFF_ROOM, rosterChanged, {})
}
