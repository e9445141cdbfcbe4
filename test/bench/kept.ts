import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { startProduct } from '#test/e2e/product.ts'
import { inTurn, requestsPerSecond, startFloor } from './measure.ts'
import { atLeast, type Row } from './row.ts'

const ROUNDS = 3
const HEADERS = { 'accept-encoding': 'br' }

/** Compares the cached home page with the same bytes served as a file. */
export default async function keptPage(): Promise<Row[]> {
  await using product = await startProduct()
  const html = await (await fetch(`${product.url}/`)).text()
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-floor-'))
  writeFileSync(path.join(folder, 'page.html'), html)
  writeFileSync(path.join(folder, 'page.html.br'), brotliCompressSync(html))
  await using floor = await startFloor({ folder })
  const jobs = {
    floor: () => requestsPerSecond(`${floor.url}/page.html`, HEADERS),
    product: () => requestsPerSecond(`${product.url}/`, HEADERS),
  }
  await jobs.floor()
  await jobs.product()
  const figures = await inTurn(ROUNDS, jobs)
  rmSync(folder, { recursive: true, force: true })
  const job = 'GET /, kept, beside the same bytes as a static file'
  return [atLeast(1, { job, unit: 'requests/s', figure: figures.product, floor: figures.floor })]
}
