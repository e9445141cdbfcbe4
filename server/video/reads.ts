import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/video.ts'
import type { Handler } from '../http/serve.ts'
import { mayOpen } from '../consultations/reads.ts'
import type { Ctx, World } from '../context.ts'
import { prepared } from '../db/client.ts'
import { columnsOf } from '../db/columns-of.ts'
import { doctorName } from '../db/names.ts'
import { consultations, pets, users, videoCalls } from '../db/schema.ts'
import { type Side, waysOf, whyOver } from './rules.ts'

export type CallCtx = Ctx<typeof calls.joinCall.access>

/** Which side of an open consult the caller is. */
export async function sideIn(ctx: Pick<CallCtx, 'db' | 'actor'>, consultation: number): Promise<Side | null> {
  const consult = await mayOpen(ctx, consultation)
  return consult.end === null ? sideOf(ctx.actor, { ...consult, id: consultation }) : null
}

/** Only the owner and the vet who has the case can take part in its calls, and no other vet. */
export function sideOf(
  actor: CallCtx['actor'],
  { id, userId, vetId }: { id: number; userId: number | null; vetId: number | null },
): Side | null {
  if (actor.kind === 'guest') return actor.consultationId === id ? 'owner' : null
  if (actor.userId === userId) return 'owner'
  return actor.kind === 'vet' && actor.userId === vetId ? 'vet' : null
}

/** Calls that nobody has ended. */
export const openCalls = ({ db }: Pick<World, 'db'>, which: SQL | undefined) =>
  db
    .select({
      ...columnsOf(videoCalls, 'id', 'consultationId', 'vetId', 'rungAt', 'answeredAt', 'vetSeenAt'),
      ...columnsOf(videoCalls, 'ownerDevice', 'vetDevice'),
      vet: doctorName(users),
      consult: columnsOf(consultations, 'id', 'userId', 'vetId', 'end'),
    })
    .from(videoCalls)
    .innerJoin(consultations, eq(consultations.id, videoCalls.consultationId))
    .innerJoin(users, eq(users.id, videoCalls.vetId))
    .where(and(isNull(videoCalls.endedAt), which))

const openRow = prepared((db) =>
  openCalls({ db }, eq(videoCalls.consultationId, sql.placeholder('consultation'))).prepare('open_call'),
)

/** The call that is under way. One that is over doesn't count, even if no job has closed it yet. */
export async function openCall({ db, now }: Pick<World, 'db' | 'now'>, consultation: number) {
  const [row] = await openRow(db).execute({ consultation })
  return row && whyOver(row, row.consult, now()) === null ? row : undefined
}

export type OpenCall = NonNullable<Awaited<ReturnType<typeof openCall>>>

export const asCall = (row: OpenCall) => ({
  id: row.id,
  vet: row.vet,
  rung_at: row.rungAt,
  answered_at: row.answeredAt,
  owner_device: row.ownerDevice,
  vet_device: row.vetDevice,
})

/** The same, as both sides see it. */
export async function callNow(ctx: Pick<World, 'db' | 'now'>, consultation: number) {
  const row = await openCall(ctx, consultation)
  return row ? asCall(row) : null
}

export const getCall: Handler<typeof calls.getCall> = async (ctx, { consultation }) => {
  const side = await sideIn(ctx, consultation)
  if (side === null) return { call: null, ice_servers: [], relay_only: false }
  return { call: await callNow(ctx, consultation), ...waysOf(ctx.env, consultation, side, ctx.now()) }
}

/** The pet of the vet's other open call. */
export async function petInCall({ db }: Pick<World, 'db'>, vetId: number): Promise<string> {
  const [row] = await db
    .select({ name: pets.name })
    .from(videoCalls)
    .innerJoin(consultations, eq(consultations.id, videoCalls.consultationId))
    .innerJoin(pets, eq(pets.id, consultations.petId))
    .where(and(eq(videoCalls.vetId, vetId), isNull(videoCalls.endedAt)))
  return row?.name ?? fail('CHANGED_UNDER_YOU')
}
