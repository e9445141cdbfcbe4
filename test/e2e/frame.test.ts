import type { BrowserContextOptions, Page } from 'playwright'
import { expect, it } from 'vitest'
import { DESK, PHONE, stage } from './stage.ts'

const at = stage({ expected: /^$/, product: 'shared' })

async function visit(address: string, options: BrowserContextOptions = DESK, who?: string) {
  const device = await (who ? at.deviceOf(who, options) : at.device(options))
  // Without script the browser refuses preloaded scripts.
  const page = options.javaScriptEnabled === false ? await device.newPage() : await at.page(device)
  await page.goto(at.url + address)
  return page
}

const header = (page: Page) => page.getByRole('banner')
const ABOUT = ['About us', 'How it works', 'Clinic triage', 'FAQ', 'Contact us']
const HREFS = ['/about', '/how-it-works', '/vet-clinic', '/faq', '/contact']

const openLinks = (page: Page) =>
  header(page)
    .locator('details[open] a')
    .evaluateAll((links) =>
      links
        .filter((link) => link.checkVisibility())
        .map((link) => [link.textContent, link.getAttribute('href')]),
    )

it("[SHL-1] the header's menu lists its pages and closes on Escape or a click elsewhere", async () => {
  const page = await visit('/')
  await page.locator('[data-island=menus][data-awake]').waitFor({ state: 'attached' })
  const menu = header(page).getByText('Vets, online 24/7').first()
  await menu.click()
  expect(await openLinks(page)).toEqual(ABOUT.map((words, index) => [words, HREFS[index]]))
  await page.keyboard.press('Escape')
  await expect.poll(() => openLinks(page)).toEqual([])
  await menu.click()
  await page.mouse.click(900, 800)
  await expect.poll(() => openLinks(page)).toEqual([])
})

it('[SHL-1] on a phone one menu also holds Login', async () => {
  const page = await visit('/', PHONE)
  await header(page).getByLabel('Menu').first().click()
  expect((await openLinks(page)).map(([words]) => words)).toEqual([...ABOUT, 'Prices', 'Membership', 'Login'])
})

it('[SHL-2] a signed-out visitor sees Login, even without script', async () => {
  for (const address of ['/', '/login'])
    for (const javaScriptEnabled of [true, false]) {
      const page = await visit(address, { ...DESK, javaScriptEnabled })
      expect(await header(page).getByRole('link', { name: 'Login' }).isVisible()).toBe(true)
      expect(await header(page).getByText('My account').first().isVisible()).toBe(false)
    }
})

it('[SHL-2] a signed-in person sees My account from the first paint on', async () => {
  for (const address of ['/', '/myaccount']) {
    const page = await visit(address, DESK, 'owner')
    // The head script marks the page before the body renders, so neither button flashes.
    const early = await page.context().newPage()
    await early.addInitScript(`
      new MutationObserver((_, all) => {
        if (!document.body) return
        window.markedEarly = 'in' in document.documentElement.dataset
        all.disconnect()
      }).observe(document, { childList: true, subtree: true })`)
    await early.goto(at.url + address)
    expect(await early.evaluate('window.markedEarly')).toBe(true)

    expect(await header(page).getByRole('link', { name: 'Login' }).isVisible()).toBe(false)
    await header(page).getByText('My account').first().click()
    expect(await openLinks(page)).toEqual([
      ['My account', '/myaccount'],
      ['Profile', '/myaccount/profile'],
      ['Logout', '/logout'],
    ])
  }
})

it('[SHL-3] [PUB-1] Chat now goes to the prices', async () => {
  const page = await visit('/')
  const links = page.getByRole('link', { name: 'Chat now' })
  expect(await links.count()).toBe(3)
  for (const link of await links.all())
    expect(await link.getAttribute('href')).toBe('/how-it-works#hiw-pricing2')
})

it('[SHL-5] a button back to the top appears after 300 px, on pages of both kinds', async () => {
  for (const address of ['/', '/login']) {
    const page = await visit(address, { viewport: { width: 390, height: 400 } })
    const button = page.getByRole('button', { name: 'Back to the top' })
    await page.waitForLoadState('networkidle')
    await page.evaluate('scrollTo(0, 299)')
    expect(await button.isVisible()).toBe(false)
    await page.evaluate('scrollTo(0, 320)')
    await button.waitFor({ state: 'visible' })
    await button.click()
    await expect.poll(() => page.evaluate('scrollY')).toBe(0)
    await button.waitFor({ state: 'hidden' })
  }
})

it.each([
  ['all', 'right: 30px; bottom: 40px'],
  ['a corner', 'right: 52px; bottom: -14px'],
])('[SHL-5] the button back to the top never covers %s of a small control', async (_part, place) => {
  const page = await visit('/')
  await page.waitForLoadState('networkidle')
  const button = page.getByRole('button', { name: 'Back to the top' })
  await page.evaluate('scrollTo(0, 1000)')
  await button.waitFor({ state: 'visible' })
  await page.evaluate(`{
    const control = document.body.appendChild(document.createElement('button'))
    control.style = 'position: fixed; ${place}; width: 120px; height: 44px'
    scrollTo(0, 1100)
  }`)
  await expect.poll(() => button.isVisible()).toBe(false)
})

it('[PUB-3] slides that are opened and closed by a key keep the focus', async () => {
  const page = await visit('/videos')
  const slides = page.locator('main details').first()
  const summary = slides.locator('summary')
  await summary.focus()
  await page.keyboard.press('Enter')
  await slides.locator('iframe').waitFor({ state: 'visible' })
  await summary.and(page.locator(':focus')).getByText('Close').waitFor()
  await page.keyboard.press('Enter')
  await slides.locator('iframe').waitFor({ state: 'hidden' })
  expect(
    await page
      .locator('summary:focus')
      .getByText(/^Slides/)
      .count(),
  ).toBe(1)
})

it('pages of one kind load without a new document, and screen readers announce them', async () => {
  const page = await visit('/resetpwd')
  await page.waitForLoadState('networkidle')
  await page.evaluate('window.stays = true')
  await page.getByRole('link', { name: 'Ask for a new one' }).click()
  await page.waitForURL('**/forgotpassword')
  expect(await page.evaluate('window.stays')).toBe(true)
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  await page.getByRole('contentinfo').getByRole('link', { name: 'VetChat' }).click()
  await page.waitForURL(`${at.url}/`)
  expect(await page.evaluate('window.stays')).toBeUndefined()
})

it('the router loads a new document when it reaches a page with other headers', async () => {
  const page = await visit('/forgotpassword')
  await page.waitForLoadState('networkidle')
  await page.evaluate(`
    window.stays = true
    history.pushState({}, '', '/')
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))`)
  await expect.poll(() => page.evaluate('window.stays')).toBeUndefined()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Video call')
})
