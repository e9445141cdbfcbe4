import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startProduct } from '#test/e2e/product.ts'
import { median, startOnPostgres } from './measure.ts'
import { atMost, type Row, withoutGoal } from './row.ts'

const AGAIN = 5

/** The time from the start of the process to its first answer. */
async function secondsToAnswer(options: Parameters<typeof startProduct>[0]) {
  const began = performance.now()
  const product = await startProduct(options)
  const seconds = (performance.now() - began) / 1000
  await product.stop()
  return seconds
}

const times = async (count: number, once: () => Promise<number>) => {
  const figures: number[] = []
  while (figures.length < count) figures.push(await once())
  return median(figures)
}

export default async function start(): Promise<Row[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'vetchat-start-'))
  const first = await secondsToAnswer({ dataDir })
  const again = await times(AGAIN, () => secondsToAnswer({ dataDir }))
  rmSync(dataDir, { recursive: true, force: true })

  await using started = await startOnPostgres()
  const { product, env } = started
  const onPostgres = await times(AGAIN, () => secondsToAnswer({ dataDir: product.dataDir, env }))

  return [
    withoutGoal({ job: 'start, embedded, first time, with demo data', unit: 's', figure: first }),
    atMost(2, { job: 'start, embedded, second time', unit: 's', figure: again }),
    atMost(1, { job: 'start, PostgreSQL', unit: 's', figure: onPostgres }),
  ]
}
