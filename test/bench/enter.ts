import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { World } from '#server/context.ts'
import { openPostgres } from '#server/db/client.ts'
import { peopleOf } from '#test/people.ts'
import { findPostgres } from '#test/postgres.ts'
import { answered, CONNECTIONS, inTurn, startOnPostgres } from './measure.ts'
import type { Row } from './run.ts'

const ROUNDS = 3
const MEMBERS = 500
/** As many as the product has to the database. */
const CLIENTS = 10
const SECONDS = 5
const ISSUE = 'She has not eaten since yesterday evening and hides under the bed.'
const run = promisify(execFile)

/**
 * A house that had consults before. The measured server takes no statistics of its own accord: plans made for tables
 * that are nearly empty would stay while each round adds tens of thousands of rows.
 */
const PAST = [
  `insert into consultations (type, region, user_id, pet_id, vet_id, pet_issue, start, vet_start, "end")
    select 1, 'za', owner_id, pets.id, vet.id, '${ISSUE}', ago, ago, ago + interval '9 min'
    from pets cross join (select min(id) as id from users where type = 2) vet
    cross join (select now() - n * interval '1 day' as ago from generate_series(1, 40) n) days`,
  'vacuum analyze',
]

/** What entering the line writes, and nothing around it. */
const scriptOf = (pets: { id: number; ownerId: number }[]) => `
\\set n random(0, ${pets.length - 1})
\\set pet ${pets[0]!.id} + :n
begin;
insert into consultations (type, region, user_id, pet_id, pet_issue, start)
  select 1, 'za', owner_id, id, '${ISSUE}', now() from pets where id = :pet;
insert into consents (user_id, call, terms, ticked, at)
  select owner_id, 'startConsultation', '1', true, now() from pets where id = :pet;
end;
`

/** A member enters the line, beside the database's own load program with the same inserts. */
export default async function enter(): Promise<Row[]> {
  const { product, databaseUrl, env, remove } = await startOnPostgres()
  const { db, pool, close } = await openPostgres(databaseUrl)
  const world = { db, now: () => new Date(), secret: new TextEncoder().encode(env.SECRET) } as World
  const { member } = peopleOf(world, undefined as never)
  const members: Awaited<ReturnType<typeof member>>[] = []
  while (members.length < MEMBERS) members.push(await member())
  for (const statement of PAST) await pool!.query(statement)
  await close()

  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-pgbench-'))
  const script = path.join(folder, 'enter.sql')
  writeFileSync(script, scriptOf(members.map(({ pet }) => pet)))
  const program = path.join(findPostgres()!, 'pgbench')
  const options = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-T', String(SECONDS), '-f', script]
  const jobs = {
    async floor() {
      const { stdout } = await run(program, [...options, databaseUrl])
      return Number(/^tps = ([\d.]+)/m.exec(stdout)![1])
    },
    async product() {
      let next = 0
      const requests = await answered({
        url: `${product.url}/api/consultation`,
        method: 'POST',
        idReplacement: true,
        setupClient(client) {
          // Each connection asks for people of its own: a person's own questions wait for each other.
          const own = members.filter((_, at) => at % CONNECTIONS === next % CONNECTIONS)
          next++
          client.setRequests(
            own.map(({ token, pet }) => ({
              headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
              body: JSON.stringify({
                pet_id: pet.id,
                pet_issue: `${ISSUE} [<id>]`,
                type: 1,
                agreed: true,
                terms: '1',
              }),
            })),
          )
        },
      })
      return requests.average
    },
  }
  await jobs.floor()
  await jobs.product()
  const figures = await inTurn(ROUNDS, jobs)
  rmSync(folder, { recursive: true, force: true })
  await remove()
  const ratio = figures.product / figures.floor
  return [
    {
      job: 'POST /consultation, beside pgbench with the same inserts',
      unit: 'requests/s',
      figure: figures.product,
      floor: figures.floor,
      ratio,
      goal: 'at least 0.50',
      met: ratio >= 0.5,
    },
  ]
}
