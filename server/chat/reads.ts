import { and, asc, desc, eq, gt, lt, lte, ne, sql } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/chat.ts'
import { HISTORY_FIRST, HISTORY_MOST, MESSAGE_LENGTH } from '#contract/chat.ts'
import type { Handler } from '../http/serve.ts'
import { mayRead } from '../consultations/reads.ts'
import { attachmentKey } from '../consultations/rules.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { attachments, messages, readMarks } from '../db/schema.ts'
import { enterRoom } from '../live/connections.ts'
import { asAttachment, partName } from './rules.ts'

export type RoomCtx = Ctx<typeof calls.joinRoom.access>

/** Joins the room before reading the history: a message in between arrives twice rather than never. */
export const joinRoom: Handler<typeof calls.joinRoom> = async (ctx, which) => {
  await mayRead(ctx, which.consultation)
  enterRoom(ctx, which.consultation)
  return historyOf(ctx, which)
}

export const readMessages: Handler<typeof calls.readMessages> = async (ctx, which) => {
  await mayRead(ctx, which.consultation)
  return historyOf(ctx, which)
}

/** Limits a page, so that reading its text keeps nobody waiting. Two of the longest messages fit. */
const PAGE_BYTES = 8 * MESSAGE_LENGTH

export async function historyOf(
  { db }: Pick<World, 'db'>,
  { consultation, after, before }: Parsed<typeof calls.joinRoom>,
) {
  const forward = after !== undefined
  const most = forward ? HISTORY_MOST : HISTORY_FIRST
  const direction = forward ? asc : desc
  const near = db.$with('near').as(
    db
      .select({
        seq: messages.seq,
        // This reads no text, which for long ones takes most of the time.
        size: sql<number>`sum(octet_length(${messages.body})) over (order by ${direction(messages.seq)})`.as(
          'size_so_far',
        ),
      })
      .from(messages)
      .where(
        and(
          eq(messages.consultationId, consultation),
          forward ? gt(messages.seq, after) : undefined,
          before === undefined ? undefined : lt(messages.seq, before),
        ),
      )
      .orderBy(direction(messages.seq))
      .limit(most + 1),
  )
  const [rows, marks] = await Promise.all([
    db
      .with(near)
      .select({
        ...columnsOf(messages, 'seq', 'body', 'at'),
        client_id: messages.clientId,
        user_id: messages.userId,
        file: attachments,
        near: sql<number>`(select count(*)::int from near)`,
      })
      .from(near)
      .innerJoin(messages, and(eq(messages.consultationId, consultation), eq(messages.seq, near.seq)))
      .leftJoin(attachments, eq(attachments.id, messages.attachmentId))
      .where(lte(near.size, PAGE_BYTES))
      .orderBy(direction(messages.seq))
      .limit(most),
    db
      .select({ user_id: readMarks.userId, delivered: readMarks.delivered, seen: readMarks.seen })
      .from(readMarks)
      .where(eq(readMarks.consultationId, consultation)),
  ])
  return {
    messages: (forward ? rows : rows.toReversed()).map(({ file, ...message }) => ({
      ...message,
      attachment: file && asAttachment(file),
    })),
    marks,
    more: rows.length < (rows[0]?.near ?? 0),
  }
}

/** The person whose file it is: a guest sends for the owner of the consultation. */
export async function senderIn(ctx: RoomCtx, consultation: number) {
  const { userId: owner } = await mayRead(ctx, consultation)
  return ctx.actor.kind === 'guest' ? owner! : ctx.actor.userId
}

export const readFilePart: Handler<typeof calls.readFilePart> = async (ctx, sent) => {
  const name = partName(await senderIn(ctx, sent.consultation), sent)
  const kept = await ctx.files.get(attachmentKey(name))
  kept?.stream.destroy()
  return { bytes: kept?.size ?? 0 }
}

const MOST_FILES = 200

export const listFiles: Handler<typeof calls.listFiles> = async (ctx, { consultation }) => {
  await mayRead(ctx, consultation)
  const rows = await ctx.db
    .select({ file: attachments, user_id: messages.userId, at: messages.at })
    .from(messages)
    .innerJoin(attachments, eq(attachments.id, messages.attachmentId))
    .where(eq(messages.consultationId, consultation))
    .orderBy(desc(messages.seq))
    .limit(MOST_FILES)
  return rows.map(({ file, ...sent }) => ({ ...sent, attachment: asAttachment(file) }))
}

/** A file that was sent, with its sender's name for it. */
export async function fileNamed({ db }: Pick<World, 'db'>, name: string) {
  const [file] = await db
    .select({
      ...columnsOf(attachments, 'name', 'filename', 'bytes'),
      consultation: attachments.consultationId,
    })
    .from(attachments)
    // An erased file has no filename, and waits for the sweep.
    .where(and(eq(attachments.name, name), ne(attachments.filename, '')))
  return file
}
