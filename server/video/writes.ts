import { and, asc, eq, isNull, or, type SQL } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/video.ts'
import { callChanged, signalled } from '#contract/video.ts'
import type { Handler } from '../http/serve.ts'
import { postFromVetChat } from '../consultations/writes.ts'
import { transaction, type World } from '../context.ts'
import { videoCalls } from '../db/schema.ts'
import { take } from '../identity/limits.ts'
import { consultationRoom, enterRoom } from '../live/connections.ts'
import {
  asCall,
  type CallCtx,
  callNow,
  openCall,
  openCalls,
  type OpenCall,
  petInCall,
  sideIn,
  sideOf,
} from './reads.ts'
import { callSaid, deviceRoom, type Side, waysOf, whyOver } from './rules.ts'

const column = { owner: 'ownerDevice', vet: 'vetDevice' } as const

const tellCall = (ctx: Pick<World, 'tell'>, consultation: number, call: ReturnType<typeof asCall> | null) =>
  ctx.tell(consultationRoom(consultation), callChanged, { consultation, call })

/** The vet's page rings by joining. If a side joins again, from the same page or another, that page takes over. */
export const joinCall: Handler<typeof calls.joinCall> = async (
  ctx,
  { consultation, device, call: known },
) => {
  const side = (await sideIn(ctx, consultation)) ?? fail('CALL_NOT_YOURS')
  await take(ctx, 'callJoins', `${consultation} ${side}`)
  if (known !== undefined && (await openCall(ctx, consultation))?.id !== known) fail('CALL_OVER')
  const row =
    side === 'vet' && 'userId' in ctx.actor
      ? await ring(ctx, consultation, ctx.actor.userId, device)
      : await enter(ctx, consultation, device)
  ctx.join(deviceRoom(row.id, device))
  enterRoom(ctx, consultation)
  const call = asCall(row)
  tellCall(ctx, consultation, call)
  return { call, ...waysOf(ctx.env, consultation, side, ctx.now()) }
}

/** The unique indexes allow one open call per consult, and one per vet. */
async function ring(ctx: CallCtx, consultation: number, vetId: number, device: string) {
  await transaction(ctx, async (ctx) => {
    const at = ctx.now()
    await closeOver(ctx, or(eq(videoCalls.consultationId, consultation), eq(videoCalls.vetId, vetId)))
    const [rung] = await ctx.db
      .insert(videoCalls)
      .values({ consultationId: consultation, vetId, rungAt: at, vetDevice: device, vetSeenAt: at })
      .onConflictDoNothing()
      .returning({ id: videoCalls.id })
    if (rung) return take(ctx, 'rings', String(consultation))
    const [joined] = await ctx.db
      .update(videoCalls)
      .set({ vetDevice: device, vetSeenAt: at })
      .where(
        and(
          eq(videoCalls.consultationId, consultation),
          eq(videoCalls.vetId, vetId),
          isNull(videoCalls.endedAt),
        ),
      )
      .returning({ id: videoCalls.id })
    if (!joined) fail('CALL_ELSEWHERE', { values: { pet: await petInCall(ctx, vetId) } })
  })
  return (await openCall(ctx, consultation)) ?? fail('CALL_OVER')
}

async function enter(ctx: CallCtx, consultation: number, device: string) {
  const row = (await openCall(ctx, consultation)) ?? fail('CALL_OVER')
  const [entered] = await ctx.db
    .update(videoCalls)
    .set({ ownerDevice: device, answeredAt: row.answeredAt ?? ctx.now() })
    .where(and(eq(videoCalls.id, row.id), isNull(videoCalls.endedAt)))
    .returning({ ownerDevice: videoCalls.ownerDevice, answeredAt: videoCalls.answeredAt })
  return entered ? { ...row, ...entered } : fail('CALL_OVER')
}

export const answerCall: Handler<typeof calls.answerCall> = async (ctx, { consultation, comes }) => {
  if ((await sideIn(ctx, consultation)) !== 'owner') fail('CALL_NOT_YOURS')
  const row = (await openCall(ctx, consultation)) ?? fail('CALL_OVER')
  if (!comes) {
    await close(ctx, row, {
      says: 'Video call declined. You can carry on in the chat.',
      only: isNull(videoCalls.ownerDevice),
    })
    return { call: await callNow(ctx, consultation) }
  }
  await ctx.db
    .update(videoCalls)
    .set({ answeredAt: ctx.now() })
    .where(and(eq(videoCalls.id, row.id), isNull(videoCalls.answeredAt), isNull(videoCalls.endedAt)))
  const call = await callNow(ctx, consultation)
  tellCall(ctx, consultation, call)
  return { call }
}

/** Only the vet's presence is stored, because a call without the vet is over. */
export const holdCall: Handler<typeof calls.holdCall> = async (ctx, { consultation, device }) => {
  const side = await sideIn(ctx, consultation)
  if (side === 'vet')
    await ctx.db
      .update(videoCalls)
      .set({ vetSeenAt: ctx.now() })
      .where(
        and(
          eq(videoCalls.consultationId, consultation),
          eq(videoCalls.vetDevice, device),
          isNull(videoCalls.endedAt),
        ),
      )
  return { call: side && (await callNow(ctx, consultation)) }
}

export const leaveCall: Handler<typeof calls.leaveCall> = async (ctx, { consultation, device }) => {
  const side = await sideIn(ctx, consultation)
  const row = side && (await openCall(ctx, consultation))
  // If the call has moved to another page, this one changes nothing.
  if (!row || row[column[side]] !== device) return {}
  // The vet's next ring may arrive together with this.
  if (side === 'vet') await close(ctx, row, { only: eq(videoCalls.vetDevice, device) })
  else {
    await ctx.db
      .update(videoCalls)
      .set({ ownerDevice: null })
      .where(and(eq(videoCalls.id, row.id), eq(videoCalls.ownerDevice, device)))
    tellCall(ctx, consultation, await callNow(ctx, consultation))
  }
  ctx.leave(deviceRoom(row.id, device))
  return {}
}

/** Checked every time: a consult may have been handed over, or the call moved to another device. */
export const sendSignals: Handler<typeof calls.sendSignals> = async (
  ctx,
  { consultation, device, to, n, signals },
) => {
  const row = (await openCall(ctx, consultation)) ?? fail('CALL_OVER')
  const side = sideOf(ctx.actor, row.consult)
  if (side === null) return fail('NOT_FOUND')
  if (row[column[side]] !== device || row[column[other(side)]] !== to) fail('CALL_MOVED')
  await take(ctx, 'callSignals', `${consultation} ${side}`)
  ctx.tell(deviceRoom(row.id, to), signalled, { consultation, from: device, to, n, signals })
  return {}
}

const other = (side: Side) => (side === 'owner' ? 'vet' : 'owner')

/** Ends a call once and leaves a message, if `only` is still true: a page that has joined since mustn't lose its call. */
const close = (
  ctx: Pick<World, 'db' | 'now' | 'tell' | 'hangUp' | 'wake'>,
  row: OpenCall,
  { says, only }: { says?: string; only: SQL },
) =>
  transaction(ctx, async (ctx) => {
    const at = ctx.now()
    const [ended] = await ctx.db
      .update(videoCalls)
      .set({ endedAt: at })
      .where(and(eq(videoCalls.id, row.id), isNull(videoCalls.endedAt), only))
      .returning({ answeredAt: videoCalls.answeredAt })
    if (!ended) return
    await postFromVetChat(ctx, row.consultationId, says ?? callSaid(row.vet, ended.answeredAt, at))
    tellCall(ctx, row.consultationId, null)
  })

/** Ends the calls among these that are over although nobody left them. Returns how many. */
export async function closeOver(ctx: Pick<World, 'db' | 'now' | 'tell'>, which?: SQL): Promise<number> {
  const at = ctx.now()
  const rows = await openCalls(ctx, which)
    // Message writers lock consultations in this order too.
    .orderBy(asc(videoCalls.consultationId))
    .for('no key update', { of: videoCalls })
  let closed = 0
  for (const call of rows) {
    const why = whyOver(call, call.consult, at)
    if (why === null) continue
    closed++
    await ctx.db.update(videoCalls).set({ endedAt: at }).where(eq(videoCalls.id, call.id))
    // If the consult was ended or handed over, that has left its own message.
    if (why !== 'consult moved on')
      await postFromVetChat(ctx, call.consultationId, callSaid(call.vet, call.answeredAt, call.vetSeenAt))
    tellCall(ctx, call.consultationId, null)
  }
  return closed
}
