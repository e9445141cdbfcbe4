import { and, desc, eq, gt, inArray, lt, ne } from 'drizzle-orm'
import { SAME_LOOK_MINUTES } from '#contract/people.ts'
import { addMinutes } from '#contract/time.ts'
import type { World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { auditLog } from '../db/schema.ts'

/** What an entry is about, such as a consultation, and its number. */
type Subject = readonly [kind: string, id: number | string]

/**
 * Records what staff read and change, in the same transaction as the change. Without a person, VetChat did it
 * automatically. Returns the time.
 */
export async function record(
  { db, now }: Pick<World, 'db' | 'now'>,
  userId: number | null,
  action: string,
  [subject, id]: Subject,
  more: { reason?: string; details?: Record<string, unknown> } = {},
): Promise<Date> {
  const at = now()
  await db.insert(auditLog).values({ userId, action, subject, subjectId: String(id), ...more, at })
  return at
}

export const isAbout = ([subject, id]: Subject) =>
  and(eq(auditLog.subject, subject), eq(auditLog.subjectId, String(id)))

/** An entry that was made while the clock was ahead doesn't count until then. */
const isOfLatest = (minutes: number, now: Date) =>
  and(gt(auditLog.at, addMinutes(now, -minutes)), lt(auditLog.at, addMinutes(now, minutes)))

/** Records an entry, unless the same one is a few minutes old. Returns the time of the recorded one. */
export async function recordOnce(
  ctx: Pick<World, 'db' | 'now'>,
  userId: number,
  action: string,
  about: Subject,
  reason = '',
): Promise<Date> {
  const [known] = await ctx.db
    .select({ at: auditLog.at })
    .from(auditLog)
    .where(
      and(
        isAbout(about),
        eq(auditLog.userId, userId),
        eq(auditLog.action, action),
        eq(auditLog.reason, reason),
        isOfLatest(SAME_LOOK_MINUTES, ctx.now()),
      ),
    )
    .limit(1)
  return known?.at ?? record(ctx, userId, action, about, { reason })
}

/** By id, the latest reason that this person gave with one of these actions within these minutes. */
export async function gaveReasons(
  { db, now }: Pick<World, 'db' | 'now'>,
  userId: number,
  actions: string[],
  [subject, ids]: readonly [kind: string, ids: number[]],
  minutes: number,
) {
  const rows = await db
    .selectDistinctOn([auditLog.subjectId], columnsOf(auditLog, 'subjectId', 'reason', 'at'))
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subject, subject),
        inArray(auditLog.subjectId, ids.map(String)),
        eq(auditLog.userId, userId),
        inArray(auditLog.action, actions),
        ne(auditLog.reason, ''),
        isOfLatest(minutes, now()),
      ),
    )
    .orderBy(auditLog.subjectId, desc(auditLog.id))
  return new Map(
    rows.map(({ subjectId, reason, at }) => [Number(subjectId), { reason, until: addMinutes(at, minutes) }]),
  )
}
