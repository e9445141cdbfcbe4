import { like, sql, type SQL } from 'drizzle-orm'
import { pets, users } from './schema.ts'

/** A typed text as the pattern of a `like`, with its special characters escaped. */
export const literally = (typed: string) => typed.replace(/[\\%_]/g, '\\$&')

/** The pattern of lower-case texts that begin with what was typed. */
export const beginningWith = (typed: string) => `${literally(typed.toLowerCase())}%`

/** Whether somebody's name, last name or email begins with what was typed. Each is found by an index of its own. */
export function personBegins(typed: string): [SQL, SQL, SQL] {
  const begins = beginningWith(typed)
  return [
    sql`lower(${users.firstName} || ' ' || ${users.lastName}) like ${begins}`,
    sql`lower(${users.lastName}) like ${begins}`,
    like(users.email, begins),
  ]
}

export const petBegins = (typed: string) => sql`lower(${pets.name}) like ${beginningWith(typed)}`
