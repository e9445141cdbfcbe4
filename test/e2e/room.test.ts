import { randomUUID } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { choosePhoto, hold } from './forms.ts'
import { violationsOn } from './axe.ts'
import { consultAt, remembered, tokenOf } from './people.ts'
import { DESK, stage } from './stage.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** An owner can have three open consults, and each journey begins its own. They end after its pages are closed. */
afterEach(async () => {
  for (const id of begun.splice(0)) {
    const { consultation } = await call<Shown>('owner', `/consultation/${id}`)
    if (consultation.end !== null) continue
    if (consultation.vet_id === null) await call('owner', `/consultation/${id}/cancel`, {})
    else await end(id)
  }
})

const at = stage({
  // The browser logs requests that fail offline, and the 404 of a consult that doesn't exist.
  expected: /ERR_INTERNET_DISCONNECTED|net::ERR_FAILED|status of 404/,
  product: 'shared',
})
let tokens: Record<'owner' | 'vet', string>
beforeAll(async () => {
  tokens = { owner: await tokenOf('owner'), vet: await tokenOf('vet') }
})

interface Shown {
  consultation: { end: string | null; vet_id: number | null }
}
const begun: number[] = []

interface Said {
  seq: number
  body: string
  user_id: number | null
}

const call = <T>(who: 'owner' | 'vet', path: string, body?: object) => at.call<T>(path, body, tokens[who])
const ownersPhone = () => at.device({ ...PHONE, storageState: remembered(at.url, tokens.owner) })

/** Starts a consult about the demo owner's first pet, taken by the vet if one is given. */
async function consult({ joined = true }: { joined?: boolean } = {}) {
  const { id, pet } = await consultAt(at.url, tokens.owner, `She will not eat. ${randomUUID()}`)
  begun.push(id)
  if (joined) await call('vet', `/consultation/${id}/take`, {})
  return { id, pet }
}

const vetSays = (id: number, body: string) =>
  call('vet', `/consultation/${id}/messages`, { client_id: randomUUID(), body })
const stored = async (id: number) =>
  (await call<{ messages: Said[] }>('owner', `/consultation/${id}/messages?after=0`)).messages
    .filter(({ user_id }) => user_id !== null)
    .map(({ body }) => body)

async function end(id: number) {
  const { note } = await call<{ note: { version: number } }>('vet', `/consultation/${id}/record`)
  const { version } = await call<{ version: number }>('vet', `/consultation/${id}/note`, {
    version: note.version,
    history: 'Vomited four times.',
    findings: 'Soft belly, pink gums.',
    assessment: 'Upset stomach.',
    summary: 'Most likely an upset stomach.',
    plan: '1. No food until the morning.\n2. Then small meals.',
    watch_for: 'She is dull tomorrow',
    go_if: 'she vomits blood\nher belly swells',
    outcome: 'home',
  })
  await call('vet', `/consultation/${id}/end`, { version })
}

async function open(who: 'owner' | 'vet', id: number, look: object, context?: BrowserContext) {
  const storageState = remembered(at.url, tokens[who])
  const device = context ?? (await at.device({ storageState, ...look }))
  const page = await at.page(device)
  await page.goto(`${at.url}/text-chat/${id}`)
  await page.locator('main [role=log][aria-busy=false]').waitFor()
  return { page, context: device }
}

const box = (page: Page) => page.getByRole('textbox', { name: /^(Message to|Add something|Follow-up)/ })
const log = (page: Page) => page.getByRole('log')
async function say(page: Page, words: string) {
  await box(page).fill(words)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

async function accessible(page: Page) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await violationsOn(page)).toEqual([])
  }
}
const sideways = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

it('an owner who leaves one of two pages is still here [CON-14]', async () => {
  const { id } = await consult()
  const { context } = await open('owner', id, PHONE)
  const { page: second } = await open('owner', id, PHONE, context)
  const seen = async () => {
    const { consultation } = await call<{ consultation: { owner_seen_at: string | null } }>(
      'vet',
      `/consultation/${id}`,
    )
    return consultation.owner_seen_at
  }
  await expect.poll(seen).toBeTruthy()
  const before = await seen()
  await second.goto(`${at.url}/faq`)
  await expect.poll(seen).not.toBe(before)
  await expect.poll(seen).toBeTruthy()
})

it('a whole consult: the owner waits, a vet joins, both talk, it ends, a follow-up comes [CON-1] [CON-2] [CON-3]', async () => {
  const { id, pet } = await consult({ joined: false })
  const { page: owner } = await open('owner', id, PHONE)
  await owner.getByRole('heading', { name: /You’re (next|\d+\w\w in the queue)/ }).waitFor()
  // What it says about the wait depends on who is on duty, which has its own tests.
  await owner
    .getByText(/We promise a vet by|It (may|will probably) take longer than we promise|when a vet is back/)
    .waitFor()
  await owner.getByText('When not to wait for us').click()
  await owner.getByText('no vet has reviewed yet').waitFor()
  await accessible(owner)
  // A double click calls once.
  await owner.getByRole('button', { name: 'Write: Food and water' }).dblclick()
  expect(await box(owner).inputValue()).toBe('Last ate and drank: ')
  await box(owner).pressSequentially('this morning')
  await owner.getByRole('button', { name: 'Send', exact: true }).click()
  await owner.getByText('Sent', { exact: true }).waitFor()

  await call('vet', `/consultation/${id}/take`, {})
  await owner.getByText('is with you').waitFor()
  await log(owner)
    .getByText(/Dr .+ joined/)
    .waitFor()
  await log(owner).getByText('Registered vet').waitFor()

  const { page: vet } = await open('vet', id, DESK)
  await log(vet).getByText('Last ate and drank: this morning').waitFor()
  await owner.getByText('Seen', { exact: true }).waitFor()
  await box(vet).pressSequentially('Is her belly soft?')
  await owner.getByText('is typing').waitFor()
  await box(vet).press('Enter')
  await log(owner).getByText('Is her belly soft?').waitFor()
  await say(owner, 'Yes, it is')
  await log(vet).getByText('Yes, it is').waitFor()
  await vet.getByText('Seen', { exact: true }).waitFor()
  await accessible(owner)
  await accessible(vet)

  await box(owner).fill('Can she still have her')
  await end(id)
  await owner.getByText('What you wrote is still below.').waitFor()
  await owner.getByRole('heading', { name: 'Most likely an upset stomach.' }).waitFor()
  await owner.getByRole('heading', { name: 'Go to a clinic at once if' }).waitFor()
  expect(await box(owner).inputValue()).toBe('Can she still have her')
  await accessible(owner)
  await box(owner).press('End')
  await box(owner).pressSequentially(' joint tablets?')
  await owner.getByRole('button', { name: 'Send', exact: true }).click()
  await log(vet).getByText('Can she still have her joint tablets?').waitFor()

  await owner.getByRole('radio', { name: '4 stars' }).check({ force: true })
  await owner.getByLabel('Anything to add?').fill('Kind')
  await owner.reload()
  expect(await owner.getByLabel('Anything to add?').inputValue()).toBe('Kind')
  expect(await owner.getByRole('radio', { name: '4 stars' }).isChecked()).toBe(true)
  await owner.getByRole('button', { name: 'Send rating' }).click()
  await owner.getByText('Thank you. We read every one.').waitFor()
  await owner.getByRole('button', { name: 'More' }).click()
  await owner.getByRole('menuitem', { name: 'Who opened this consult' }).click()
  await owner.getByRole('dialog').getByText('took it').waitFor()
  await owner.keyboard.press('Escape')
  await owner.getByRole('button', { name: 'More' }).and(owner.locator(':focus')).waitFor()
  await owner.emulateMedia({ media: 'print' })
  await owner.getByRole('heading', { name: `Plan for ${pet}` }).waitFor()
  expect(await owner.getByRole('banner').isVisible()).toBe(false)
})

it('a room that couldn’t be read keeps the focus while it tries again [CON-2]', async () => {
  const { id } = await consult({ joined: false })
  const context = await ownersPhone()
  const page = await context.newPage()
  const reads = `**/api/consultation/${id}`
  await page.route(reads, (route) => route.abort())
  await page.goto(`${at.url}/text-chat/${id}`)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.focus()
  await page.unroute(reads)
  await page.keyboard.press('Enter')
  await log(page).and(page.locator('[aria-busy=false]')).waitFor()
  await expect.poll(() => page.locator('main:focus').count()).toBe(1)
})

it('a vet who joins while the socket is still connecting appears once it has connected [CON-3]', async () => {
  const { id } = await consult({ joined: false })
  const context = await ownersPhone()
  const page = await context.newPage()
  const arrive = await hold(page, /\/assets\/socket-[^/]+\.js$/)
  await page.goto(`${at.url}/text-chat/${id}`)
  await page.locator('main [role=log][aria-busy=false]').waitFor()
  await call('vet', `/consultation/${id}/take`, {})
  arrive()
  // Sooner than the page would ask without a socket.
  await page.getByText('is with you').waitFor({ timeout: 6000 })
  expect(await page.getByRole('heading', { name: /You’re (next|\d+\w\w in the queue)/ }).count()).toBe(0)
})

it('another tab doesn’t cut a socket that is connecting [CON-3]', async () => {
  const { id } = await consult({ joined: false })
  const context = await ownersPhone()
  const asked: string[] = []
  const answers: (() => void)[] = []
  const isAboutConnecting = (message: string | Buffer) => String(message).startsWith('40')
  await context.routeWebSocket(/\/api\/live/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      if (isAboutConnecting(message)) asked.push(String(message))
      server.send(message)
    })
    server.onMessage((message) => {
      if (isAboutConnecting(message)) answers.push(() => socket.send(message))
      else socket.send(message)
    })
  })
  const page = await context.newPage()
  await page.goto(`${at.url}/text-chat/${id}`)
  await expect.poll(() => answers).toHaveLength(1)
  await page.evaluate(`dispatchEvent(new StorageEvent('storage', {
    key: 'token', oldValue: 'before', newValue: localStorage.getItem('token'),
  }))`)
  answers[0]!()
  // Sooner than the page would ask without a socket.
  await call('vet', `/consultation/${id}/take`, {})
  await page.getByText('is with you').waitFor({ timeout: 6000 })
  expect(asked).toHaveLength(1)
  expect(await page.getByText('We can’t reach VetChat.').count()).toBe(0)
})

it("what loads late above the conversation doesn't shift it [CON-3]", async () => {
  const { id } = await consult({ joined: false })
  const context = await ownersPhone()
  await context.addInitScript(`
    window.moved = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.moved += entry.value
    }).observe({ type: 'layout-shift', buffered: true })`)
  await context.route(/\/assets\/waiting-/, async (route) => {
    const page = route.request().frame().page()
    await page.locator('main [role=log]').waitFor()
    await page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(done), 200))')
    await route.continue()
  })
  const { page } = await open('owner', id, PHONE, context)
  await page.getByRole('heading', { name: /You’re (next|\d+\w\w in the queue)/ }).waitFor()
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  expect(await page.evaluate('window.moved')).toBeLessThan(0.02)
})

it('the room says that it needs script when there is none [CON-3]', async () => {
  const context = await at.device({ ...PHONE, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${at.url}/text-chat/1`)
  // Text locators skip noscript.
  const note = page.locator('main noscript > div')
  await note.waitFor()
  expect(await note.textContent()).toContain('This page needs JavaScript')
  expect(await page.locator('main [aria-busy=true]').isVisible()).toBe(false)
})

it('a lost network keeps a photo while pages are closed, and sends it automatically once the connection is back [CON-2] [CON-4]', async () => {
  const { id } = await consult()
  const { page: first, context } = await open('owner', id, PHONE)
  const { page: vet } = await open('vet', id, DESK)
  await first.locator('main [role=log][aria-busy=false]').waitFor()
  // A room stores the offline page and itself.
  await first.evaluate('navigator.serviceWorker.ready.then(() => {})')
  for (const kept of ['/offline', '/room-shell'])
    await expect.poll(() => first.evaluate(`caches.match('${kept}').then(Boolean)`)).toBe(true)
  await context.setOffline(true)
  await first.getByText('No connection.').waitFor()
  await say(first, 'This is her paw')
  await choosePhoto(first.getByLabel('Send pictures, a short video or a PDF'), 'paw.jpg')
  await first.getByText('It will be sent when you’re back online.').waitFor()
  await accessible(first)
  await say(first, 'Is it swollen?')
  await first.getByText('Is it swollen?').waitFor()
  await first.close()

  const page = await at.page(context)
  await page.goto(`${at.url}/text-chat/${id}`)
  await log(page).getByText('Is it swollen?').waitFor()
  await context.setOffline(false)
  await log(vet).getByText('Is it swollen?').waitFor()
  await log(page).getByRole('img', { name: /photo/i }).waitFor()
  await expect.poll(() => stored(id)).toEqual(['This is her paw', '', 'Is it swollen?'])
  for (const side of [page, vet]) expect(await log(side).getByRole('img', { name: /photo/i }).count()).toBe(1)
  // The sender's page has it already, so it isn't downloaded again.
  const shown = log(page).getByRole('img', { name: /photo/i })
  await expect.poll(async () => (await shown.getAttribute('src'))?.slice(0, 5)).toBe('blob:')
  await page.reload()
  await log(page).getByRole('img', { name: /photo/i }).waitFor()
  expect(await page.getByRole('button', { name: 'Remove paw.jpg' }).count()).toBe(0)
  expect(await stored(id)).toHaveLength(3)
})

it('a lost network in the middle of a sentence loses nothing: messages of both sides arrive once and in order [CON-2] [CON-3]', async () => {
  const { id } = await consult()
  const { page, context } = await open('owner', id, PHONE)
  await vetSays(id, 'Is she awake?')
  await log(page).getByText('Is she awake?').waitFor()
  await box(page).fill('She is lying')
  await context.setOffline(true)
  await page.getByText('No connection.').waitFor()
  await box(page).fill('She is lying on the tiles')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await say(page, 'Is that bad?')
  await page.getByText('Waiting for connection').waitFor()
  await vetSays(id, 'Please tell me what she does now')
  await accessible(page)
  await context.setOffline(false)
  await page.getByText('Your 2 messages were sent.').waitFor()
  await log(page).getByText('Please tell me what she does now').waitFor()
  const said = [
    'Is she awake?',
    'Please tell me what she does now',
    'She is lying on the tiles',
    'Is that bad?',
  ]
  expect(await stored(id)).toEqual(said)
  for (const words of said) expect(await log(page).getByText(words, { exact: true }).count()).toBe(1)
})

it('a lost network leaves the conversation as it is when a requested dialog can’t load [CON-2]', async () => {
  const { id } = await consult()
  const { page, context } = await open('owner', id, PHONE)
  await box(page).fill('She is lying')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Who opened this consult' }).click()
  await page.getByText('We couldn’t load this list').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  expect(await box(page).inputValue()).toBe('She is lying')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(() => stored(id)).toEqual(['She is lying'])
})

it('a lost network and then a reload don’t lose unsent messages, which are sent later [CON-2]', async () => {
  const { id } = await consult()
  const { page, context } = await open('owner', id, PHONE)
  // The page itself still loads; its calls fail.
  await context.route('**/api/**', (route) => route.abort())
  await context.setOffline(true)
  await say(page, 'She drank a little')
  await box(page).fill('and it stayed')
  await page.getByText('Waiting for connection').waitFor()
  await context.unroute('**/api/**')
  await context.setOffline(false)
  await page.reload()
  await log(page).getByText('She drank a little').waitFor()
  await page.getByText('Sent', { exact: true }).waitFor()
  expect(await box(page).inputValue()).toBe('and it stayed')
  expect(await stored(id)).toEqual(['She drank a little'])
})

it('a lost network and then signing out make the page name the unsent messages, and delete them on confirmation [SHL-10]', async () => {
  const { id } = await consult()
  // A separate session, because it ends here.
  const storageState = remembered(at.url, await tokenOf('owner'))
  const context = await at.device({ storageState, ...PHONE })
  const { page } = await open('owner', id, {}, context)
  for (const call of ['messages', 'attachments']) await context.route(`**/${call}`, (route) => route.abort())
  await context.routeWebSocket(/\/api\/live/, (socket) => void socket.close())
  await page.reload()
  await box(page).waitFor()
  await say(page, 'Never sent')
  await page.getByText(/^(Sending|Waiting for connection)$/).waitFor()
  await choosePhoto(page.getByLabel('Send pictures, a short video or a PDF'), 'never.jpg')
  await page.getByRole('button', { name: 'Remove never.jpg' }).waitFor()
  await page.goto(`${at.url}/logout`)
  await page.getByRole('heading', { name: '2 messages to your vet haven’t been sent yet' }).waitFor()
  for (const what of ['Never sent', 'never.jpg']) await page.getByText(what).waitFor()
  await accessible(page)
  await page.getByRole('button', { name: 'Delete and sign out' }).click()
  await page.waitForURL('**/login')
  await page.goto(`${at.url}/logout`)
  await page.waitForURL('**/login')
  expect(await stored(id)).toEqual([])
})

it('a network that blocks sockets makes the page use long polling, and plain calls if that is blocked too [CON-2]', async () => {
  const { id } = await consult()
  for (const blocked of ['websocket', 'all']) {
    const context = await ownersPhone()
    // Playwright's socket router receives the page's socket and closes it.
    await context.routeWebSocket(/\/api\/live/, (socket) => void socket.close())
    if (blocked === 'all') await context.route('**/api/live/**', (route) => route.abort())
    const { page } = await open('owner', id, {}, context)
    await say(page, `Without ${blocked}`)
    await expect.poll(async () => (await stored(id)).at(-1)).toBe(`Without ${blocked}`)
    await vetSays(id, `I read ${blocked}`)
    await log(page).getByText(`I read ${blocked}`).waitFor()
    await context.close()
  }
  expect(await stored(id)).toEqual(['Without websocket', 'I read websocket', 'Without all', 'I read all'])
})

it('two tabs of one owner send an unsent message once, and both show it [CON-2]', async () => {
  const { id } = await consult()
  const { page: first, context } = await open('owner', id, PHONE)
  const { page: second } = await open('owner', id, {}, context)
  await context.setOffline(true)
  await say(first, 'From the first')
  await log(second).getByText('From the first').waitFor()
  await say(second, 'From the second')
  await log(first).getByText('From the second').waitFor()
  await context.setOffline(false)
  for (const page of [first, second]) {
    await page.getByText('Sent', { exact: true }).waitFor()
    for (const words of ['From the first', 'From the second'])
      await expect.poll(() => log(page).getByText(words).count()).toBe(1)
  }
  await expect.poll(() => stored(id)).toEqual(['From the first', 'From the second'])
})

it('every message is plain text: markup, 10,000 characters, right to left, even at 320 px [CON-2]', async () => {
  const { id } = await consult()
  const { page } = await open('owner', id, { viewport: { width: 320, height: 640 } })
  await vetSays(id, '<img src=x onerror="document.title=1"><script>document.title=2</script>')
  await log(page).getByText('<img src=x').waitFor()
  await say(page, 'w'.repeat(10_000))
  await expect.poll(async () => (await stored(id)).at(-1)?.length).toBe(10_000)
  await vetSays(id, 'הכלבה שלי אכלה 🐶👩‍⚕️')
  await log(page).getByText('הכלבה').waitFor()
  expect(await log(page).locator('img, script').count()).toBe(0)
  expect(await page.title()).toMatch(/ · VetChat$/)
  expect(await sideways(page)).toBe(0)
})

it('a room’s address without a valid number redirects, and one of a missing consult says so [CON-1]', async () => {
  const lead = async (path: string) => {
    const answer = await fetch(at.url + path, { redirect: 'manual' })
    return [answer.status, answer.headers.get('location')]
  }
  expect(await lead('/text-chat')).toEqual([302, '/chat-purchase'])
  expect(await lead('/video-chat')).toEqual([302, '/video-purchase'])
  for (const path of ['/text-chat/abc', '/video-chat/12x'])
    expect(await lead(path)).toEqual([302, '/pricing'])
  const page = await at.page(await ownersPhone())
  await page.goto(`${at.url}/text-chat/999999999`)
  await page.getByRole('heading', { name: "This page doesn't exist" }).waitFor()
})

it('a room’s address sends a signed-out visitor to the login and back; either kind of address opens the room [CON-1]', async () => {
  const { id } = await consult({ joined: false })
  const page = await at.page(PHONE)
  await page.goto(`${at.url}/text-chat/${id}`)
  await page.waitForURL(`**/login?from=%2Ftext-chat%2F${id}`)
  const { page: owner } = await open('owner', id, PHONE)
  await owner.goto(`${at.url}/video-chat/${id}`)
  await owner.getByRole('heading', { name: /You’re/ }).waitFor()
  await owner.getByRole('button', { name: /^Cancel/ }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Cancel the consult' }).click()
  await expect.poll(() => owner.locator(':focus').textContent()).toBe('You cancelled this consult')
})
