import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openBrowser, openShell, watch } from '#test/browser.ts'
import { violationsOn } from './axe.ts'
import { callAt, remembered, tokenOf } from './people.ts'
import { ownProduct, theProduct, type Product } from './product.ts'

export const PHONE = { viewport: { width: 390, height: 844 } }
export const DESK = { viewport: { width: 1280, height: 900 } }

/**
 * Where the journeys of a file happen: a browser, and a product of their own (so that they may leave things behind)
 * or the run's shared one. After each journey its pages are closed, and anything that went wrong on them fails the
 * journey, except for what is `expected`.
 */
export function stage({
  expected,
  product: which = 'own',
  env = {},
  dataDir,
  port,
  calls = false,
}: {
  expected: RegExp
  product?: 'own' | 'shared'
  env?: Record<string, string>
  /** The product's folder, if it isn't to be empty. */
  dataDir?: string
  port?: number
  /** Whether its pages use the camera or notifications. */
  calls?: boolean
}) {
  let browser: Browser
  let product: Product
  const watched: string[][] = []
  beforeAll(async () => {
    ;[browser, product] = await Promise.all([
      calls ? openBrowser() : openShell(),
      which === 'own' ? ownProduct({ env, dataDir, port }) : theProduct(),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    if (which === 'own') await product?.remove()
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    const troubles = watched.splice(0).flat()
    expect(troubles.filter((line) => !expected.test(line)).join('\n')).toBe('')
  })
  const mailsTo = (address: string) =>
    callAt<{ subject: string; text: string }[]>(
      product.url,
      `/sandbox/mail?to=${encodeURIComponent(address)}`,
    )
  return {
    get url() {
      return product.url
    },
    call: <Answer>(path: string, body?: object, token?: string) =>
      callAt<Answer>(product.url, path, body, token),
    mailsTo,
    /** Waits until a mail to this address has something, such as a link, and returns the newest. */
    async mailed(address: string, what: RegExp): Promise<string> {
      let found: string | undefined
      const look = async () => {
        for (const { subject, text } of await mailsTo(address))
          found ??= what.exec(`${subject}\n${text}`)?.[0]
        return found
      }
      await expect.poll(look).toBeTruthy()
      return found!
    },
    /** Opens a separate device. */
    device: (options: BrowserContextOptions = PHONE) => browser.newContext(options),
    /** The same for a demo account, signed in with Remember me. */
    deviceOf: async (who: string, options: BrowserContextOptions = PHONE) =>
      browser.newContext({
        ...options,
        storageState: remembered(product.url, await tokenOf(who, product.url)),
      }),
    /** Opens a watched page, on a new device or the given one. */
    async page(
      options: BrowserContextOptions | Awaited<ReturnType<Browser['newContext']>> = PHONE,
    ): Promise<Page> {
      const context = 'newPage' in options ? options : await browser.newContext(options)
      const page = await context.newPage()
      watched.push(watch(page))
      return page
    },
  }
}

/** Checks WCAG as far as axe can. */
export async function accessible(page: Page) {
  expect(await violationsOn(page)).toEqual([])
}
