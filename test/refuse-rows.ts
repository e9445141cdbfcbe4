import { sql } from 'drizzle-orm'
import { onTestFinished } from 'vitest'
import type { TestWorld } from './world.ts'

/** From now on the database refuses to write these rows. Returns what ends that, as the end of the test does too. */
export async function refuseRows({ db }: TestWorld, table: string, condition = 'true', code = 'P0001') {
  const heal = () => db.execute(sql`drop function if exists refuse cascade`)
  onTestFinished(async () => void (await heal()))
  await heal()
  await db.execute(
    sql.raw(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '${code}'; end $$`),
  )
  await db.execute(
    sql.raw(`create trigger refused before insert or update on ${table}
      for each row when (${condition}) execute function refuse()`),
  )
  return heal
}
