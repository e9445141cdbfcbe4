import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { and, eq, lt, or, sql, type SQL } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/chat.ts'
import {
  ATTACHABLE,
  FOLLOW_UP_HOURS,
  marksMoved,
  messageSaid,
  someoneTypes,
  VIDEO_SECONDS,
} from '#contract/chat.ts'
import { fail } from '#contract/errors.ts'
import { Upload } from '#contract/fields.ts'
import { QUOTAS } from '#contract/limits.ts'
import { addHours } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { readAdded } from '../consultations/level-writes.ts'
import { followUp } from '../consultations/question-writes.ts'
import { mayOpen } from '../consultations/reads.ts'
import { transaction, type World } from '../context.ts'
import { prepared } from '../db/client.ts'
import { attachments, messages, readMarks } from '../db/schema.ts'
import { remakePage } from '../providers/pictures.ts'
import { asAttachment, partName, plainName } from './rules.ts'
import { historyOf, type RoomCtx, senderIn } from './reads.ts'
import { attachmentKey } from '../consultations/rules.ts'
import { consultationRoom, staffRoom } from '../live/connections.ts'
import { kindOf } from '../documents/content-types.ts'
import { blankMetadata, secondsOf } from '../documents/films.ts'
import { checkQuota, storeNamed, takeQuota } from '../documents/uploads.ts'

interface Saying {
  consultation: number
  clientId: string
  /** Null for a guest, who writes as the consultation's owner. */
  userId: number | null
  body: string
  attachmentId?: number
}
/** The outcome of sending a message; `seq` is null if it was refused. */
interface Outcome {
  seq: number | null
  userId: number | null
  at: Date
  /** An earlier attempt had stored the message. */
  again: boolean
  ended: boolean
  /** The owner has sent as many messages as a consult allows. */
  full: boolean
  /** The consult had already ended or been put aside. */
  follows: boolean
  /** No vet reads along: none has the consult, or its vet is in another case. */
  alone: boolean
}

/**
 * Numbers and stores a batch. Consultations are locked in one order, so that batches of several instances wait for
 * each other instead of deadlocking, and a consultation's numbers appear in order. Returns what is stored now and what
 * was stored before. Steps aren't joined with each other, because that would take time quadratic in the batch's size.
 * Each array has a select of its own, so that one plan serves batches of any size.
 */
const storeBatch = prepared((db) => {
  const column = (name: string) => sql.placeholder(name)
  const array = (name: string, type: string) => sql`(select ${column(name)}::${sql.raw(type)}[])`
  const step = (name: string, query: SQL) => db.$with(name, { seq: sql<number>`seq` }).as(query)
  const outcome = step(
    'outcome',
    sql`select consultation_id, client_id, seq, user_id, null::timestamptz as said_at, false as ended, false as is_full from stored
      union all
      select consultation_id, client_id, known_seq, known_user_id, known_at, ended, is_full from known
      where known_seq is not null or ended or is_full`,
  )
  return db
    .with(
      step(
        'sent',
        sql`select * from unnest(
            ${array('consultations', 'int')}, ${array('clientIds', 'text')}, ${array('userIds', 'int')},
            ${array('bodies', 'text')}, ${array('attachmentIds', 'int')}
          ) with ordinality as t (consultation_id, client_id, user_id, body, attachment_id, ord)`,
      ),
      step(
        'locked',
        sql`select sent.*, c.user_id as owner_id, c.vet_id, c.follow_up_vet_id, c.last_seq, (c."end" is not null or c.snoozed_until is not null) as follows,
            (c."end" is null and not c.vet_here) as alone,
            (c.asked_again_at is null or sent.user_id is null or sent.user_id = c.user_id)
              and coalesce(c.cancelled_at is not null or coalesce(
              c.extended_until <= ${column('at')}::timestamptz, c."end" <= ${column('endedBefore')}::timestamptz
            ), false) as ended,
            coalesce(sent.user_id, c.user_id) is not distinct from c.user_id
              and c.last_seq >= ${QUOTAS.consultation.messages} as is_full
          from sent join consultations c on c.id = sent.consultation_id
          order by c.id for no key update of c`,
      ),
      step(
        'known',
        sql`select locked.*, m.seq as known_seq, m.user_id as known_user_id, m.at as known_at
          from locked
          left join messages m on m.consultation_id = locked.consultation_id and m.client_id = locked.client_id`,
      ),
      step(
        'fresh',
        sql`select distinct on (consultation_id, client_id) *
          from known
          where known_seq is null and not ended and not is_full and (user_id is null or user_id in (owner_id, vet_id, follow_up_vet_id))
          order by consultation_id, client_id, ord`,
      ),
      step(
        'numbered',
        sql`select *, (last_seq + row_number() over (partition by consultation_id order by ord))::int as seq from fresh`,
      ),
      step(
        'counted',
        sql`update consultations set last_seq = n.seq
          from (select consultation_id, max(seq) as seq from numbered group by 1) n
          where consultations.id = n.consultation_id`,
      ),
      step(
        'stored',
        sql`insert into messages (consultation_id, seq, client_id, user_id, body, attachment_id, at)
          select consultation_id, seq, client_id, coalesce(user_id, owner_id), body, attachment_id,
            ${column('at')}::timestamptz
          from numbered
          on conflict (consultation_id, client_id) do nothing
          returning consultation_id, client_id, seq, user_id`,
      ),
      outcome,
    )
    .select({
      consultation: sql<number>`consultation_id`,
      clientId: sql<string>`client_id`,
      seq: sql<number | null>`seq`,
      userId: sql<number | null>`user_id`,
      at: sql<Date | string | null>`said_at`,
      ended: sql<boolean>`ended`,
      full: sql<boolean>`is_full`,
      // One select for the whole batch, instead of a join.
      follows: sql<boolean>`consultation_id = any(coalesce((select array_agg(consultation_id) from locked where follows), '{}'))`,
      alone: sql<boolean>`consultation_id = any(coalesce((select array_agg(consultation_id) from locked where alone), '{}'))`,
    })
    .from(outcome)
    .prepare('store_batch')
})

const NO_STANDING = { ended: false, full: false, follows: false, alone: false }

const nameOf = ({ consultation, clientId }: Pick<Saying, 'consultation' | 'clientId'>) =>
  `${consultation} ${clientId}`

async function writeTogether({ db, now }: Pick<World, 'db' | 'now'>, batch: Saying[]): Promise<Outcome[]> {
  const at = now()
  const rows = await storeBatch(db).execute({
    consultations: batch.map(({ consultation }) => consultation),
    clientIds: batch.map(({ clientId }) => clientId),
    userIds: batch.map(({ userId }) => userId),
    bodies: batch.map(({ body }) => body),
    attachmentIds: batch.map(({ attachmentId }) => attachmentId ?? null),
    at: at.toISOString(),
    endedBefore: addHours(at, -FOLLOW_UP_HOURS).toISOString(),
  })
  const found = new Map(rows.map((row) => [nameOf(row), row]))
  const seen = new Set<string>()
  return Promise.all(
    batch.map(async (saying): Promise<Outcome> => {
      const name = nameOf(saying)
      const again = seen.has(name)
      seen.add(name)
      const row = found.get(name)
      if (row) return { ...row, at: row.at ? new Date(row.at) : at, again: again || row.at !== null }
      const before = await storedBefore({ db }, saying)
      const refused = { seq: null, userId: null, at, again, ...NO_STANDING }
      return before ? { ...refused, ...before, again: true } : refused
    }),
  )
}

interface Waiting {
  saying: Saying
  done: (outcome: Outcome) => void
  failed: (error: unknown) => void
}

const MOST_AT_ONCE = 500
const SIDE_BY_SIDE = 2
const queues = new WeakMap<World['db'], { waiting: Waiting[]; writing: Set<number>[] }>()

/**
 * Stores a message. Messages that arrive during a write are stored together by the next one. Parallel writes have no
 * consultation in common, so an author's messages keep the order in which they arrived.
 */
function store(ctx: Pick<World, 'db' | 'now'>, saying: Saying): Promise<Outcome> {
  const queue = queues.get(ctx.db) ?? { waiting: [], writing: [] }
  queues.set(ctx.db, queue)

  async function writeNext(): Promise<void> {
    if (queue.writing.length >= SIDE_BY_SIDE) return
    const isWritten = ({ saying }: Waiting) => queue.writing.some((ids) => ids.has(saying.consultation))
    const batch = queue.waiting.filter((one) => !isWritten(one)).slice(0, MOST_AT_ONCE)
    if (batch.length === 0) return
    const taken = new Set(batch)
    queue.waiting = queue.waiting.filter((one) => !taken.has(one))
    const ids = new Set(batch.map(({ saying }) => saying.consultation))
    queue.writing.push(ids)
    try {
      const outcomes = await writeTogether(
        ctx,
        batch.map(({ saying }) => saying),
      )
      batch.forEach(({ done }, at) => done(outcomes[at]!))
    } catch (error) {
      if (batch.length === 1) batch[0]!.failed(error)
      // When the database refuses a batch, each message is tried alone, so only the bad one fails.
      else
        for (const { saying, done, failed } of batch)
          await writeTogether(ctx, [saying]).then(([outcome]) => done(outcome!), failed)
    }
    queue.writing = queue.writing.filter((one) => one !== ids)
    void writeNext()
  }
  return new Promise((done, failed) => {
    queue.waiting.push({ saying, done, failed })
    // Messages of this turn of the event loop join the write.
    if (queue.writing.length < SIDE_BY_SIDE) queueMicrotask(() => void writeNext())
  })
}

/** Another instance stored the same message a moment earlier. */
async function storedBefore({ db }: Pick<World, 'db'>, { consultation, clientId }: Saying) {
  const [row] = await db
    .select({ seq: messages.seq, userId: messages.userId, at: messages.at })
    .from(messages)
    .where(and(eq(messages.consultationId, consultation), eq(messages.clientId, clientId)))
  return row
}

/** Stores a message, then tells the room, then acknowledges. */
export async function sendMessage(ctx: RoomCtx, sent: Parsed<typeof calls.sendMessage>) {
  if (!ctx.isIn(consultationRoom(sent.consultation))) await mayOpen(ctx, sent.consultation)
  return (await speak(ctx, sent)).stored
}

async function speak(
  ctx: RoomCtx,
  { consultation, client_id, body }: Parsed<typeof calls.sendMessage>,
  file?: typeof attachments.$inferSelect,
) {
  const { seq, userId, at, again, ended, full, follows, alone } = await store(ctx, {
    consultation,
    clientId: client_id,
    userId: ctx.actor.kind === 'guest' ? null : ctx.actor.userId,
    body,
    ...(file && { attachmentId: file.id }),
  })
  if (seq === null) {
    if (ended) fail('CONSULT_ENDED')
    return fail(full ? 'CONSULT_MESSAGES_FULL' : 'CONSULT_NOT_YOURS_TO_ANSWER')
  }
  const stored = { seq, at }
  const attachment = file ? asAttachment(file) : null
  if (again) await tellAgain(ctx, consultation, seq)
  else
    ctx.tell(consultationRoom(consultation), messageSaid, {
      consultation,
      message: { ...stored, client_id, user_id: userId, body, attachment },
    })
  if (follows && userId !== null) await followUp(ctx, consultation, { seq, userId, at })
  if ((alone || follows) && userId !== null && body) await readAdded(ctx, consultation, { userId, body })
  return { stored, again }
}

/** The instance that stored the message may have died before the push. We push the stored text, even if the repeat differs. */
async function tellAgain(ctx: RoomCtx, consultation: number, seq: number) {
  const { messages } = await historyOf(ctx, { consultation, after: seq - 1, before: seq + 1 })
  for (const message of messages)
    ctx.tell(consultationRoom(consultation), messageSaid, { consultation, message })
}

/* Files. */

const LONGEST = 2000

/** Of a file that broke off sooner, all is sent again. */
const PART_BYTES = 100_000

/** Checks a file, stores it, then sends its message. */
export const attachFile: Handler<typeof calls.attachFile> = async (ctx, { from = 0, ...sent }) => {
  const { consultation, client_id } = sent
  const userId = await senderIn(ctx, consultation)
  const before = await attachedBefore(ctx, consultation, client_id)
  if (before) {
    await speak(ctx, { consultation, client_id, body: '' })
    return before
  }
  await checkQuota(ctx, { consultation, userId, bytes: 0 })
  const part = partName(userId, sent)
  const file = from > 0 ? await joined(ctx, part, from, sent.file) : sent.file
  if (file.brokeOff) {
    if (file.size >= PART_BYTES)
      await keepFilePart(ctx, { consultationId: consultation, userId, name: part }, file)
    throw file.brokeOff
  }
  const stored = await storeFile(ctx, userId, { ...sent, file })
  if (from > 0) await discard(ctx, { name: part })
  return stored
}

/** Puts the rest of a file behind the part that was kept. */
async function joined({ files }: World, name: string, from: number, rest: Upload) {
  const kept = await files.get(attachmentKey(name))
  if (kept?.size !== from) {
    kept?.stream.destroy()
    return fail('FILE_PART_GONE')
  }
  const path = `${rest.path}-joined`
  await pipeline(kept.stream, createWriteStream(path))
  await pipeline(createReadStream(rest.path), createWriteStream(path, { flags: 'a' }))
  return new Upload({ ...rest, path, size: from + rest.size })
}

/** The sweep deletes it after an hour, as it does every file without a message. */
async function keepFilePart(
  ctx: World,
  own: { consultationId: number; userId: number; name: string },
  { size: bytes, path }: Upload,
) {
  const row = { ...own, filename: '', type: 'application/octet-stream', bytes, createdAt: ctx.now() }
  await transaction(ctx, async (ctx) => {
    await takeQuota(ctx, { consultation: own.consultationId, userId: own.userId, bytes })
    await ctx.db.insert(attachments).values(row).onConflictDoUpdate({ target: attachments.name, set: row })
  })
  await ctx.files.put(attachmentKey(own.name), createReadStream(path))
}

async function storeFile(
  ctx: RoomCtx,
  userId: number,
  { consultation, client_id, ...sent }: Omit<Parsed<typeof calls.attachFile>, 'from'>,
) {
  const { content, ...made } = await readAttachment(userId, sent.file)
  const { ending, ...facts } = made
  // We add the row before the file, so that every stored file is counted and can be found by the sweep.
  const file = await transaction(ctx, async (ctx) => {
    await takeQuota(ctx, { consultation, userId, bytes: facts.bytes })
    const [row] = await ctx.db
      .insert(attachments)
      .values({
        consultationId: consultation,
        userId,
        name: `${randomBytes(16).toString('hex')}.${ending}`,
        filename: plainName(sent.file.filename || `file.${ending}`),
        ...facts,
        createdAt: ctx.now(),
      })
      .returning()
    return row!
  })
  const said = await storeNamed(
    () => ctx.files.put(attachmentKey(file.name), content()),
    () => speak(ctx, { consultation, client_id, body: '' }, file),
    () => discard(ctx, file),
  )
  if (!said.again) return { ...said.stored, attachment: asAttachment(file) }
  // Another attempt was faster, so its file is the one that counts.
  await discard(ctx, file)
  // There is none if the message with this client id isn't a file.
  return (await attachedBefore(ctx, consultation, client_id)) ?? fail('IDEMPOTENCY_KEY_REUSED')
}

/** The row is deleted last, so a crash in between is repaired. */
export async function discard({ db, files }: Pick<World, 'db' | 'files'>, { name }: { name: string }) {
  await files.remove(attachmentKey(name))
  await db.delete(attachments).where(eq(attachments.name, name))
}

async function attachedBefore({ db }: Pick<World, 'db'>, consultation: number, clientId: string) {
  const [found] = await db
    .select({ seq: messages.seq, at: messages.at, file: attachments })
    .from(messages)
    .innerJoin(attachments, eq(attachments.id, messages.attachmentId))
    .where(and(eq(messages.consultationId, consultation), eq(messages.clientId, clientId)))
  if (!found) return undefined
  const { seq, at, file } = found
  return { seq, at, attachment: asAttachment(file) }
}

/**
 * Re-encodes pictures and blanks the metadata of films, so that neither tells where it was taken. Documents stay as
 * they are.
 */
async function readAttachment(userId: number, { path, size, truncated }: Upload) {
  const most = (kind: keyof typeof ATTACHABLE) => {
    const { bytes, tooLarge } = ATTACHABLE[kind]
    if (truncated || size > bytes) fail(tooLarge)
  }
  const kind = await kindOf(path)
  if (kind === null) {
    most('picture')
    const { content, width, height } = (await remakePage(userId, path, LONGEST)) ?? fail('FILE_WRONG_TYPE')
    return { ending: 'jpg', type: 'image/jpeg', content: () => content, bytes: content.length, width, height }
  }
  most(kind === 'pdf' ? 'document' : 'video')
  const type = { pdf: 'application/pdf', mp4: 'video/mp4', mov: 'video/quicktime', webm: 'video/webm' }[kind]
  if (kind !== 'pdf') {
    const seconds = (await secondsOf(path, kind)) ?? fail('VIDEO_WITHOUT_LENGTH')
    if (seconds > VIDEO_SECONDS + 1) fail('VIDEO_TOO_LONG')
    // Cameras don't record webm, and browsers write no place into it.
    if (kind !== 'webm') await blankMetadata(path)
  }
  return { ending: kind, type, content: () => createReadStream(path), bytes: size }
}

/** Marks only move forward, and not past the last message. Staff who only look leave no marks. */
export async function sendMarks(ctx: RoomCtx, { consultation, ...sent }: Parsed<typeof calls.sendMarks>) {
  const { userId, vetId, followUpVetId, lastSeq } = await mayOpen(ctx, consultation)
  const mine = ctx.actor.kind === 'guest' ? userId : ctx.actor.userId
  if (mine === null || ![userId, vetId, followUpVetId].includes(mine)) return {}
  const seen = Math.min(sent.seen, lastSeq)
  const delivered = Math.min(Math.max(sent.delivered, seen), lastSeq)
  const sentOf = (name: 'delivered' | 'seen') => sql.raw(`excluded.${name}`)
  const forward = (name: 'delivered' | 'seen') => sql`greatest(${readMarks[name]}, ${sentOf(name)})`
  const [row] = await ctx.db
    .insert(readMarks)
    .values({ consultationId: consultation, userId: mine, delivered, seen })
    .onConflictDoUpdate({
      target: [readMarks.consultationId, readMarks.userId],
      set: { delivered: forward('delivered'), seen: forward('seen') },
      setWhere: or(lt(readMarks.delivered, sentOf('delivered')), lt(readMarks.seen, sentOf('seen'))),
    })
    .returning({ user_id: readMarks.userId, delivered: readMarks.delivered, seen: readMarks.seen })
  if (row) ctx.tell(consultationRoom(consultation), marksMoved, { consultation, mark: row })
  return {}
}

const TYPING_TOLD_MS = 250
/** Who told it, and in which consult, in this interval. A person may have sixty sockets. */
const typingTold = new Set<string>()

/**
 * Tells everyone in the room that the owner or their vet types; nothing is stored. A program could say it a hundred times
 * a second, so pages hear it less often.
 */
export const tellTyping: Handler<typeof calls.tellTyping> = async (ctx, { consultation, writing }) => {
  const { actor } = ctx
  const room = consultationRoom(consultation)
  if (!ctx.isIn(room)) fail('NOT_FOUND')
  const told = `${room} ${actor.kind === 'guest' ? actor.kind : actor.userId}`
  if (typingTold.has(told)) return {}
  typingTold.add(told)
  setTimeout(() => typingTold.delete(told), TYPING_TOLD_MS)
  const { userId, vetId, followUpVetId } = await mayOpen(ctx, consultation)
  const isOwner = actor.kind === 'guest' || actor.userId === userId
  if (!isOwner && ![vetId, followUpVetId].includes(actor.userId)) return {}
  ctx.tell(room, someoneTypes, { consultation, side: isOwner ? 'owner' : 'vet', writing })
  return {}
}

export const leaveRoom: Handler<typeof calls.leaveRoom> = (ctx, { consultation }) => {
  ctx.leave(consultationRoom(consultation))
  ctx.leave(staffRoom(consultation))
  return {}
}
