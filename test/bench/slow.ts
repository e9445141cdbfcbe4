import type { Browser } from 'playwright'
import { openBrowser } from '#test/browser.ts'
import { startProduct } from '#test/e2e/product.ts'
import { pause } from '../drills/load.ts'
import { median } from './measure.ts'
import { atMost, type Row } from './row.ts'

/** 400 kbit/s each way, and 400 ms before the first byte of each answer. */
const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const ROUNDS = 3
const PAGES = ['/chat-purchase?sign=none', '/subscribe']

/** True once the form is interactive. */
const WAKES = `document.getElementById('alone')?.dataset.awake !== undefined`
const PAINTED = `new Promise((resolve) =>
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({
    type: 'largest-contentful-paint', buffered: true,
  }))`

/** The time from the address to the largest text and to an interactive form, with nothing cached. */
async function visit(browser: Browser, address: string) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', LINE)
    await page.goto(address, { waitUntil: 'commit' })
    while (!(await page.evaluate<boolean>(WAKES))) await pause(50)
    const usable = await page.evaluate<number>('performance.now()')
    return { read: await page.evaluate<number>(PAINTED), usable }
  } finally {
    await context.close()
  }
}

/** The pages that sell, on a village's slow phone network. */
export default async function slow(): Promise<Row[]> {
  await using product = await startProduct()
  await using browser = await openBrowser()
  const rows: Row[] = []
  for (const page of PAGES) {
    const visits = []
    for (let round = 0; round < ROUNDS; round++) visits.push(await visit(browser, product.url + page))
    for (const [what, most] of [
      ['read', 2000],
      ['usable', 3500],
    ] as const) {
      const figure = median(visits.map((visit) => visit[what]))
      rows.push(atMost(most, { job: `${page} at 400 kbit/s and 400 ms, ${what}`, unit: 'ms', figure }))
    }
  }
  return rows
}
