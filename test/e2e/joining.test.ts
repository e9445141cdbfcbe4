import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import {
  agree,
  CHALLENGED,
  field,
  fillCard,
  fillPerson,
  fillPet,
  GOOD,
  loseAnswers,
  postsOf,
  ready,
  REFUSED_LATER,
  signIn,
} from './forms.ts'
import { emailOf, remembered } from './people.ts'
import { accessible, PHONE, stage } from './stage.ts'

/** Starts a separate product, because these journeys move its clock and leave members and refused cards behind. */
const at = stage({
  // These journeys use refused cards and unknown codes and cut connections. The browser logs them.
  expected: /ERR_INTERNET_DISCONNECTED|net::ERR_FAILED|ERR_ABORTED|\/api\/live|status of 40[0-9]/,
  // Each journey claims another address. Payments still use the sandbox.
  env: { SHOP_NAME: 'Petculture', SANDBOX: 'open' },
})

const PASSWORD = 'Secret12'
const DECLINED = '4000 0000 0000 0002'
const PAYS = { ...REFUSED_LATER, number: '4242424242424242' }

interface Answer {
  token: string
  now: string
  subscriptions: {
    id: number
    plan: string
    end: string | null
    ended_at: string | null
    grace_end: string | null
  }[]
  subscription: { id: number; plan: string; end: string | null } | null
}
const send = (path: string, body?: object, token?: string) => at.call<Answer>(path, body, token)
const tokenOf = async (email: string) =>
  (await send('/login', { email, password: PASSWORD, remember: true })).token

/** Each journey has its own address, because refused cards count per address. */
let houses = 0
async function open(path: string, storage?: ReturnType<typeof remembered>, now?: string) {
  const device = await at.device({
    ...PHONE,
    hasTouch: true,
    extraHTTPHeaders: { 'x-forwarded-for': `10.8.0.${++houses}` },
    ...(storage && { storageState: storage }),
  })
  // The page uses its device's clock.
  if (now) await device.clock.setFixedTime(now)
  const page = await at.page(device)
  const to = postsOf(page)
  await page.goto(at.url + path)
  await ready(page)
  return { page, device, to }
}

const join = (page: Page) => page.getByRole('button', { name: /^Join Now/ }).last()

async function fillOwner(page: Page, email: string) {
  await fillPerson(page, email)
  await field(page, 'Password').fill(PASSWORD)
  await field(page, 'Confirm password').fill(PASSWORD)
}
async function fill(page: Page, email: string, card = GOOD) {
  await fillPet(page)
  await fillOwner(page, email)
  await fillCard(page, card)
  await agree(page)
}
async function membershipsOf(email: string) {
  const { subscriptions } = await send('/user/me', undefined, await tokenOf(email))
  return subscriptions
}

it('a new owner joins for a year with a promo, and the login has the email filled in [JOI-1] [JOI-2] [JOI-4] [JOI-6]', async () => {
  const { page, to } = await open('/subscribe/intro-20?plan=annually')
  await accessible(page)
  await page.getByText('Code intro-20 applied: 20% off the first payment.').waitFor()
  await fill(page, 'joins@example.com')
  await accessible(page)
  await join(page).click()
  await page.getByText('Welcome to VetChat, Thandi').waitFor()
  await accessible(page)
  await page.waitForURL(/\/login$/)
  await page.getByRole('heading', { name: 'Welcome to VetChat' }).waitFor()
  await expect.poll(() => field(page, 'Email').inputValue()).toBe('joins@example.com')
  expect(to('/subscription/v2')).toMatchObject([{ body: { promo: 'intro-20', plan: 'annual' } }])
  expect(await membershipsOf('joins@example.com')).toMatchObject([{ plan: 'annual', end: null }])
  const mails = await at.mailsTo('joins@example.com')
  expect(mails.some(({ text }) => /R1\s600/.test(text))).toBe(true)
  expect(await page.evaluate('JSON.stringify({...sessionStorage})')).not.toMatch(/Secret12|4242/)
})

it('a plan is chosen with the keyboard, and Space presses Join Now [JOI-1] [JOI-8]', async () => {
  const { page } = await open('/subscribe?plan=annually')
  const [annual, monthly] = [/^Annual/, /^Monthly/].map((name) => page.getByRole('radio', { name }))
  await annual!.focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => monthly!.isChecked()).toBe(true)
  await page.waitForURL(/plan=monthly/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  expect(await annual!.isChecked()).toBe(true)
  await agree(page)
  await join(page).focus()
  await page.keyboard.press('Space')
  await field(page, 'First name').and(page.locator('[aria-invalid=true]')).waitFor()
})

it('the card field loads after the page and shifts nothing [JOI-7]', async () => {
  const device = await at.device(PHONE)
  await device.addInitScript(`
    window.shifted = 0
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value
    }).observe({ type: 'layout-shift', buffered: true })`)
  const page = await at.page(device)
  const answer = await page.goto(`${at.url}/subscribe`)
  expect(await answer!.text()).not.toContain('cc-number')
  await field(page, 'Card number').waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.evaluate('window.shifted')).toBe(0)
})

it("a declined card is reported, and another is charged once its bank's question is answered [JOI-3] [JOI-4]", async () => {
  const { page, to } = await open('/subscribe?plan=monthly')
  await fill(page, 'declined@example.com', DECLINED)
  await join(page).click()
  await page.getByRole('heading', { name: 'Errors Occurred' }).waitFor()
  await accessible(page)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('Failed to create membership. Retry filling the required fields.').last().waitFor()
  await page.getByRole('textbox', { name: 'Card number' }).waitFor()
  await fillCard(page, CHALLENGED)
  await join(page).click()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByText('Welcome to VetChat, Thandi').waitFor()
  expect(to('/subscription/v2')).toHaveLength(3)
  expect(await membershipsOf('declined@example.com')).toHaveLength(1)
})

it('a lost answer is recovered after a reload, under the same key [JOI-4]', async () => {
  const { page, to } = await open('/subscribe')
  const mend = await loseAnswers(page, '**/api/subscription/v2')
  await fill(page, 'lost@example.com')
  await join(page).click()
  await page.getByText('We can’t reach VetChat').waitFor()
  await page.getByText('Failed to create membership. Retry filling the required fields.').waitFor()
  await mend()
  await page.reload()
  await page.getByText('You’d started to join').waitFor()
  await accessible(page)
  expect(await page.evaluate('JSON.stringify({...sessionStorage})')).not.toMatch(/Secret12|4242/)
  await field(page, 'Password').fill(PASSWORD)
  await join(page).click()
  await page.getByText('Welcome to VetChat, Thandi').waitFor()
  expect(new Set(to('/subscription/v2').map(({ key }) => key)).size).toBe(1)
  expect(await membershipsOf('lost@example.com')).toHaveLength(1)
})

it('an owner who already has an account is sent to sign in, and on to a membership [D30] [JOI-5]', async () => {
  const { page, to } = await open('/subscribe/intro-30?plan=monthly')
  await fill(page, emailOf('new'))
  await join(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This email already has an account. Sign in to continue.').waitFor()
  await accessible(page)
  await dialog.getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL(/\/login/)
  await signIn(page, emailOf('new'))
  await page.waitForURL(/\/upgrade\?plan=monthly&promo=intro-30/)
  await page
    .getByRole('button', { name: /^Join Now for R140/ })
    .last()
    .waitFor()
  await accessible(page)
  const another = page.getByRole('button', { name: 'Use another card' })
  if (await another.isVisible()) await another.click()
  await fillCard(page)
  await agree(page)
  await join(page).click()
  await page.waitForURL(/\/myaccount$/)
  expect(to('/subscription/upgrade')).toHaveLength(1)
  await page.goto(`${at.url}/upgrade`)
  await page.getByText('You already have an active membership').waitFor()
  await accessible(page)
  await page.getByRole('link', { name: 'Manage Subscription' }).click()
  await page.waitForURL(/\/myaccount#membership$/)
})

it("a policy's holder creates an account, and a mail confirms it [JOI-9]", async () => {
  const { page } = await open('/signup')
  await page.getByText('Open that link again').waitFor()
  await page.goto(`${at.url}/signup/NO-SUCH`)
  await page.getByText('We could not verify your access to VetChat').waitFor()
  await accessible(page)
  await page.goto(`${at.url}/signup/POL-1003`)
  await field(page, 'Pet’s name').fill('Typed for another policy')
  await page.goto(`${at.url}/signup/POL-1004`)
  await page.getByRole('heading', { name: 'Your policy' }).waitFor()
  await expect.poll(() => field(page, 'Species').inputValue()).toBe('Cat')
  expect(await field(page, 'Pet’s name').inputValue()).not.toBe('Typed for another policy')
  expect(await page.getByRole('radio', { name: 'Dog' }).count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/signup')
  await accessible(page)
  await field(page, 'Breed').fill('shorth')
  await page.getByRole('option').first().click()
  await fillOwner(page, 'holder@example.com')
  await agree(page)
  await page.getByRole('button', { name: 'Create my account' }).click()
  await page.getByText('We’ve sent an email to holder@example.com').waitFor()
  await page.getByText('we’ve emailed a code to the address your insurer has').waitFor()
  await page.waitForURL(/\/login$/)
  await expect.poll(() => field(page, 'Email').inputValue()).toBe('holder@example.com')
  expect((await at.mailsTo('holder@example.com')).length).toBeGreaterThan(0)
  const toHolder = await at.mailsTo('lapsed@demo.vetchat.example')
  expect(toHolder.map(({ subject }) => subject)).toContain('The code for your pet policy')
})

it("a policy's holder who has an account takes the number there, signed in or not [JOI-9] [PET-9]", async () => {
  const { page } = await open('/signup/POL-1005')
  await field(page, 'Breed').fill('crossb')
  await page.getByRole('option').first().click()
  await fillOwner(page, emailOf('new'))
  await agree(page)
  await page.getByRole('button', { name: 'Create my account' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL(/\/login/)
  await signIn(page, emailOf('new'))
  await page.waitForURL(/\/addpet$/)
  await expect.poll(() => field(page, 'Policy number').inputValue()).toBe('POL-1005')

  await page.goto(`${at.url}/signup/POL-1004`)
  await page.getByText('and policy POL-1004 to it').waitFor()
  expect(await page.getByText('Create your account').isVisible()).toBe(false)
  await accessible(page)
  await page.getByRole('link', { name: 'Add my policy' }).click()
  await expect.poll(() => field(page, 'Policy number').inputValue()).toBe('POL-1004')
})

/** This one is last because it moves the clock by more than a year. */
it("a membership's whole life: join, add a pet, failed card, renewal, cancellation, restart, end [JOI-4] [SUB-2] [SUB-5] [SUB-6]", async () => {
  const email = 'life@example.com'
  const joining = await open('/subscribe?plan=monthly')
  await fill(joining.page, email)
  await join(joining.page).click()
  await joining.page.getByText('Welcome to VetChat, Thandi').waitFor()
  let token = await tokenOf(email)
  const pet = { name: 'Mielie', species_id: 2, breed_id: null, sex: null, dob: null }
  const breeds = (await send('/pet/all/breeds', undefined, token)) as unknown as {
    id: number
    species_id: number
  }[]
  const breed_id = breeds.find(({ species_id }) => species_id === 2)!.id
  await send('/pet/subscribe', { pet: { ...pet, breed_id }, agreed: true, terms: '1' }, token)

  const isSo = async (is: (one: Answer['subscriptions'][number]) => boolean) =>
    is((await send('/user/me', undefined, token)).subscriptions[0]!)
  /** The provider's events about the new day arrive a moment later. */
  async function myAccount(is: Parameters<typeof isSo>[0], now?: string) {
    token = await tokenOf(email)
    await expect.poll(() => isSo(is)).toBe(true)
    const { page } = await open('/myaccount', remembered(at.url, token), now)
    const membership = page.getByRole('region', { name: 'Membership' })
    await membership.waitFor()
    return { page, membership }
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click()

  const first = await myAccount(({ grace_end }) => grace_end === null)
  await first.membership.getByText('Next Payment').waitFor()
  await first.page.getByText('Mielie').first().waitFor()
  const refused = await send('/sandbox/card', REFUSED_LATER)
  await send('/subscription/updatePayment', { payload: { token: refused.token } }, token)
  await send('/sandbox/clock', { days: 32 })

  const failed = await myAccount(({ grace_end }) => grace_end !== null)
  await failed.membership.getByText('Payment failed').waitFor()
  await failed.membership.getByRole('link', { name: 'Update card' }).waitFor()
  const good = await send('/sandbox/card', PAYS)
  await send('/subscription/updatePayment', { payload: { token: good.token } }, token)
  await send('/sandbox/clock', { days: 4 })

  const renewed = await myAccount(({ grace_end }) => grace_end === null)
  async function cancel() {
    await press(renewed.page, 'Manage Subscription')
    await press(renewed.page, 'Cancel membership')
    await press(renewed.page, 'Cancel membership')
    await renewed.page.getByRole('dialog').first().waitFor({ state: 'detached' })
    await renewed.membership.getByText('Ends on').waitFor()
  }
  await renewed.membership.getByText('Next Payment').waitFor()
  await cancel()
  await press(renewed.page, 'Restart')
  await press(renewed.page, 'Restart membership')
  await renewed.page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await renewed.membership.getByText('Next Payment').waitFor()
  await cancel()
  const { now } = await send('/sandbox/clock', { days: 40 })

  const ended = await myAccount(({ ended_at }) => ended_at !== null, now)
  await ended.membership.getByText('This plan has ended').waitFor()
  await accessible(ended.page)
})
