import type { Access, ActorKind, Output, Push } from '#contract/call.ts'
import type { HumanAction } from '#contract/human.ts'
import type { listJobs } from '#contract/logs.ts'
import type { Region } from '#contract/regions.ts'
import type { Logger } from 'pino'
import type { Env } from './env.ts'
import type { Db } from './db/client.ts'
import type { Secrets } from './identity/secrets.ts'
import type { Files } from './providers/files.ts'
import type { Payments } from './providers/payments.ts'

/** A signed-in caller, according to the session. */
export type Person = { kind: 'owner' | 'vet' | 'admin'; userId: number; sessionId: string; region: Region }
export type Guest = { kind: 'guest'; consultationId: number; sessionId: string; region: Region }
export type Clinic = {
  kind: 'clinic'
  clinicId: number
  /** Null when somebody used the clinic's own username. */
  personId: number | null
  sessionId: string
  region: Region
}
export type Actor = Person | Guest | Clinic

export const isStaff = (actor: Actor): actor is Person & { kind: 'vet' | 'admin' } =>
  actor.kind === 'vet' || actor.kind === 'admin'

type ActorFor<K extends ActorKind> = K extends 'guest'
  ? Guest
  : K extends 'clinic'
    ? Clinic
    : Person & { kind: K }
export type ActorOf<A extends Access> = A extends readonly ActorKind[] ? ActorFor<A[number]> : Actor | null

/** Sockets leave the room `from`, except those that are also in `except`. */
export interface LeavesOnly {
  from: string
  except: string
}

export type Earned = `email ${string}` | `clinic ${string}` | `card ${string}`

/** Everything the process shares; tests build their own. */
export interface World {
  env: Env
  db: Db
  now: () => Date
  /** Moves the clock forward on every instance. Works only with the payment sandbox. */
  moveClock: (ms: number) => Promise<Date>
  log: Logger
  files: Files
  payments: Payments
  /** Sign tokens and codes. */
  secrets: Secrets
  /** Sends a live message to everyone in a socket room, on every instance, except to one socket. */
  tell: <P extends Push>(room: string, push: P, payload: unknown, except?: string) => void
  /** Closes the live connections in a room, such as those of an ended session, or only takes them out of another room. */
  hangUp: (room: string, only?: LeavesOnly) => void
  /** Whether the configured way to reach other instances with live messages works. */
  isCarrierUp: () => boolean
  /** True while the process shuts down and only finishes running work. */
  stopping: () => boolean
  /** Tells the clock about a row to handle now, so that it doesn't wait for its next tick. */
  wake: () => void
  /** How the jobs of this instance are doing. */
  jobs: () => Output<typeof listJobs>
}

/** Everything a handler may touch. */
export interface Ctx<A extends Access = Access> extends World {
  actor: ActorOf<A>
  /** The region of the called host. */
  region: Region
  /** The caller's network address; an IPv6 one is cut to its /56. */
  address: string
  /** The browser's user agent, for the list of sessions. */
  agent: string
  idempotency: { key: string; payload: string } | null
  /** Puts the calling socket into a room. Does nothing in an HTTP call. */
  join: (room: string) => void
  leave: (room: string) => void
  /** Whether the calling socket is in a room. Always false in an HTTP call. */
  isIn: (room: string) => boolean
  /** The marks that this browser earned by signing in or paying, and the way to add one. */
  browserMark: string
  markBrowser: (earned: Earned) => void
  /**
   * Passes once the caller has solved the human check for this action, however often one request asks. With seconds to
   * `wait` and nothing solved, the refusal says both: how long to wait, and what to solve instead.
   */
  human: (action: HumanAction, wait?: number) => Promise<void>
  /** Refuses unless the session's password was given in the last minutes. */
  passwordAgain: () => void
}

/**
 * Runs `work` with a ctx whose db is one transaction. Live messages and the clock's wake-up wait for the commit, so
 * no one hears of a change that was rolled back. A nested transaction is a savepoint.
 */
export async function transaction<C extends Pick<World, 'db' | 'tell' | 'hangUp' | 'wake'>, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  const held: (() => void)[] = []
  const result = await ctx.db.transaction((tx) =>
    work({
      ...ctx,
      db: tx,
      tell: (...told) => void held.push(() => ctx.tell(...told)),
      hangUp: (...ended: Parameters<World['hangUp']>) => void held.push(() => ctx.hangUp(...ended)),
      wake: () => void held.push(() => ctx.wake()),
    }),
  )
  for (const release of held) release()
  return result
}
