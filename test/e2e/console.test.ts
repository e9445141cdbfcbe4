import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { OUTCOMES } from '#contract/clinical.ts'
import { boughtConsult } from '#test/video-call.ts'
import { violationsOn } from './axe.ts'
import { button, hold } from './forms.ts'
import { consultAt, tokenOf } from './people.ts'
import { stage } from './stage.ts'

const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** A product of its own: these journeys take cases and end them. */
const on = stage({
  // The browser logs a case that a colleague took, a record that needs a reason, and a lost network.
  expected: /status of (403|409|500)|ERR_INTERNET_DISCONNECTED|ERR_FAILED/,
})

/** Opens an address in a signed-in browser. */
async function at(who: string, path: string, viewport = DESK) {
  const page = await on.page(await on.deviceOf(who, { viewport }))
  await page.goto(on.url + path)
  return page
}

interface Listed {
  consultations: { id: number; pet: { name: string } }[]
}
async function caseOf(pet: string) {
  const vet = await tokenOf('vet', on.url)
  const { consultations } = await on.call<Listed>('/consultation', undefined, vet)
  return `/text-chat/${consultations.find((one) => one.pet.name === pet)!.id}`
}

async function accessible(page: Page) {
  expect(await violationsOn(page)).toEqual([])
  expect(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  ).toBe(0)
}

/** The console fills the window: its panes scroll, and the document never does. */
async function standsStill(page: Page) {
  expect(
    await page.evaluate(
      '[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollTop]',
    ),
  ).toEqual([0, 0])
}

const rows = (page: Page) => page.getByRole('table').getByRole('row')

it("the dashboard's address contains its filter and search [VET-1] [VET-2] [VET-3] [VET-4]", async () => {
  const calls: string[] = []
  const page = await at('vet', '/myaccount')
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.getByRole('heading', { name: 'Consultations', level: 1 }).waitFor()
  await page.getByRole('link', { name: /^Needs Help: Tigger/ }).waitFor()
  await expect.poll(() => page.title()).toMatch(/^\(\d+\) /)
  expect(await rows(page).nth(1).innerText()).toContain('Tigger')
  await accessible(page)

  await page
    .getByRole('link', { name: /^In Progress/ })
    .first()
    .click()
  await page.getByRole('link', { name: /Tigger/ }).waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('filter')).toBe('in_progress')
  await page.getByRole('link', { name: /^Completed/ }).click()
  await page
    .getByRole('link', { name: /^View Details: Max/ })
    .first()
    .waitFor()
  await page.getByRole('searchbox').fill('sipho')
  await page.waitForURL('**/myaccount?filter=completed#q=sipho')
  await page.getByRole('link', { name: /Rex/ }).first().waitFor({ state: 'detached' })
  await page.reload()
  await page
    .getByRole('link', { name: /^View Details: Max/ })
    .first()
    .waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('sipho')
  await page.getByRole('searchbox').fill('nobody at all')
  await page.getByText('Nothing starts with “nobody at all”').waitFor()
  await accessible(page)
  expect(calls.filter((path) => path.includes('subscription'))).toEqual([])
})

it("staff see their own header before React runs, and owners the shop's [VET-1] [SHL-2]", async () => {
  const bar = (page: Page) => page.getByRole('navigation', { name: 'Staff' })
  for (const [who, seen] of [
    ['vet', 'Consultations'],
    ['owner', /^Hello/],
  ] as const) {
    const page = await at(who, '/myaccount')
    await page.getByRole('heading', { name: seen, level: 1 }).waitFor()
    await page.route(/\.js$/, (route) =>
      route.request().url().includes('/head-') ? route.continue() : route.abort(),
    )
    await page.goto(`${on.url}/myaccount/profile`)
    await expect.poll(() => bar(page).isVisible()).toBe(who === 'vet')
    // Without its scripts the page loads once more.
    for (const shops of [page.getByRole('link', { name: 'Chat now' }), page.getByRole('contentinfo')])
      await expect.poll(() => shops.isVisible()).toBe(who === 'owner')
  }
})

it('the dashboard shows cards on a phone, and keeps its rows without a network [VET-1] [VET-3]', async () => {
  const page = await at('admin', '/myaccount', PHONE)
  await page.getByRole('link', { name: /^Needs Help: Tigger/ }).waitFor()
  expect(await page.getByRole('switch').count()).toBe(0)
  await accessible(page)
  // At twice the text size nothing overflows the screen.
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await page.setViewportSize({ width: 360, height: 740 })
  await accessible(page)
  expect(
    (await page
      .getByText(/^Waiting \d+ min/)
      .first()
      .boundingBox())!.x,
  ).toBeGreaterThan(16)
  await page.evaluate(`document.documentElement.style.fontSize = ''`)
  await page.setViewportSize(PHONE)
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  expect(await page.getByRole('link', { name: /Tigger/ }).count()).toBe(1)
  await page.context().setOffline(false)
  await page.getByText('Live', { exact: true }).waitFor()
})

it('when two vets take a case at the same moment, one gets it and the other is told [CON-6] [VET-7]', async () => {
  const tigger = await caseOf('Tigger')
  const pages = await Promise.all([at('vet', tigger), at('vet2', tigger)])
  for (const page of pages) {
    await page.getByText('Take this case to reply.').waitFor()
    await page.getByRole('log').getByText('strains, but nothing comes out').waitFor()
  }
  await accessible(pages[0]!)
  await Promise.all(pages.map((page) => button(page, /^Take/).click()))
  const told = pages.map((page) => page.getByText(/took this case a moment before you/).waitFor())
  const first = await Promise.any(told.map((one, at) => one.then(() => at)))
  const [winner, loser] = [pages[1 - first]!, pages[first]!]
  await button(winner, 'More').waitFor()
  expect(await winner.getByText(/took this case/).count()).toBe(0)
  await loser.getByText(/has this case. You can read along./).waitFor()
  await accessible(loser)
  // The message is about this case alone.
  await loser.locator('#queue a').first().click()
  await expect.poll(() => loser.getByText(/took this case/).count()).toBe(0)
  await loser.goBack()
  await loser.getByText(/has this case. You can read along./).waitFor()
  // Both are on duty now, because taking a case puts a vet on duty.
  const to = first === 0 ? 'vet' : 'vet2'
  await Promise.all(told.map((one) => one.catch(() => {})).slice(first, first + 1))
  await winner.keyboard.press('Escape')
  await winner.keyboard.press('h')
  await winner.getByLabel('What should they know?').fill('He last passed urine at six.')
  if (to === 'vet') await winner.getByRole('radio', { name: /Naidoo/ }).check()
  else await winner.getByRole('radio', { name: /^Return to its place/ }).check()
  await button(winner, to === 'vet' ? /^Hand over to Dr/ : 'Return to the queue').click()
  await winner.getByText(to === 'vet' ? /now has Tigger’s case/ : /is back in the queue/).waitFor()
  if (to !== 'vet') await button(loser, /^Take/).click()
  await loser.getByRole('log').getByText('He last passed urine at six.').waitFor()
  await button(loser, 'More').click()
  await loser.getByRole('menuitem', { name: 'Hand over' }).waitFor()
  await accessible(loser)
})

it('a note is saved during typing and signed once, and the owner reads the advice [CON-6] [CON-7]', async () => {
  const saffron = await caseOf('Saffron')
  const page = await at('vet', saffron)
  const part = (name: string) => page.locator('#record').getByLabel(name)
  await page.getByRole('tab', { name: 'Note' }).click()
  await part('Assessment').fill('A thorn or a bite between the toes.')
  await page.getByText(/^Saved \d\d:\d\d$/).waitFor()
  await page.context().setOffline(true)
  await part('Summary').fill('The paw is sore between two toes.')
  await page.getByText('Not saved yet. Kept on this computer, trying again').waitFor()
  await page.context().setOffline(false)
  await page.getByText(/^Saved \d\d:\d\d$/).waitFor()
  await page.reload()
  await part('Summary').waitFor()
  expect(await part('Summary').inputValue()).toBe('The paw is sore between two toes.')
  expect(await part('Assessment').inputValue()).toBe('A thorn or a bite between the toes.')

  // Another window changes the note while this one can't save, and neither overwrites the other.
  await page.route('**/api/consultation/*/note', (route) => route.abort('internetdisconnected'))
  await part('Findings').fill('From this window.')
  await page.getByText('Not saved yet. Kept on this computer, trying again').waitFor()
  const other = await page.context().newPage()
  await other.goto(on.url + saffron)
  await other.getByRole('tab', { name: 'Note' }).click()
  await other.locator('#record').getByLabel('History').fill('From the other window.')
  await other.getByText(/^Saved \d\d:\d\d$/).waitFor()
  await page.unroute('**/api/consultation/*/note')
  await page.getByText('Changed in your other window.').waitFor()
  await button(page, 'See both').click()
  await page.getByRole('dialog').getByText('From the other window.').waitFor()
  await accessible(page)
  await button(page, 'Keep this version').click()
  await page.getByText(/^Saved \d\d:\d\d$/).waitFor()
  await other.close()

  await page.getByText('Missing: the outcome.').waitFor()
  await button(page, 'Sign and end').click({ force: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await part('Go at once if').fill('She can’t stand on it.')
  for (const outcome of Object.values(OUTCOMES)) {
    await page.getByText(outcome, { exact: true }).click()
    await standsStill(page)
  }
  await page.getByText('Home care').click()
  await standsStill(page)
  await button(page, 'Sign and end').click()
  await page.getByRole('dialog').getByText('Not filled in: History, What to do, Watch for.').waitFor()
  await accessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Sign and end' }).click()
  await page.getByText(/^Signed \d\d:\d\d by Dr Anika Naidoo$/).waitFor()
  await button(page, 'Add to this note').click()
  await page.getByLabel('What would you like to add?').fill('The owner phoned: better.')
  await button(page, 'Add').last().click()
  await page.getByText(/^Added .*Dr Anika Naidoo$/).waitFor()
  await accessible(page)

  const owner = await at('aisha', saffron, PHONE)
  await owner.getByRole('heading', { name: 'The paw is sore between two toes.' }).waitFor()
  await owner.getByText('She can’t stand on it.').first().waitFor()

  // A colleague gives a reason for opening the record.
  const colleague = await at('vet2', saffron)
  await button(colleague, 'Open it').click()
  await colleague.getByText('A few words are enough.').waitFor()
  await colleague.getByLabel('Why are you opening it?').fill('The owner wrote again')
  await accessible(colleague)
  await button(colleague, 'Open it').click()
  await colleague.locator('#talk [role=group]:focus').waitFor()
  await colleague.getByRole('tab', { name: 'Note' }).click()
  await colleague.getByText('The owner phoned: better.').waitFor()
})

/** Starts a consult about the demo owner's first pet, and the vet takes it. */
async function takenCase() {
  const { id } = await consultAt(on.url, await tokenOf('owner', on.url), 'He shakes his head.')
  await on.call(`/consultation/${id}/take`, {}, await tokenOf('vet', on.url))
  return `/text-chat/${id}`
}

it('"/" inserts a reply into the box beside the conversation, and it can be sent once it is filled in [CON-6]', async () => {
  const page = await at('vet', await takenCase())
  const log = page.getByRole('log')
  await log.getByText('He shakes his head.').waitFor()
  const box = page.getByLabel(/^Message to/).and(page.getByRole('textbox'))
  await box.press('/')
  await page.getByRole('listbox', { name: 'Replies' }).getByRole('option').first().waitFor()
  await log.getByText('He shakes his head.').waitFor()
  await box.press('Escape')
  await box.fill('Go to {clinic} now')
  await page.getByText('Fill in {clinic} before you send this.').waitFor()
  await box.press('Enter')
  expect(await box.inputValue()).toBe('Go to {clinic} now')
  await box.fill('Go to Oak Vets now')
  await box.press('Enter')
  await log.getByText('Go to Oak Vets now').waitFor()
})

it('the console works by keyboard, and its panes are tabs on a phone [CON-6]', async () => {
  // In the vet's own case N goes into the note, and Tigger may be the vet's by now.
  const waiting = `/text-chat/${(await boughtConsult(on.url, 'keys@example.com', 1)).id}`
  const page = await at('vet', waiting)
  const record = page.getByRole('tab', { name: 'Record' })
  await record.waitFor()
  await page.keyboard.press('n')
  await page.locator('#record').getByText('Clinical note').waitFor()
  await page.getByRole('tab', { name: 'Note' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowRight')
  await record.and(page.locator('[aria-selected=true]:focus')).waitFor()
  await page.keyboard.press('End')
  await page.getByText('Nobody has sent a photo, video or PDF yet.').waitFor()
  await accessible(page)
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('Next unread').waitFor()
  await accessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  const search = page.getByRole('dialog', { name: 'Search all consults' })
  await search.getByRole('combobox').fill('sipho')
  await search.getByRole('option').first().waitFor()
  await accessible(page)
  await page.keyboard.press('Enter')
  await page.waitForURL((address) => !address.pathname.endsWith(waiting))

  const phone = await at('vet', waiting, PHONE)
  await phone.getByRole('button', { name: 'Record' }).click()
  await phone.getByRole('tab', { name: 'Record' }).waitFor()
  await accessible(phone)
  const alone = await Promise.all([
    phone.context().waitForEvent('page'),
    phone.getByRole('link', { name: 'Open the record in its own window' }).click(),
  ]).then(([opened]) => opened)
  await alone.getByRole('heading', { name: /^Pixel with/, level: 1 }).waitFor()
  await expect.poll(() => alone.title()).toBe('Record of Pixel · VetChat')
  await accessible(alone)
  await alone.close()
  await phone.getByRole('button', { name: /^Queue/ }).click()
  await phone.getByRole('region', { name: 'Case queue' }).getByText('Mine').first().waitFor()
  expect(await phone.getByRole('tab', { name: 'Record' }).isVisible()).toBe(false)
  await accessible(phone)
})

/** Whether nothing covers the lower edge of the field that has the focus. */
const LOWER_EDGE_SHOWS = `(() => {
  const field = document.activeElement
  const { left, bottom } = field.getBoundingClientRect()
  return document.elementFromPoint(left + 20, bottom - 2) === field
})()`
it('a field of the note that gets the focus stays clear of Sign and end [CON-6]', async () => {
  const page = await at('vet', await takenCase(), { width: 1024, height: 700 })
  await page.getByRole('button', { name: 'Record' }).click()
  await page.getByRole('tab', { name: 'Note' }).click()
  await page.locator('#record').getByLabel('History').focus()
  for (const label of ['Findings', 'Assessment', 'Summary', 'What to do', 'Watch for', 'Go at once if']) {
    await page.keyboard.press('Tab')
    await page.locator('#record').getByLabel(label).and(page.locator(':focus')).waitFor()
    await expect.poll(() => page.evaluate(LOWER_EDGE_SHOWS)).toBe(true)
  }
})

it("a key pressed while the case loads waits, and R leads to the conversation if the vet can't write in it [CON-6]", async () => {
  const { id } = await boughtConsult(on.url, 'early@example.com', 1)
  const page = await at('vet', '/myaccount')
  const loads = await hold(page, `**/api/consultation/${id}`)
  await page.goto(`${on.url}/text-chat/${id}`)
  await page.locator(`#queue a[href*="-chat/${id}"]`).waitFor()
  await page.keyboard.press('p')
  loads()
  const note = page.getByLabel('Private, only vets see this')
  await note.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  const messages = page
    .getByRole('region', { name: 'Conversation' })
    .getByRole('group', { name: 'Conversation' })
  await messages.and(page.locator(':focus')).waitFor()
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('r')
  await messages.and(page.locator(':focus')).waitFor()

  // An open private note keeps its place and takes no keys that are meant for the queue.
  await page.keyboard.press('p')
  await note.and(page.locator(':focus')).waitFor()
  expect(await button(page, 'Private note').count()).toBe(1)
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('k')
  await page.waitForURL((address) => !address.pathname.endsWith(String(id)))
  await page.keyboard.press('j')
  await page.waitForURL(`**/text-chat/${id}`)
  await note.waitFor()
  await expect
    .poll(() => page.evaluate(`document.activeElement.getAttribute('href')`))
    .toContain(`-chat/${id}`)
  await page.keyboard.press('p')
  await note.and(page.locator(':focus')).waitFor()
  expect(await note.inputValue()).toBe('')
})

it('what is typed after N while the note loads becomes the note, never a message to the owner [CON-6]', async () => {
  const page = await at('vet', '/myaccount')
  const loads = await hold(page, '**/api/**/record*')
  await page.goto(on.url + (await takenCase()))
  const box = page.getByRole('textbox', { name: /^Message to/ })
  await box.waitFor()
  await page.keyboard.press('n')
  await page.keyboard.type('Ate dark chocolate')
  loads()
  const history = page.locator('#record').getByLabel('History')
  await history.and(page.locator(':focus')).waitFor()
  await expect.poll(() => history.inputValue()).toBe('Ate dark chocolate')
  expect(await box.inputValue()).toBe('')
})

it('what is typed while a case is being taken waits unsent in its message box, and its level form stays with it [CON-6] [TRI-4]', async () => {
  const { id } = await boughtConsult(on.url, 'ahead@example.com', 1)
  const page = await at('vet', `/text-chat/${id}`)
  const form = page.getByRole('form', { name: 'Change the urgency level' })
  await page.getByRole('heading', { name: /^Pixel with/, level: 1 }).waitFor()
  await page.keyboard.press('l')
  await form.waitFor()
  await page.keyboard.press('k')
  await page.waitForURL((address) => !address.pathname.endsWith(String(id)))
  await form.waitFor({ state: 'detached' })
  await page.keyboard.press('j')
  await page.waitForURL(`**/text-chat/${id}`)
  await page.getByRole('heading', { name: `, ${id}`, level: 2 }).waitFor()
  expect(await form.count()).toBe(0)

  // The take is answered after the server has told this page that the case is the vet's.
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/take', async (route) => {
    const response = await route.fetch()
    await answered
    await route.fulfill({ response })
  })
  const loads = await hold(page, `**/api/consultation/${id}`)
  await page.reload()
  await page.locator(`#queue a[href*="-chat/${id}"]`).waitFor()
  await page.keyboard.press('t')
  await page.keyboard.type('/pho')
  await page.keyboard.press('Enter')
  loads()
  const box = page.getByLabel(/^Message to/).and(page.getByRole('textbox'))
  await box.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('to')
  answer()
  await page.getByRole('button', { name: 'Take' }).waitFor({ state: 'detached' })
  expect(await box.inputValue()).toBe('/photo')
  expect(await page.getByLabel('Private, only vets see this').count()).toBe(0)
})

it('Escape while a case is being taken keeps the focus in the queue, and the next keys are shortcuts [CON-6]', async () => {
  const { id } = await boughtConsult(on.url, 'leaves@example.com', 1)
  const page = await at('vet', `/text-chat/${id}`)
  await button(page, 'Take').first().waitFor()
  await page.locator('#queue [aria-current=true]').waitFor()
  const takes = await hold(page, '**/take')
  await page.keyboard.press('t')
  await page.keyboard.type('One moment')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  takes()
  const box = page.getByLabel(/^Message to/).and(page.getByRole('textbox'))
  await expect.poll(() => box.inputValue()).toBe('One moment')
  await page.locator('#queue :focus').waitFor()
})

it('the console keeps the focus when a menu closes and a case leaves, and says what failed [CON-6]', async () => {
  const page = await at('vet', await takenCase(), { width: 1024, height: 768 })
  const focused = (name: string | RegExp) => button(page, name).and(page.locator(':focus')).waitFor()
  await button(page, 'More').click()
  await page.getByRole('menuitem', { name: 'Hand over' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await focused('More')
  await page.route('**/snooze', (route) => route.fulfill({ status: 500, json: { errors: ['Not now.'] } }))
  await button(page, 'More').click()
  await page.getByRole('menuitem', { name: 'Wait for the owner' }).click()
  await page.getByRole('alert').getByText('Not now.').waitFor()

  await page.keyboard.press('h')
  const why = page.getByLabel('What should they know?')
  await button(page, /^(Hand over to|Return to the queue)/).click()
  await why.and(page.locator(':focus')).waitFor()
  await page.getByRole('radio', { name: /^Return to its place/ }).check()
  await why.fill('Next test.')
  await button(page, 'Return to the queue').click()
  await page.getByText('Take this case to reply.').waitFor()
  await page.locator('#talk [role=group]:focus').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

it('a row of the queue shows how long it has waited beside a long reason [CON-6]', async () => {
  const asked = 'He collapsed and his gums are pale.'
  const { id } = await boughtConsult(on.url, 'long@example.com', 1, asked)
  const page = await at('vet', `/text-chat/${id}`, { width: 1024, height: 768 })
  const row = page.locator(`#queue a[href*="-chat/${id}"]`)
  await row.getByText('Emergency: collapsed or pale').waitFor()
  const edge = (await row.boundingBox())!
  const boxes = await Promise.all((await row.locator('span').all()).map((part) => part.boundingBox()))
  expect(Math.max(...boxes.map((box) => (box ? box.x + box.width : 0)))).toBeLessThanOrEqual(
    edge.x + edge.width,
  )
})

it('what a vet wrote without a network is sent after they moved on, and a row shows what they haven’t sent [CON-6] [CON-13]', async () => {
  const vet = await tokenOf('vet', on.url)
  const [first, second] = [
    await boughtConsult(on.url, 'first@example.com', 1, 'He limps.'),
    await boughtConsult(on.url, 'second@example.com', 1, 'She sneezes.'),
  ]
  for (const { id } of [first, second]) await on.call(`/consultation/${id}/take`, {}, vet)
  const page = await at('vet', `/text-chat/${first.id}`)
  const box = page.getByRole('textbox', { name: /^Message to/ })
  const row = (id: number) => page.locator(`#queue a[href*="-chat/${id}"]`)
  const opens = async (id: number, question: string) => {
    await row(id).click()
    await page.getByRole('log').getByText(question).waitFor()
  }
  await opens(second.id, 'She sneezes.')
  await opens(first.id, 'He limps.')
  await page.context().setOffline(true)
  await box.fill('Since when?')
  await page.keyboard.press('Enter')
  await page.getByText('Waiting for connection').waitFor()
  await box.fill('Keep him')
  await row(second.id).click()
  await row(first.id).getByText('Draft').waitFor()
  await row(first.id).getByText('Keep him').waitFor()
  await page.context().setOffline(false)
  const sent = () =>
    on.call<{ messages: { body: string }[] }>(`/consultation/${first.id}/messages`, undefined, first.token)
  await expect.poll(async () => (await sent()).messages.map(({ body }) => body)).toContain('Since when?')
  expect(page.url()).toContain(`/${second.id}`)
})

it('a case prints whole, dark on white, without the queue and the message box [CON-6]', async () => {
  const page = await at('vet', await caseOf('Tigger'))
  const talk = page.getByRole('group', { name: 'Conversation' })
  await talk.getByText('strains, but nothing comes out').waitFor()
  // A sheet of A4, far lower than the case.
  await page.setViewportSize({ width: 794, height: 200 })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect.poll(() => talk.evaluate((it) => it.scrollHeight - it.clientHeight)).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollHeight > innerHeight')).toBe(true)
  expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(22, 33, 29)')
  for (const unseen of [page.locator('#queue'), page.locator('[data-composer]'), button(page, 'Chat')])
    expect(await unseen.isVisible()).toBe(false)
})
