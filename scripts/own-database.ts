// Opens the server's database for a command, names it, and makes a new one only where that was said.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import {
  type Database,
  DatabaseInUse,
  isEmptyPostgres,
  openEmbedded,
  openPostgres,
} from '#server/db/client.ts'
import { type Env, readEnv } from '#server/env.ts'
import { openClock } from '#server/jobs/moved-clock.ts'

const NEW = '--new'

/** The command's options without the one that lets it make a new database, and whether it was there. */
export const optionsOf = (given: string[]) => ({
  options: given.filter((option) => option !== NEW),
  makesNew: given.includes(NEW),
})

/** The words of a command and the values of these options, as in `NAME --email EMAIL`. No words if another option is there. */
export function valuesOf<Name extends string>(options: string[], ...names: Name[]) {
  try {
    const { values, positionals } = parseArgs({
      args: options,
      allowPositionals: true,
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    })
    return { values: values as Partial<Record<Name, string>>, words: positionals }
  } catch {
    return { values: {} as Partial<Record<Name, string>>, words: [] }
  }
}

class NoDatabase extends Error {}

/** What kept a command from its work, in words; undefined if the fault is in the command. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return undefined
  if (error.cause) return reasonOf(error.cause)
  const isOurs = [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind)
  return isOurs ? undefined : error.message
}

/** What a command works with: the server's database, and its clock, which moves while the payment sandbox is used. */
export interface Place {
  env: Env
  database: Database
  now: () => Date
}

/** Runs the command on the server's database, and says in one line why it can't. `inUse` says what to do instead. */
export async function onDatabase(
  work: (place: Place) => Promise<void>,
  { makesNew, inUse }: { makesNew?: boolean; inUse: string },
) {
  try {
    const env = readEnv()
    const database = await open(env, makesNew)
    try {
      const { now } = env.stripe ? { now: () => new Date() } : await openClock(database)
      await work({ env, database, now })
    } finally {
      await database.close()
    }
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    say(error instanceof DatabaseInUse ? `${reason}. ${inUse}` : reason, 1)
  }
}

/** A command that can't make a database says nothing about it. */
async function open(env: Env, makesNew: boolean | undefined) {
  const { databaseUrl, dataDir } = env
  const isNew = await isNewDatabase(env)
  if (isNew && !makesNew) {
    const hint = makesNew === false ? `; ${NEW} makes one` : ''
    throw new NoDatabase(`There is no VetChat database yet: ${nameOf(env)}. Nothing was changed${hint}.`)
  }
  say(`Database: ${nameOf(env)}${isNew ? ', new' : ''}`)
  return databaseUrl ? openPostgres(databaseUrl) : openEmbedded(dataDir)
}

export const isNewDatabase = async ({ databaseUrl, dataDir }: Env) =>
  databaseUrl ? isEmptyPostgres(databaseUrl) : !existsSync(path.join(dataDir, 'database', 'PG_VERSION'))

/** Without the password. */
export function nameOf({ databaseUrl, dataDir }: Env): string {
  if (!databaseUrl) return `embedded, in ${dataDir}`
  const { hostname, port, pathname } = new URL(databaseUrl)
  return `PostgreSQL, ${pathname.slice(1)} on ${hostname || 'localhost'}${port && `:${port}`}`
}

/** People read it on standard error. The worst code that was said is the command's. */
export function say(line: string, code = 0) {
  process.stderr.write(`${line}\n`)
  process.exitCode = Math.max(code, Number(process.exitCode ?? 0))
}
