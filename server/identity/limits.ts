import { and, eq, sql } from 'drizzle-orm'
import { type Details, fail } from '#contract/errors.ts'
import type { HumanAction } from '#contract/human.ts'
import { LIMITS, type LimitName, TRIES_AT_WORK } from '#contract/limits.ts'
import { addMinutes } from '#contract/time.ts'
import type { Ctx } from '../context.ts'
import type { Db } from '../db/client.ts'
import { tries } from '../db/schema.ts'
import { countedFor } from './browser-marks.ts'
import { hashOf } from './secrets.ts'
import { countingUnderWay, underWay } from '../concurrency/under-way.ts'

/** Whose attempt it is, and a way to ask for the human check. */
export type Counted = Pick<Ctx, 'db' | 'now' | 'secrets' | 'actor' | 'browserMark' | 'address' | 'human'>

interface Place {
  db: Db
  now: () => Date
}

/**
 * Counts an attempt before it is made, so that parallel attempts can't slip through together.
 * Refuses if the window is full. An attempt that doesn't count is given back afterwards.
 */
export async function take(place: Place, name: LimitName, key: string): Promise<void> {
  const wait = await tryTake(place, name, key)
  if (wait > 0) refuse(wait)
}

/** In whole minutes and at least two, because the sentence says "minutes". */
export const refuse = (
  wait: number,
  more: Details = {},
  code: 'TOO_MANY_TRIES' | 'TOO_MANY_FREE' | 'TOO_MANY_CALLED' = 'TOO_MANY_TRIES',
) =>
  fail(code, {
    values: { minutes: Math.max(2, Math.ceil(wait / 60)) },
    retryAfter: Math.ceil(wait),
    ...more,
  })

/**
 * Runs work that counts only if it fails, such as a guess or a card. After too many failures, or while too many are
 * under way, each attempt needs the human check. Attempts don't wait for each other.
 */
export async function countingFailures<T>(
  ctx: Counted,
  name: LimitName,
  action: HumanAction,
  isFailure: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const key = countedFor(ctx)
  const isCrowded = underWay(`${name} ${key}`) >= TRIES_AT_WORK
  return countingUnderWay(`${name} ${key}`, async () => {
    try {
      if (isCrowded || (await waitFor(ctx, name, key)) > 0) await ctx.human(action)
      return await work()
    } catch (error) {
      if (isFailure(error)) await tryTake(ctx, name, key)
      throw error
    }
  })
}

/** A window that closes after this was opened by a server whose clock was ahead, so it's over. */
const latestClose = (name: LimitName, at: Date) => addMinutes(at, 2 * LIMITS[name].minutes)

/** What an open window has counted, and the seconds until it closes. */
async function windowOf({ db, now }: Place, name: LimitName, key: string) {
  const [row] = await db
    .select({ count: tries.count, closesAt: tries.closesAt })
    .from(tries)
    .where(and(eq(tries.name, name), eq(tries.keyHash, hashOf(key))))
  const at = now()
  const isOpen = row && row.closesAt > at && row.closesAt <= latestClose(name, at)
  return isOpen ? { count: row.count, left: (row.closesAt.getTime() - at.getTime()) / 1000 } : undefined
}

/** Seconds until the next attempt is allowed, 0 if it is now. Counts nothing. */
export async function waitFor(place: Place, name: LimitName, key: string): Promise<number> {
  const open = await windowOf(place, name, key)
  return open && open.count >= LIMITS[name].max ? open.left : 0
}

export const countOf = async (place: Place, name: LimitName, key: string): Promise<number> =>
  (await windowOf(place, name, key))?.count ?? 0

/** Counts an attempt. Returns 0, or the seconds until the window opens again. */
export async function tryTake({ db, now }: Place, name: LimitName, key: string): Promise<number> {
  const at = now()
  const { max, minutes } = LIMITS[name]
  const closesAt = addMinutes(at, minutes)
  const over = sql`(${tries.closesAt} <= ${at.toISOString()}::timestamptz
    or ${tries.closesAt} > ${latestClose(name, at).toISOString()}::timestamptz)`
  const [row] = await db
    .insert(tries)
    .values({ name, keyHash: hashOf(key), openedAt: at, closesAt, count: 1 })
    .onConflictDoUpdate({
      target: [tries.name, tries.keyHash],
      set: {
        count: sql`case when ${over} then 1 else least(${tries.count} + 1, ${max + 1}) end`,
        openedAt: sql`case when ${over} then excluded.opened_at else ${tries.openedAt} end`,
        closesAt: sql`case when ${over} then excluded.closes_at else ${tries.closesAt} end`,
      },
    })
    .returning({ count: tries.count, closesAt: tries.closesAt })
  return row!.count > max ? (row!.closesAt.getTime() - at.getTime()) / 1000 : 0
}

export async function uncount({ db }: Place, name: LimitName, key: string): Promise<void> {
  await db
    .update(tries)
    .set({ count: sql`greatest(${tries.count} - 1, 0)` })
    .where(and(eq(tries.name, name), eq(tries.keyHash, hashOf(key))))
}

/** IPv6 addresses count by their /56, since a household gets at least that. A caller who has hung up has none. */
export function networkOf(address = ''): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]!
  if (!address.includes(':')) return address
  const [head = '', tail = ''] = address.split('%')[0]!.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  const bits = groups.slice(0, 4).map((group) => group.padStart(4, '0').toLowerCase())
  return `${bits.join(':').slice(0, 17)}00::/56`
}
