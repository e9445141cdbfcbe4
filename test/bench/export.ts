import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openPostgres } from '#server/db/client.ts'
import { tokenOf } from '#test/e2e/people.ts'
import { startProduct } from '#test/e2e/product.ts'
import { startPostgres } from '#test/postgres.ts'
import { clusterEnv } from '../drills/cluster.ts'
import { pause, postAs } from '../drills/load.ts'
import { atMost, type Row } from './row.ts'

const ROWS = 100_000
const TICK_MS = 5
const MEBIBYTE = 1024 ** 2

/**
 * Runs inside the product. Measures how long its loop was blocked, and its highest memory. Between two ticks only the
 * time that the process itself computed counts, so that a busy machine doesn't look like a blocked loop.
 */
const PROBE = `
  import { writeFileSync } from 'node:fs'
  let last = performance.now(), used = process.cpuUsage(), worst = 0, peak = 0
  setInterval(() => {
    const now = performance.now(), { user, system } = process.cpuUsage(used)
    worst = Math.max(worst, Math.min(now - last, (user + system) / 1000) - ${TICK_MS})
    peak = Math.max(peak, process.memoryUsage.rss())
    last = now
    used = process.cpuUsage()
  }, ${TICK_MS}).unref()
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.PROBE_FILE, JSON.stringify({ worst, peak }))
    worst = peak = 0
  })`

interface Probed {
  worst: number
  peak: number
}

/** Exports a hundred thousand phone consults while nothing else happens. */
export default async function exported(): Promise<Row[]> {
  await using postgres = await startPostgres()
  const file = path.join(tmpdir(), `vetchat-probe-${process.pid}.json`)
  await using product = await startProduct({
    heard: false,
    env: {
      ...clusterEnv(postgres.url),
      PROBE_FILE: file,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PROBE)}`,
    },
  })
  const { pool, close } = await openPostgres(postgres.url)
  await pool!.query(
    `insert into consultations (type, region, clinic_id, vet_id, pet_issue, start, vet_start, "end", outcome, caller)
       select 3, 'za', clinic.id, vet.id, 'She has not eaten since yesterday evening and hides under the bed, number ' || n,
         at, at, at + interval '5 min', 'Wait for opening hours',
         jsonb_build_object('name', 'Nokuthula ' || n, 'phone', '+27835550142', 'email', '', 'pet', 'Biscuit', 'speciesId', 1)
       from (select n, timestamptz '2021-01-01' + n * interval '3 min' as at from generate_series(1, ${ROWS}) n) s
       cross join (select min(id) as id from clinics) clinic cross join (select min(id) as id from users where type = 2) vet`,
  )
  await pool!.query('vacuum analyze consultations')
  await close()
  const token = await tokenOf('admin', product.url)
  const probe = async (): Promise<Probed> => {
    rmSync(file, { force: true })
    process.kill(product.child.pid!, 'SIGUSR2')
    for (;;) {
      await pause(50)
      try {
        return JSON.parse(readFileSync(file, 'utf8')) as Probed
      } catch {
        // Not written yet.
      }
    }
  }
  /** Returns the number of rows, counted as they arrive. */
  const download = async () => {
    const path = '/consultation/phoneConsultations/report'
    const answer = await postAs(product.url, token, path, { from: '2021-01-01', to: '2021-12-31' })
    let last = ''
    for await (const part of answer.body!.pipeThrough(new TextDecoderStream()))
      last = (last + part).slice(-100)
    return Number(/"consultCount":(\d+)/.exec(last)?.[1])
  }
  await download()
  await pause(3000)
  await probe()
  await pause(2000)
  const before = await probe()
  const rows = await download()
  const during = await probe()
  rmSync(file, { force: true })
  if (rows !== ROWS) throw new Error(`${rows} of ${ROWS} consults were exported`)
  return [
    atMost(150, {
      job: `export of ${rows} phone consults: memory beside rest`,
      unit: 'MiB',
      figure: (during.peak - before.peak) / MEBIBYTE,
    }),
    atMost(50, {
      job: `export of ${rows} phone consults: longest time that the loop was blocked`,
      unit: 'ms',
      figure: during.worst,
    }),
  ]
}
