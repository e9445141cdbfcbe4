import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { PHONE, stage } from './stage.ts'

const at = stage({
  expected: /\/assets\/|preload|Failed to fetch dynamically|error loading/i,
  product: 'shared',
})

/** The load that fails may never finish, because the page leaves it. So a test waits only until the page has arrived. */
const ARRIVED = { waitUntil: 'commit' } as const

/** Makes a file missing in the page's first `inLoads` loads. Counts how often the page is loaded. */
async function losing(page: Page, part: RegExp, inLoads: number) {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads++
  })
  await page.route(part, (route) =>
    loads <= inLoads ? route.fulfill({ status: 404, body: 'Not found' }) : route.continue(),
  )
  return () => loads
}

it('a page whose style or script is gone loads itself again, with what was typed [OPS-2]', async () => {
  const styled = await at.page(PHONE)
  const loadsOfStyled = await losing(styled, /\/assets\/app-[\w-]+\.css/, 1)
  await styled.goto(`${at.url}/faq`, ARRIVED)
  await expect.poll(loadsOfStyled).toBe(2)
  await expect.poll(() => styled.evaluate('document.styleSheets[0]?.cssRules.length ?? 0')).toBeGreaterThan(0)

  const buying = await at.page(PHONE)
  await buying.goto(`${at.url}/subscribe`)
  const name = buying.getByLabel('First name', { exact: true })
  await name.fill('Thandi')
  await expect.poll(() => buying.evaluate('Object.keys(sessionStorage).join()')).toContain('draft:')
  const loads = await losing(buying, /\/assets\/entry\.subscribe-[\w-]+\.js/, 1)
  await buying.reload(ARRIVED)
  await expect.poll(loads).toBe(2)
  await expect.poll(() => name.inputValue()).toBe('Thandi')
})

it('a part that loads late and is gone reloads the page once, not for ever [OPS-2]', async () => {
  const page = await at.page(await at.deviceOf('owner'))
  const loads = await losing(page, /\/assets\/sections-[\w-]+\.js/, 1)
  await page.goto(`${at.url}/myaccount/profile`, ARRIVED)
  await expect.poll(loads).toBe(2)
  await page.getByLabel('First name').waitFor()

  const lost = await at.page(PHONE)
  const again = await losing(lost, /\/assets\/app-[\w-]+\.css/, 99)
  await lost.goto(`${at.url}/faq`, ARRIVED)
  await expect.poll(again).toBe(2)
  const isBack = () =>
    lost.evaluate(
      `performance.getEntriesByType('navigation')[0].type === 'reload' && document.readyState === 'complete'`,
    )
  await expect.poll(isBack).toBe(true)
  await lost.reload()
  expect(again()).toBe(3)
})
