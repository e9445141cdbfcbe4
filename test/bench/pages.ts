import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import type { Browser, Request } from 'playwright'
import { findChromium, openBrowser } from '#test/browser.ts'
import { startProduct } from '#test/e2e/product.ts'
import { fetched } from './fetched.ts'
import { median, startFloor } from './measure.ts'
import { atLeast, atMost, type Row } from './row.ts'
import { wholeWay } from './way.ts'

const VERSION = '13.5.0'
const ROUNDS = 3
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu']
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
/** One library article represents all of its kind. */
const READINGS = ['/resource/ebook/first-aid-for-pets', '/resource/infographic/is-it-an-emergency']

interface Report {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { numericValue: number }>
}
type Lighthouse = (
  address: string,
  flags: { port: number; logLevel: 'error'; onlyCategories?: string[] },
) => Promise<{ lhr: Report }>
type Launch = (options: {
  chromePath: string | undefined
  chromeFlags: string[]
}) => Promise<{ port: number; kill: () => void }>

/** Lighthouse's phone with its simulated network. All pages share one browser. */
async function openLighthouse() {
  const folder = await fetched('lighthouse', VERSION)
  const load = (file: string) => import(pathToFileURL(path.join(folder, file)).href) as Promise<unknown>
  const { default: lighthouse } = (await load('core/index.js')) as { default: Lighthouse }
  const { launch } = (await load('../chrome-launcher/dist/index.js')) as { launch: Launch }
  const chrome = await launch({ chromePath: findChromium(), chromeFlags: FLAGS })
  return {
    close: () => chrome.kill(),
    async report(address: string, onlyCategories: string[]) {
      const { lhr } = await lighthouse(address, { port: chrome.port, logLevel: 'error', onlyCategories })
      return lhr
    },
  }
}

/** Every page in the sitemap, with one library article of each kind. */
async function addressesOf(url: string) {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text()
  const all = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => new URL(address!).pathname)
  return all.filter((address) => !address.startsWith('/resource/') || READINGS.includes(address))
}

/** The page as static files, without its script. */
function standStill(folder: string, html: string) {
  const still = html
    .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
    .replace(/<link\b[^>]*(?:modulepreload|as="script")[^>]*>/g, '')
  writeFileSync(path.join(folder, 'page.html'), still)
  writeFileSync(path.join(folder, 'page.html.br'), brotliCompressSync(still))
}

const paint = ({ audits }: Report) => audits['largest-contentful-paint']!.numericValue
const score = (report: Report, category: string) => (report.categories[category]!.score ?? 0) * 100

/** The bytes of a first visit: script alone, and everything. */
async function carried(browser: Browser, address: string) {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  const done: Request[] = []
  page.on('requestfinished', (request) => void done.push(request))
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  const weight = { script: 0, all: 0 }
  for (const request of done) {
    const { responseBodySize } = await request.sizes()
    weight.all += responseBodySize / 1000
    if (request.resourceType() === 'script') weight.script += responseBodySize / 1000
  }
  await page.close()
  return weight
}

/** Compares every public page's largest paint on Lighthouse's phone with the same page without script, and weighs it. */
export default async function pages(): Promise<Row[]> {
  await using product = await startProduct()
  await using browser = await openBrowser()
  const lighthouse = await openLighthouse()
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-static-'))
  cpSync(path.resolve(import.meta.dirname, '../../build/client'), folder, { recursive: true })
  await using floor = await startFloor({ folder })
  const rows: Row[] = []
  for (const address of await addressesOf(product.url)) {
    process.stderr.write(`  ${address}\n`)
    standStill(folder, await (await fetch(product.url + address)).text())
    const ours: Report[] = []
    const still: Report[] = []
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await lighthouse.report(product.url + address, round === 0 ? CATEGORIES : ['performance']))
      still.push(await lighthouse.report(`${floor.url}/page.html`, ['performance']))
    }
    for (const category of CATEGORIES) {
      const figure = median(
        ours.filter(({ categories }) => categories[category]).map((report) => score(report, category)),
      )
      rows.push(atLeast(100, { job: `${address} ${category}`, unit: '', figure }))
    }
    const job = `${address} largest paint, beside the page without script`
    const paints = { figure: median(ours.map(paint)), floor: median(still.map(paint)) }
    rows.push(atMost(1.2, { job, unit: 'ms', ...paints }))
    const shift = median(ours.map(({ audits }) => audits['cumulative-layout-shift']!.numericValue))
    rows.push(atMost(0.001, { job: `${address} layout shift`, unit: '', figure: shift }))
    const { script, all } = await carried(browser, product.url + address)
    rows.push(atMost(12, { job: `${address} script`, unit: 'kB', figure: script }))
    if (address === '/') rows.push(atMost(90, { job: `everything of ${address}`, unit: 'kB', figure: all }))
  }
  lighthouse.close()
  rows.push(...(await wholeWay(browser, product)))
  rmSync(folder, { recursive: true, force: true })
  return rows
}
