import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/chat.ts'
import { FOLLOW_UP_HOURS, marksMoved, messageSaid, someoneTypes } from '#contract/chat.ts'
import { fail } from '#contract/errors.ts'
import { mayOpen } from '../consultations/reads.ts'
import type { World } from '../context.ts'
import { prepared } from '../db/client.ts'
import { messages, readMarks } from '../db/schema.ts'
import type { RoomCtx } from './reads.ts'
import { consultationRoom } from '../consultations/rules.ts'

interface Saying {
  consultation: number
  clientId: string
  /** Null: a guest, who writes as the consultation's owner. */
  userId: number | null
  body: string
}
/** What became of a saying; `seq` is null where it was refused. */
interface Outcome {
  seq: number | null
  userId: number | null
  at: Date
  /** It was stored before, by an earlier try. */
  again: boolean
  ended: boolean
}
interface Waiting {
  saying: Saying
  done: (outcome: Outcome) => void
  failed: (error: unknown) => void
}

/** What arrives while a write is under way goes into the next one, all of it in one statement. */
const queues = new WeakMap<World['db'], { waiting: Waiting[]; writing: number }>()
const MOST_AT_ONCE = 500
const SIDE_BY_SIDE = 2

function store(world: Pick<World, 'db' | 'now'>, saying: Saying): Promise<Outcome> {
  const queue = queues.get(world.db) ?? { waiting: [], writing: 0 }
  queues.set(world.db, queue)
  return new Promise((done, failed) => {
    queue.waiting.push({ saying, done, failed })
    // Whoever speaks in this turn of the loop goes along.
    if (queue.writing < SIDE_BY_SIDE) queueMicrotask(() => void writeNext(world, queue))
  })
}

async function writeNext(
  world: Pick<World, 'db' | 'now'>,
  queue: { waiting: Waiting[]; writing: number },
): Promise<void> {
  if (queue.writing >= SIDE_BY_SIDE || queue.waiting.length === 0) return
  queue.writing++
  const batch = queue.waiting.splice(0, MOST_AT_ONCE)
  try {
    const outcomes = await writeTogether(
      world,
      batch.map(({ saying }) => saying),
    )
    batch.forEach(({ done }, at) => done(outcomes[at]!))
  } catch (error) {
    await oneByOne(world, batch, error)
  }
  queue.writing--
  void writeNext(world, queue)
}

/** A message that the database refuses refuses only itself. */
async function oneByOne(world: Pick<World, 'db' | 'now'>, batch: Waiting[], error: unknown) {
  if (batch.length === 1) return batch[0]!.failed(error)
  for (const { saying, done, failed } of batch)
    await writeTogether(world, [saying]).then(([outcome]) => done(outcome!), failed)
}

/**
 * Numbers and stores a batch. The consultations are locked in one order, so that batches of several instances wait
 * for each other instead of blocking each other, and the numbers of one consultation appear in their order.
 */
const storeBatch = prepared((db) => {
  const column = (name: string) => sql.placeholder(name)
  const step = (name: string, query: SQL) => db.$with(name, { ord: sql<number>`ord` }).as(query)
  const steps = [
    step(
      'rooms',
      sql`select id, user_id, vet_id, last_seq,
          cancelled_at is not null or "end" <= ${column('endedBefore')}::timestamptz as ended
        from consultations where id in (select consultation_id from sent) order by id for update`,
    ),
    step(
      'fresh',
      sql`select distinct on (sent.consultation_id, sent.client_id)
          sent.consultation_id, sent.client_id, coalesce(sent.user_id, rooms.user_id) as user_id, sent.body, sent.ord
        from sent join rooms on rooms.id = sent.consultation_id
        where rooms.ended is not true
          and (sent.user_id is null or sent.user_id in (rooms.user_id, rooms.vet_id))
          and not exists (
            select from messages m where m.consultation_id = sent.consultation_id and m.client_id = sent.client_id)
        order by sent.consultation_id, sent.client_id, sent.ord`,
    ),
    step(
      'numbered',
      sql`select fresh.*, rooms.last_seq + row_number() over (partition by rooms.id order by ord) as seq
        from fresh join rooms on rooms.id = fresh.consultation_id`,
    ),
    step(
      'counted',
      sql`update consultations set last_seq = n.seq
        from (select consultation_id, max(seq)::int as seq from numbered group by 1) n
        where consultations.id = n.consultation_id`,
    ),
    step(
      'stored',
      sql`insert into messages (consultation_id, seq, client_id, user_id, body, at)
        select consultation_id, seq::int, client_id, user_id, body, ${column('at')}::timestamptz from numbered
        on conflict (consultation_id, client_id) do nothing
        returning consultation_id, client_id, seq, user_id`,
    ),
  ] as const
  const sent = step(
    'sent',
    sql`select * from unnest(
        ${column('consultations')}::int[], ${column('clientIds')}::text[],
        ${column('userIds')}::int[], ${column('bodies')}::text[]
      ) with ordinality as t (consultation_id, client_id, user_id, body, ord)`,
  )
  return db
    .with(sent, ...steps)
    .select({
      seq: sql<number | null>`coalesce(stored.seq, m.seq)`,
      userId: sql<number | null>`coalesce(stored.user_id, m.user_id)`,
      at: sql<Date | string | null>`m.at`,
      again: sql<boolean>`m.seq is not null`,
      ended: sql<boolean>`coalesce(rooms.ended, false)`,
    })
    .from(sent)
    .leftJoin(sql`rooms`, sql`rooms.id = sent.consultation_id`)
    .leftJoin(
      sql`stored`,
      sql`(stored.consultation_id, stored.client_id) = (sent.consultation_id, sent.client_id)`,
    )
    .leftJoin(sql`messages m`, sql`(m.consultation_id, m.client_id) = (sent.consultation_id, sent.client_id)`)
    .orderBy(sql`sent.ord`)
    .prepare('store_batch')
})

async function writeTogether({ db, now }: Pick<World, 'db' | 'now'>, batch: Saying[]): Promise<Outcome[]> {
  const at = now()
  const rows = await storeBatch(db).execute({
    consultations: batch.map(({ consultation }) => consultation),
    clientIds: batch.map(({ clientId }) => clientId),
    userIds: batch.map(({ userId }) => userId),
    bodies: batch.map(({ body }) => body),
    at: at.toISOString(),
    endedBefore: new Date(at.getTime() - FOLLOW_UP_HOURS * 3_600_000).toISOString(),
  })
  const seen = new Set<string>()
  return Promise.all(
    rows.map(async (row, index): Promise<Outcome> => {
      const saying = batch[index]!
      const name = `${saying.consultation} ${saying.clientId}`
      const twice = seen.has(name)
      seen.add(name)
      const known = row.seq === null && !row.ended ? await storedBefore({ db }, saying) : undefined
      const { seq, userId, at: then } = known ?? row
      return {
        seq,
        userId,
        at: then === null ? at : new Date(then),
        again: twice || known !== undefined || row.again,
        ended: row.ended,
      }
    }),
  )
}

/** The same message was on its way by another instance, and stood there when this one came to it. */
async function storedBefore({ db }: Pick<World, 'db'>, { consultation, clientId }: Saying) {
  const [row] = await db
    .select({ seq: messages.seq, userId: messages.userId, at: messages.at })
    .from(messages)
    .where(and(eq(messages.consultationId, consultation), eq(messages.clientId, clientId)))
  return row
}

/** Stored, then told to the room, then acknowledged. */
export async function say(ctx: RoomCtx, sent: Parsed<typeof calls.say>) {
  const room = consultationRoom(sent.consultation)
  if (!ctx.isIn(room)) await mayOpen(ctx, sent.consultation)
  const { seq, userId, at, again, ended } = await store(ctx, {
    consultation: sent.consultation,
    clientId: sent.client_id,
    userId: ctx.actor.kind === 'guest' ? null : ctx.actor.userId,
    body: sent.body,
  })
  if (seq === null) return fail(ended ? 'CONSULT_ENDED' : 'CONSULT_NOT_YOURS_TO_ANSWER')
  const stored = { seq, at: at.toISOString() }
  if (!again)
    ctx.tell(room, messageSaid, {
      consultation: sent.consultation,
      message: { ...stored, client_id: sent.client_id, user_id: userId, body: sent.body },
    })
  return stored
}

/** Marks only move forward, and not past what was said. Staff who only look leave none. */
export async function mark(ctx: RoomCtx, { consultation, ...sent }: Parsed<typeof calls.mark>) {
  const { userId, vetId, lastSeq } = await mayOpen(ctx, consultation)
  const mine = ctx.actor.kind === 'guest' ? userId : ctx.actor.userId
  if (mine === null || (mine !== userId && mine !== vetId)) return {}
  const seen = Math.min(sent.seen, lastSeq)
  const delivered = Math.min(Math.max(sent.delivered, seen), lastSeq)
  const forward = (name: 'delivered' | 'seen') =>
    sql`greatest(${readMarks[name]}, ${sql.raw(`excluded.${name}`)})`
  const [row] = await ctx.db
    .insert(readMarks)
    .values({ consultationId: consultation, userId: mine, delivered, seen })
    .onConflictDoUpdate({
      target: [readMarks.consultationId, readMarks.userId],
      set: { delivered: forward('delivered'), seen: forward('seen') },
    })
    .returning({ user_id: readMarks.userId, delivered: readMarks.delivered, seen: readMarks.seen })
  ctx.tell(consultationRoom(consultation), marksMoved, { consultation, mark: row! })
  return {}
}

/** Told to who is there; nothing of it is kept. */
export function typing(ctx: RoomCtx, { consultation, writing }: Parsed<typeof calls.typing>) {
  const room = consultationRoom(consultation)
  const side = ctx.actor.kind === 'vet' || ctx.actor.kind === 'admin' ? 'vet' : 'owner'
  if (!ctx.isIn(room)) fail('NOT_FOUND')
  ctx.tell(room, someoneTypes, { consultation, side, writing })
  return {}
}

export function leaveRoom(ctx: RoomCtx, { consultation }: Parsed<typeof calls.leaveRoom>) {
  ctx.leave(consultationRoom(consultation))
  return {}
}
