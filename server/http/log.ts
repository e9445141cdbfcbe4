import { writeSync } from 'node:fs'
import { Failure } from '#contract/errors.ts'
import { MINUTE } from '#contract/time.ts'
import { isOutOfReach } from '../db/errors.ts'
import { FilesOutOfReach } from '../providers/files.ts'

interface Told {
  message: string
  code?: string
  /** Database errors have these: the statement on one, the severity on the other. */
  query?: string
  severity?: string
  constraint?: string
  table?: string
  column?: string
}

/**
 * Describes an error for the log. The database's own messages quote inputs and stored values, such as emails and
 * hashes, so for those we log only the statement and the names.
 */
export function describeError(error: unknown, depth = 0): { type: string; message: string; stack: string } {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' }
  const { message, code, query, severity, constraint, table, column } = error as Told
  const quotes = query !== undefined || severity !== undefined
  const stack = error.stack ?? ''
  return {
    type: error.constructor.name,
    message: quotes ? '' : message,
    ...(code && { code }),
    ...(quotes && { query, constraint, table, column }),
    stack: stack.slice(stack.indexOf(message) + message.length).trim(),
    ...(error.cause !== undefined && depth < 4 && { cause: describeError(error.cause, depth + 1) }),
  }
}

/** Why the database can't be reached, if that is the error. Errors of other machines have classes of their own. */
function whyAway(error: unknown): string | undefined {
  if (error instanceof Failure || error instanceof FilesOutOfReach || !isOutOfReach(error)) return undefined
  let root = error as NodeJS.ErrnoException
  while (root.cause instanceof Error) root = root.cause
  return root.code ?? root.message
}

const AWAY = 'database out of reach'

/** How entries are written. `events` counts them by their event, also those that aren't written. */
export function logging(events: Map<string, number>) {
  let awaySaidAt = -Infinity
  const count = (event: unknown) => {
    if (typeof event === 'string') events.set(event, (events.get(event) ?? 0) + 1)
  }
  return {
    serializers: { err: describeError },
    hooks: {
      /** By default pino would use an error's message as the message of the log entry. */
      logMethod(args: unknown[], method: (...args: never[]) => void) {
        const [first, ...said] = args
        const given = (first instanceof Error ? { err: first } : first) as { err?: unknown } | null
        count((given as { event?: unknown } | null)?.event)
        const why = whyAway(given?.err)
        if (why !== undefined) {
          // Without the database everything fails, and each stack says the same.
          if (performance.now() - awaySaidAt < MINUTE) return
          awaySaidAt = performance.now()
          count(AWAY)
        }
        const fields = why === undefined ? given : { event: AWAY, why }
        const failed = typeof fields === 'object' && fields !== null && 'err' in fields
        const line = failed && said.length === 0 ? [fields, 'failed'] : [fields, ...said]
        method.apply(this, line as never[])
      },
    },
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4))
const MOST_WAITS = 100

/**
 * Standard output. A line that it can't take, because its disk is full or its reader is gone, is dropped: a log must
 * not end the process.
 */
export const standardOutput = {
  write(line: string) {
    let left = Buffer.from(line)
    for (let waits = 0; left.length > 0 && waits < MOST_WAITS;)
      try {
        left = left.subarray(writeSync(1, left))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
        waits++
        Atomics.wait(sleeper, 0, 0, 10)
      }
  },
}
