// Opens the server's database for a command and prints its name. Makes a new one only if the command line says so.
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

/** The command's options without --new, and whether --new was among them. */
export const optionsOf = (given: string[]) => ({
  options: given.filter((option) => option !== NEW),
  makesNew: given.includes(NEW),
})

/** A command's words and the values of the named options, as in `NAME --email EMAIL`. An unknown option leaves neither. */
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

/** Why a command couldn't do its work, in words; undefined if the command itself is broken. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return undefined
  if (error.cause) return reasonOf(error.cause)
  const isOurs = [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind)
  return isOurs ? undefined : error.message
}

/** What a command works with: the server's database and its clock, which can be moved with the payment sandbox. */
export interface Place {
  env: Env
  database: Database
  now: () => Date
}

/** Runs a command on the server's database. `inUse` is its advice for when a server has that database open. */
export async function onDatabase(
  work: (place: Place) => Promise<void>,
  { makesNew, inUse }: { makesNew?: boolean; inUse: string },
) {
  // Other users of this machine must not read a database that a command makes.
  process.umask(0o077)
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

/** Mentions --new only for a command that can make a database. */
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

/** The database's name for people, without the password. */
export function nameOf({ databaseUrl, dataDir }: Env): string {
  if (!databaseUrl) return `embedded, in ${dataDir}`
  const { hostname, port, pathname } = new URL(databaseUrl)
  return `PostgreSQL, ${pathname.slice(1)} on ${hostname || 'localhost'}${port && `:${port}`}`
}

/** Prints to standard error, for people. The command exits with the highest code that was passed. */
export function say(line: string, code = 0) {
  process.stderr.write(`${line}\n`)
  process.exitCode = Math.max(code, Number(process.exitCode ?? 0))
}
