import type { Browser, Request } from 'playwright'
import type { PageKind } from '#contract/page.ts'

const KB = 1000
/** React and the router weigh 84 kB; what an account page adds is at most 60. */
export const SCRIPT_BOUND: Record<PageKind, number> = {
  public: 12 * KB,
  account: 144 * KB,
  paying: 144 * KB,
  room: 144 * KB,
  admin: 144 * KB,
}
export const HOME_BOUND = 90 * KB

/** What a first visit to an address carries over the line, compressed, in bytes. */
export async function weigh(browser: Browser, address: string): Promise<{ script: number; all: number }> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const done: Request[] = []
  page.on('requestfinished', (request) => void done.push(request))
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  let [script, all] = [0, 0]
  for (const request of done) {
    const { responseBodySize } = await request.sizes()
    all += responseBodySize
    if (request.resourceType() === 'script') script += responseBodySize
  }
  await context.close()
  return { script, all }
}
