import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { findChromium } from '#test/browser.ts'
import { startProduct } from '#test/e2e/product.ts'
import { fetched } from './fetched.ts'
import { median, startFloor } from './measure.ts'
import type { Row } from './run.ts'

const VERSION = '13.5.0'
const ROUNDS = 3
const FLAGS = '--headless=new --no-sandbox --disable-gpu'
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
const run = promisify(execFile)

interface Report {
  categories: Record<string, { score: number }>
  audits: Record<string, { numericValue: number; score: number | null }>
}

async function reportOf(address: string): Promise<Report> {
  const cli = path.join(await fetched('lighthouse', VERSION), 'cli/index.js')
  const args = [cli, address, '--output=json', '--quiet', `--chrome-flags=${FLAGS}`]
  const { stdout } = await run(process.execPath, args, {
    env: { ...process.env, CHROME_PATH: findChromium() },
    maxBuffer: 100_000_000,
  })
  return JSON.parse(stdout) as Report
}

/** Lighthouse's phone on two pages, each beside the same page without its script, served as files. */
export default async function lighthouse(): Promise<Row[]> {
  const product = await startProduct()
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-static-'))
  cpSync(path.resolve(import.meta.dirname, '../../build/client'), folder, { recursive: true })
  const floor = await startFloor({ folder })
  const rows: Row[] = []
  for (const address of ['/', '/login']) {
    const html = await (await fetch(product.url + address)).text()
    const still = html
      .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
      .replace(/<link\b[^>]*modulepreload[^>]*>/g, '')
    writeFileSync(path.join(folder, 'page.html'), still)
    writeFileSync(path.join(folder, 'page.html.br'), brotliCompressSync(still))
    const reports: { product: Report; floor: Report }[] = []
    for (let round = 0; round < ROUNDS; round++)
      reports.push({
        product: await reportOf(product.url + address),
        floor: await reportOf(`${floor.url}/page.html`),
      })
    const paint = (which: 'product' | 'floor') =>
      median(reports.map((report) => report[which].audits['largest-contentful-paint']!.numericValue))
    for (const category of CATEGORIES) {
      const figure = median(reports.map(({ product }) => product.categories[category]!.score * 100))
      // Pages that are not for search engines say so, which Lighthouse counts against them.
      const counts = address === '/' || category !== 'seo'
      rows.push({
        job: `Lighthouse mobile ${address} ${category}`,
        unit: '',
        figure,
        floor: median(reports.map(({ floor }) => floor.categories[category]!.score * 100)),
        goal: counts && address === '/' ? '100' : '–',
        met: counts && address === '/' ? figure === 100 : null,
      })
    }
    const ratio = paint('product') / paint('floor')
    rows.push({
      job: `Lighthouse mobile ${address} largest paint, beside the page without script`,
      unit: 'ms',
      figure: paint('product'),
      floor: paint('floor'),
      ratio,
      goal: address === '/' ? 'at most 1.20' : '–',
      met: address === '/' ? ratio <= 1.2 : null,
    })
    const shift = median(
      reports.map(({ product }) => product.audits['cumulative-layout-shift']!.numericValue),
    )
    rows.push({
      job: `Lighthouse mobile ${address} layout shift`,
      unit: '',
      figure: shift,
      goal: '0',
      met: shift < 0.001,
    })
  }
  await floor.stop()
  await product.remove()
  rmSync(folder, { recursive: true, force: true })
  return rows
}
