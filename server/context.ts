import type { Access, ActorKind, Push } from '#contract/call.ts'
import type { Region } from '#contract/regions.ts'
import type { Logger } from 'pino'
import type { Env, Site } from './env.ts'
import type { Db } from './db/client.ts'
import type { Files } from './providers/files.ts'
import type { Payments } from './providers/payments.ts'

/** Who is calling, as the session says. */
export type Person = { kind: 'owner' | 'vet' | 'admin'; userId: number; sessionId: string; region: Region }
export type Guest = { kind: 'guest'; consultationId: number; sessionId: string; region: Region }
export type Clinic = { kind: 'clinic'; clinicId: number; sessionId: string; region: Region }
export type Actor = Person | Guest | Clinic

type ActorFor<K extends ActorKind> = K extends 'guest'
  ? Guest
  : K extends 'clinic'
    ? Clinic
    : Person & { kind: K }
export type ActorOf<A extends Access> = A extends readonly ActorKind[] ? ActorFor<A[number]> : Actor | null

/** What the whole process shares; tests build one by hand. */
export interface World {
  env: Env
  db: Db
  now: () => Date
  /** Puts the clock ahead, here and on every instance; only while the payment sandbox stands in. */
  moveClock: (ms: number) => Promise<Date>
  log: Logger
  files: Files
  payments: Payments
  /** Signs tokens and codes. */
  secret: Uint8Array
  /** Hands a live message to everyone in a room, on every instance, but for one socket. */
  tell: <P extends Push>(room: string, push: P, payload: unknown, except?: string) => void
  /** Ends the live connections in a room, such as those of a session that is over. */
  hangUp: (room: string) => void
  /** The process is on its way out and answers only what is already running. */
  stopping: () => boolean
  /** Says that a row is due, so that the clock need not wait for its next tick. */
  wake: () => void
}

/** Everything a handler may touch. */
export interface Ctx<A extends Access = Access> extends World {
  actor: ActorOf<A>
  /** The region of the address that was called, and that address. */
  region: Region
  site: Site
  /** The caller's network address, an IPv6 one by its /56. */
  address: string
  /** What the caller's browser calls itself, for the list of sessions. */
  agent: string
  idempotency: { key: string; payload: string } | null
  /** Puts the socket that asks into a room; nothing to do for a call. */
  join: (room: string) => void
  leave: (room: string) => void
  /** Whether the socket that asks was let into a room before; a call never was. */
  isIn: (room: string) => boolean
  /** The mark that this browser got when it signed in before, and the way to give it one. */
  browserMark: string
  markBrowser: (mark: string) => void
}

/**
 * Runs `work` with a ctx whose db is one transaction. What is told, and the clock's wake-up for mails,
 * waits for the commit, so nobody hears of a change that never was. A nested one is a savepoint.
 */
export async function transaction<C extends Pick<World, 'db' | 'tell' | 'hangUp' | 'wake'>, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  const held: (() => void)[] = []
  const result = await ctx.db.transaction((tx) =>
    work({
      ...ctx,
      db: tx as unknown as Db,
      tell: ((...told) => void held.push(() => ctx.tell(...told))) as World['tell'],
      hangUp: (room: string) => void held.push(() => ctx.hangUp(room)),
      wake: () => void held.push(() => ctx.wake()),
    }),
  )
  for (const release of held) release()
  return result
}
