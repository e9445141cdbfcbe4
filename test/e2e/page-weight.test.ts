import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '#test/browser.ts'
import { routes } from '#web/routes.ts'
import { theProduct } from './product.ts'
import { HOME_BOUND, SCRIPT_BOUND, weigh } from './weight.ts'

let browser: Browser
let url: string
beforeAll(async () => {
  ;[browser, { url }] = await Promise.all([openBrowser(), theProduct()])
})
afterAll(() => browser?.close())

const pages = routes.filter(({ path, page }) => page && path !== '/gallery')

it('the script of each page stays within the bound of its kind', async () => {
  const tooHeavy: string[] = []
  for (const { path, kind } of pages) {
    const { script, all } = await weigh(browser, url + path.replace(/:\w+\??/, 'EXAMPLE'))
    process.stdout.write(`${kb(script)} script, ${kb(all)} in all: ${path}\n`)
    if (script > SCRIPT_BOUND[kind])
      tooHeavy.push(`${path}: ${kb(script)} of ${kb(SCRIPT_BOUND[kind])} script`)
    if (path === '/' && all > HOME_BOUND) tooHeavy.push(`${path}: ${kb(all)} of ${kb(HOME_BOUND)} in all`)
  }
  expect(tooHeavy).toEqual([])
})

it('a script that is too heavy is seen', async () => {
  const context = await browser.newContext()
  await context.route('**/heavy.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `// ${'heavy '.repeat(4000)}` }),
  )
  await context.route('**/heavy', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<script src="/heavy.js"></script>' }),
  )
  const { script } = await weigh({ newContext: async () => context } as never, `${url}/heavy`)
  expect(script).toBeGreaterThan(SCRIPT_BOUND.public)
})

function kb(bytes: number) {
  return `${(bytes / 1000).toFixed(1).padStart(6)} kB`
}
