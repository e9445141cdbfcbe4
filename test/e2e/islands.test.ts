import { createServer } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import type { Page } from 'playwright'
import { FILM_SECONDS } from '#contract/library.ts'
import { MINUTE } from '#contract/time.ts'
import { portOf } from '../port-of.ts'
import { hold } from './forms.ts'
import { remembered, tokenOf } from './people.ts'
import { accessible, PHONE, stage } from './stage.ts'

const counted: { event: string; path: string }[] = []
const sink = createServer(async (request, reply) => {
  let body = ''
  for await (const piece of request) body += piece
  counted.push(JSON.parse(body))
  reply.end()
})
const port = await portOf(sink)
afterAll(() => void sink.close())

const scene = stage({
  expected: /400 \(Bad Request\) .*\/contact\)$|newsletter-form|ERR_INTERNET_DISCONNECTED/,
  env: {
    ANALYTICS_URL: `http://127.0.0.1:${port}/`,
    ANNOUNCEMENT: 'We answer on public holidays too',
    EXPO_FORM_URL: 'https://list.example/subscribe/post?u=1',
    EXPO_FORM_TAGS: '77',
    EXPO_FORM_TRAP: 'b_1',
  },
})

/** A visitor who has already answered the analytics question. */
async function answered(page: Page) {
  await page.addInitScript(`if (top === self) localStorage.vetchat ??= '{"consent":"no"}'`)
  return page
}
const popup = (page: Page) => page.getByRole('dialog', { name: 'Pet news worth reading' })
const bar = (page: Page) => page.getByRole('region', { name: 'Counting visits' })

it('clinic quotes wrap round at both ends, in half a second, or straight away with reduced motion [PUB-8]', async () => {
  const page = await answered(await scene.page())
  await page.goto(`${scene.url}/vet-clinic`)
  const slider = page.getByRole('region', { name: 'What clinics say' })
  const slides = slider.locator('ul')
  await slider.getByRole('button', { name: 'Previous' }).click()
  await slider.getByText('3 of 3').waitFor()
  await slider.getByRole('button', { name: 'Next' }).click()
  await slider.getByText('1 of 3').waitFor()
  expect(
    await slides.evaluate((list) => list.computedStyleMap().get('transition-duration')?.toString()),
  ).toBe('0.5s')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(
    await slides.evaluate((list) => list.computedStyleMap().get('transition-property')?.toString()),
  ).toBe('none')
  await accessible(page)
})

it('a video loads only when it is clicked, a film when it is pressed, and a film has captions [PUB-3]', async () => {
  const page = await answered(await scene.page())
  const asked: string[] = []
  page.on('request', (request) => void (/\.(html|mp4|vtt)$/.test(request.url()) && asked.push(request.url())))
  await page.goto(`${scene.url}/videos`)
  await page.locator('video').first().scrollIntoViewIfNeeded()
  await page.waitForLoadState('networkidle')
  expect(asked).toEqual([])
  await page.locator('summary', { hasText: 'Play: Bandaging a paw' }).click()
  await page.frameLocator('iframe[title="Bandaging a paw"]').getByText('Hold this slide').waitFor()
  expect(asked).toEqual([`${scene.url}/media/library/bandaging-a-paw.html`])
  const film = (what: string) => page.evaluate(`document.querySelector('video').${what}`)
  await film('play()')
  await expect.poll(() => film('currentTime')).toBeGreaterThan(0)
  expect(await film('duration')).toBeCloseTo(FILM_SECONDS, 0)
  await film(`textTracks[0].mode = 'showing'`)
  await expect.poll(() => film('textTracks[0].cues?.length ?? 0')).toBe(7)
})

async function stayAndRead(page: Page, address: string) {
  await page.clock.install()
  await page.goto(scene.url + address)
  await page.locator('[data-island=newsletter][data-awake]').waitFor({ state: 'attached' })
  await page.clock.fastForward(29_000)
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
}

it('the popup appears after half a minute and half a page, once per browser [SHL-6]', async () => {
  const page = await answered(await scene.page())
  await stayAndRead(page, '/resources')
  expect(await popup(page).isVisible()).toBe(false)
  await page.clock.fastForward(1500)
  await popup(page).waitFor()
  await accessible(page)
  // It covers neither what gets the focus nor the button to the top.
  const last = page.getByRole('link', { name: 'Privacy policy' })
  await last.focus()
  const [link, over] = await Promise.all([last.boundingBox(), popup(page).boundingBox()])
  expect(link!.y + link!.height).toBeLessThan(over!.y)
  expect(await page.getByRole('button', { name: 'Back to the top' }).isVisible()).toBe(false)
  await page.keyboard.press('Escape')
  await popup(page).waitFor({ state: 'hidden' })
  await stayAndRead(page, '/videos')
  await page.clock.fastForward(MINUTE)
  expect(await popup(page).isVisible()).toBe(false)
})

it('the popup asks for name and email, and really subscribes [SHL-6] [D10]', async () => {
  const page = await answered(await scene.page())
  await stayAndRead(page, '/resources')
  await page.clock.fastForward(1500)
  await popup(page).getByRole('button', { name: 'Join our community' }).click()
  expect(await popup(page).locator('input:invalid').count()).toBe(2)
  await popup(page).getByLabel('Name').fill('Thandi')
  await popup(page).getByLabel('Email').fill('thandi@popup.example')
  await popup(page).getByRole('button', { name: 'Join our community' }).click()
  await page.locator(':focus', { hasText: /^Almost there$/ }).waitFor()
  await page.goto(await scene.mailed('thandi@popup.example', /http\S+\/newsletter\/join\/\S+/))
  await page.getByRole('main').getByRole('button', { name: 'Join our community' }).click()
  await page.getByRole('heading', { name: 'You’re on our list' }).waitFor()
})

it('a popup whose script fails to load is offered on the next page [SHL-6]', async () => {
  const page = await answered(await scene.page())
  const script = /newsletter-form/
  await page.route(script, (route) => route.abort())
  await stayAndRead(page, '/resources')
  const loadsAgain = page.waitForRequest((request) => request.isNavigationRequest())
  await page.clock.fastForward(1500)
  await loadsAgain
  await page.unroute(script)
  await stayAndRead(page, '/videos')
  await page.clock.fastForward(1500)
  await expect.poll(() => popup(page).isVisible()).toBe(true)
})

it('analytics counts nothing until a visitor agrees, and the bar asks once [SHL-14]', async () => {
  const page = await scene.page()
  await page.goto(`${scene.url}/about`)
  await bar(page).waitFor()
  await accessible(page)
  await page.waitForLoadState('networkidle')
  expect(counted).toEqual([])
  await bar(page).getByRole('button', { name: 'Yes, count me' }).click()
  await expect.poll(() => counted.map(({ event, path }) => [event, path])).toEqual([['page', '/about']])
  await page.goto(`${scene.url}/faq?secret=1`)
  await expect.poll(() => counted.map(({ path }) => path)).toEqual(['/about', '/faq'])
  expect(await bar(page).isVisible()).toBe(false)
  // Pages that run React count by their route pattern, so no code from an address is sent.
  await page.goto(`${scene.url}/resetpwd/SECRETCODE`)
  await expect.poll(() => counted.at(-1)?.path).toBe('/resetpwd/:code?')
})

it('the bar never hides what has the focus, and the page’s end scrolls above it [SHL-14]', async () => {
  const page = await scene.page()
  await page.goto(`${scene.url}/about`)
  await bar(page).waitFor()
  for (const link of await page.getByRole('contentinfo').getByRole('link').all()) {
    await link.focus()
    await expect
      .poll(async () => (await link.boundingBox())!.y)
      .toBeLessThan((await bar(page).boundingBox())!.y)
  }
})

it('an address without a page isn’t counted, because it may contain anything [SHL-14]', async () => {
  const counts = async (path: string) =>
    (await (await fetch(scene.url + path)).text()).includes('data-island="consent"')
  expect(await counts('/faq')).toBe(true)
  expect(await counts('/resetpwd/SECRETCODE/more')).toBe(false)
})

it('visitors can withdraw their consent on the privacy policy [SHL-14]', async () => {
  const page = await scene.page()
  await page.goto(`${scene.url}/privacy-policy`)
  await bar(page).getByRole('button', { name: 'Yes, count me' }).click()
  await expect.poll(() => counted.at(-1)?.path).toBe('/privacy-policy')
  await page.getByRole('button', { name: 'Change whether my visits are counted' }).click()
  await bar(page).getByRole('button', { name: 'No, thank you' }).click()
  counted.length = 0
  await page.goto(`${scene.url}/faq`)
  await page.waitForLoadState('networkidle')
  expect(counted).toEqual([])
})

it('the bar comes before the offer, and pages that sell have no popup [SHL-6]', async () => {
  const page = await scene.page()
  await page.goto(`${scene.url}/petculture-plus?promo=intro-20`)
  expect(await page.locator('[data-island=newsletter]').count()).toBe(0)
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await bar(page).waitFor()
  expect([await popup(page).isVisible(), await page.locator('dialog[open]').count()]).toEqual([false, 0])
  await bar(page).getByRole('button', { name: 'No, thank you' }).click()
  await page.locator('dialog[open]').waitFor()
  await page.evaluate('scrollTo(0, 0)')
  expect([await popup(page).isVisible(), await bar(page).isVisible()]).toEqual([false, false])
})

it('the login asks, offers and counts nothing, and the closed bar above the page never returns [SHL-4] [SHL-6] [SHL-14]', async () => {
  counted.length = 0
  const page = await scene.page()
  await page.goto(`${scene.url}/login`)
  await page.waitForLoadState('networkidle')
  expect(await page.locator('[data-island=newsletter], [data-island=consent], [data-consent]').count()).toBe(
    0,
  )
  expect([await bar(page).isVisible(), counted]).toEqual([false, []])
  await page.goto(`${scene.url}/about`)
  const line = page.getByText('We answer on public holidays too')
  await line.waitFor()
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'Close the announcement' }).click()
  await line.waitFor({ state: 'hidden' })
  await page.goto(`${scene.url}/faq`)
  expect(await line.isVisible()).toBe(false)
})

it('without JavaScript a visitor can read, open and page through everything, and sees nothing that needs it [PUB-5] [PUB-6] [SHL-6] [TRI-1]', async () => {
  const device = await scene.device({ ...PHONE, javaScriptEnabled: false })
  const page = await device.newPage()
  await page.goto(`${scene.url}/testimonials`)
  await page.getByText('Read all of it').first().click()
  await page.getByText('never made us feel silly').waitFor()
  expect(await page.getByRole('button', { name: 'Close the announcement' }).isVisible()).toBe(false)
  await page.goto(`${scene.url}/resources`)
  await page.getByRole('link', { name: 'Load More eBooks' }).click()
  await page.getByText('All Loaded').first().waitFor()
  await page.goto(`${scene.url}/vet-clinic`)
  expect(await page.getByRole('button', { name: 'Next' }).isVisible()).toBe(false)
  // Only paying needs it: nothing stands above what to do in an emergency.
  const needsScript = page.locator('main noscript > div')
  await page.goto(`${scene.url}/chat-purchase`)
  await page.getByRole('button', { name: 'Cat', exact: true }).click()
  await page.getByRole('button', { name: 'Snake bite' }).click()
  await page.getByRole('heading', { name: 'Go to a clinic now' }).waitFor()
  expect(await needsScript.isVisible()).toBe(false)
  await page.goto(`${scene.url}/chat-purchase?sign=none`)
  await needsScript.waitFor()
  await device.close()
})

it('the expo form submits to the mailing list in a new tab, with its tags and trap [PUB-9]', async () => {
  const page = await answered(await scene.page())
  await page.goto(`${scene.url}/vet-expo`)
  const form = page.locator('form[target=_blank]')
  expect(await form.getAttribute('action')).toBe('https://list.example/subscribe/post?u=1')
  expect(
    await form.locator('input[required]').evaluateAll((all) => all.map((one) => one.getAttribute('name'))),
  ).toEqual(['EMAIL'])
  for (const name of ['FNAME', 'LNAME', 'PHONE', 'MMERGE5', 'MMERGE6'])
    expect(await form.locator(`[name=${name}]`).count()).toBe(1)
  expect(await form.locator('[name=tags]').inputValue()).toBe('77')
  expect(await form.locator('[name=b_1]').getAttribute('tabindex')).toBe('-1')
  await accessible(page)
})

it('questions are found by any of their words, one is open at a time, and contact is below [PUB-4]', async () => {
  const page = await answered(await scene.page())
  await page.goto(`${scene.url}/faq`)
  const questions = page.locator('main details:visible')
  const all = await questions.count()
  await page.getByText(`${all} questions`).waitFor()
  await page.getByRole('searchbox').fill('CANCEL nothing-like-it')
  await page.getByText('1 question', { exact: true }).waitFor()
  await page.getByText('How do I cancel my membership?').click()
  await page.getByRole('searchbox').fill('')
  await page.getByText('What does it cost?').click()
  expect(await page.locator('main details[open]').count()).toBe(1)
  await page.getByRole('searchbox').fill('refund')
  await page.getByText('can I get my money back?').waitFor()
  await page.getByText('1 question', { exact: true }).waitFor()
  await page.getByRole('searchbox').fill('xyzzy')
  await page.getByText('No questions match.').waitFor()
  expect(await page.getByRole('main').getByRole('link', { name: 'Contact us' }).getAttribute('href')).toBe(
    '/contact',
  )
})

it('printed questions have their answers, without the site around them [PUB-4]', async () => {
  const page = await scene.page()
  await page.goto(`${scene.url}/faq`)
  const answer = page.getByText('A session takes about 20 minutes.')
  expect(await answer.isVisible()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  await answer.waitFor()
  expect(await page.locator('footer').isVisible()).toBe(false)
})

it('choosing a plan without a code offers one; a code in the address shows its offer once [JOI-8] [D10]', async () => {
  const page = await answered(await scene.page())
  await page.goto(`${scene.url}/petculture-plus`)
  await page.locator('[data-island=promo-dialog][data-awake]').waitFor({ state: 'attached' })
  await page.getByRole('link', { name: /Monthly/ }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('link', { name: 'Use the code and join' }).getAttribute('href')).toBe(
    '/subscribe/intro-20?plan=monthly',
  )
  expect(await dialog.getByRole('link', { name: 'Join for R200' }).getAttribute('href')).toBe(
    '/subscribe?plan=monthly',
  )
  const focused = () => page.evaluate<string | null>('document.activeElement.textContent')
  expect(await focused()).toBe('Use the code and join')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  expect(await focused()).toBe('Use the code and join')
  await page.goto(`${scene.url}/petculture-plus?promo=intro-40`)
  await page.getByRole('dialog').getByRole('button', { name: 'See the plans' }).click()
  await page
    .getByRole('link', { name: /Annual/ })
    .getByText('R1 200', { exact: true })
    .waitFor()
  await page.reload()
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('link', { name: /Annual/ }).press('Space')
  await page.waitForURL('**/subscribe/intro-40?plan=annually')
})

it('a code’s offer opens in a browser that blocks storage [JOI-8]', async () => {
  const page = await scene.page()
  await page.addInitScript(
    `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError') } })`,
  )
  await page.goto(`${scene.url}/petculture-plus?promo=intro-40`)
  await bar(page).getByRole('button', { name: 'No, thank you' }).click()
  await expect
    .poll(() => page.getByRole('dialog').getByText('Your code takes 40% off').isVisible())
    .toBe(true)
})

it('a member who is signed in is offered no plan and no code [JOI-8] [PUB-11]', async () => {
  const { origins } = remembered(scene.url, await tokenOf('owner', scene.url))
  origins[0]!.localStorage[1]!.value = '{"remember":true,"member":true,"consent":"no"}'
  const page = await scene.page({ ...PHONE, storageState: { cookies: [], origins } })
  await page.goto(`${scene.url}/petculture-plus?promo=intro-20`)
  await page.getByRole('link', { name: 'Start from My account' }).waitFor()
  await page.locator('[data-island=promo-dialog][data-awake]').waitFor({ state: 'attached' })
  expect([await page.getByRole('dialog').count(), await page.locator('[data-plan]:visible').count()]).toEqual(
    [0, 0],
  )
  await page.goto(`${scene.url}/pawcare`)
  await page.getByRole('link', { name: 'Claim from My account' }).waitFor()
  expect(await page.getByRole('link', { name: 'See the membership' }).isVisible()).toBe(false)
  await accessible(page)
})

it("a message is sent with a receipt where scripts run, and without a receipt where they don't [PUB-7] [SAF-3]", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const email = `script-${javaScriptEnabled}@contact.example`
    const page = await scene.page(await scene.device({ ...PHONE, javaScriptEnabled }))
    await page.goto(`${scene.url}/contact`)
    if (javaScriptEnabled)
      await page.locator('[data-island=person-check][data-awake]').waitFor({ state: 'attached' })
    await page.getByLabel('What is it about?').selectOption('7')
    await page.getByLabel('Name', { exact: true }).fill('Thandi')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send my message' }).click()
    await page.getByText('Message is empty').waitFor()
    if (javaScriptEnabled)
      await page.locator('[data-island=person-check][data-awake]').waitFor({ state: 'attached' })
    await page.getByLabel('Message').fill('x'.repeat(5001))
    await page.getByRole('button', { name: 'Send my message' }).click()
    await page.getByText('A message can be up to 5,000 characters long.').waitFor()
    expect(await page.getByLabel('Message').inputValue()).toHaveLength(5001)
    if (javaScriptEnabled)
      await page.locator('[data-island=person-check][data-awake]').waitFor({ state: 'attached' })
    // Exactly as long as a message can be, although browsers send each line's end as two characters.
    await page.getByLabel('Message').fill(`${'Thank you\n'.repeat(499)}Thank you.`)
    await page.getByRole('button', { name: 'Send my message' }).press('Enter')
    const thanks = page.getByText('Thank you. Your message has been sent.')
    await thanks.waitFor()
    await page.reload()
    await thanks.waitFor()
    if (javaScriptEnabled) {
      await expect.poll(async () => (await scene.mailsTo(email)).length).toBe(1)
      await accessible(page)
    } else expect(await scene.mailsTo(email)).toEqual([])
  }
})

it('a message stays in its form over a reload and a lost connection until it is sent [PUB-7]', async () => {
  const page = await scene.page()
  const awake = page.locator('[data-island=person-check][data-awake]')
  await page.goto(`${scene.url}/contact`)
  await awake.waitFor({ state: 'attached' })
  await page.getByLabel('What is it about?').selectOption('7')
  await page.getByLabel('Name', { exact: true }).fill('Thandi')
  await page.getByLabel('Email').fill('offline@contact.example')
  await page.getByLabel('Message').fill('Thank you.')
  await page.reload()
  await awake.waitFor({ state: 'attached' })
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Thank you.')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Send my message' }).click()
  await page.getByText('We couldn’t reach VetChat. Check your connection and try again.').waitFor()
  await page.context().setOffline(false)
  // On a slow connection the message takes a while, and the page says so.
  const arrives = await hold(page, '**/api/human*')
  await page.getByRole('button', { name: 'Send my message' }).click()
  await page.getByText('Sending…').waitFor()
  arrives()
  await expect.poll(() => page.getByText('Thank you. Your message has been sent.').isVisible()).toBe(true)
  await page.goto(`${scene.url}/contact`)
  await awake.waitFor({ state: 'attached' })
  expect(await page.getByLabel('Message').inputValue()).toBe('')
})
