import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type ErrorCode, ERRORS, words } from '#contract/errors.ts'
import { challengeOf } from '#test/samples.ts'
import { mount, sampleSite } from '../lib/mount.tsx'
import { Joining } from './joining-form.tsx'
import type { JoiningTyped } from './joining-rules.ts'

const site = { ...sampleSite, shop: 'Petculture' }
const user = {
  id: 1,
  type: 1 as const,
  firstName: 'Zanele',
  lastName: 'Dlamini',
  email: 'zanele@example.com',
  mobile: '082 555 0134',
  postcode: '',
  address: '',
  user_clinic: '',
  customer_id: 'cus_1',
  email_confirmed: true,
  can_consult: false,
  region: 'za' as const,
  notifications: { care: true, check_in: true, news: false },
  subscriptions: [],
  subscription: null,
}

interface Sent {
  path: string
  key: string | null
  body: Record<string, unknown>
}
let sent: Sent[]
let left: string[]
/** Each call's answers in order. The last one repeats. */
let answers: Record<string, (() => Response | Promise<Response>)[]>
const ok = (body: unknown) => () => Response.json(body)
const refuse =
  (code: ErrorCode, more: object = {}) =>
  () =>
    Response.json({ errors: [words(code)], code, ...more }, { status: ERRORS[code].status })
const coupon = (
  percent_off: number,
  length: number | null = null,
  plan: 'annual' | 'monthly' | null = null,
) => ok({ coupon: { code: 'SAVES', amount_off: null, percent_off, left_to_pay: null, length, plan } })
const to = (path: string) => sent.filter((one) => one.path === path)

beforeEach(async () => {
  sessionStorage.clear()
  localStorage.clear()
  ;[sent, left] = [[], []]
  answers = {
    '/pet/all/breeds': [ok([{ id: 7, name: 'Labrador Retriever', species_id: 1 }])],
    '/sandbox/card': [ok({ token: 'tok_visa' })],
    '/human': [ok(await challengeOf(42))],
    '/subscription/v2': [ok({ subscription: {} })],
    '/subscription/upgrade': [ok({ subscription: {} })],
    '/subscription/userPayment/': [ok(null)],
    '/pay/coupon': [refuse('COUPON_INVALID')],
  }
  vi.stubGlobal('fetch', async (url: string, init: { body?: string; headers: Headers }) => {
    const path = url.replace(/^\/api/, '').replace(/\?.*/, '')
    sent.push({
      path,
      body: init.body ? JSON.parse(init.body) : {},
      key: init.headers.get('idempotency-key'),
    })
    const turns = answers[path] ?? [ok([])]
    return (turns.length > 1 ? turns.shift()! : turns[0]!)()
  })
})

let leave = () => {}
function show(path = '/subscribe', who?: typeof user) {
  history.replaceState(null, '', path)
  leave = mount(<Joining {...(who && { user: who })} leave={(where) => left.push(where)} />, site)
}

const says = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()
const button = () => page.getByRole('button', { name: /^Join Now/ })
const agree = () => page.getByRole('checkbox', { name: /^I agree/ }).click()
const field = (label: string) => page.getByLabelText(label, { exact: true })
const RETRY = words('MEMBERSHIP_NOT_CREATED')
async function fillCard() {
  await page.getByRole('textbox', { name: 'Card number' }).fill('4242424242424242')
  await field('Expiry date').fill('0931')
  await field('Security code').fill('123')
}
async function fillForm() {
  await page.getByRole('radio', { name: 'Dog' }).click()
  await field('Pet’s name').fill('Biscuit')
  await field('Breed').fill('labr')
  await page.getByRole('option', { name: 'Labrador Retriever' }).click()
  await field('First name').fill('Thandi')
  await field('Last name').fill('Mokoena')
  await field('Email').fill('thandi@example.com')
  await field('Mobile number').fill('082 123 4567')
  await fillPasswords()
}
async function fillPasswords() {
  await field('Password').fill('Secret12')
  await field('Confirm password').fill('Secret12')
}
/** What fillForm() types, as the form's draft keeps it: without the passwords. */
const TYPED: Partial<JoiningTyped> = {
  species: '1',
  name: 'Biscuit',
  breed: '7',
  firstName: 'Thandi',
  lastName: 'Mokoena',
  email: 'thandi@example.com',
  mobile: '082 123 4567',
}
async function join() {
  sessionStorage.setItem('draft:joining', JSON.stringify(TYPED))
  show()
  await fillPasswords()
  await send()
}
async function send() {
  await fillCard()
  await agree()
  await button().click()
}

describe('the offer', () => {
  it.each([
    ['intro-20', 'Join Now for R1\u00a0600'],
    ['intro-30', 'Join Now for R1\u00a0400'],
    ['intro-40', 'Join Now for R1\u00a0200'],
  ])('%s shows and gives what it says, and can be removed [JOI-2]', async (promo, name) => {
    show(`/subscribe/${promo}`)
    await expect.element(button()).toHaveAccessibleName(name)
    await page.getByRole('button', { name: `Remove ${promo}` }).click()
    await expect.element(page.getByRole('button', { name: 'I have a coupon' })).toHaveFocus()
    await expect.element(button()).toHaveAccessibleName('Join Now for R2\u00a0000')
  })

  it('takes its codes from the address or the browser, and only known ones [JOI-2]', async () => {
    localStorage.setItem('promo', 'intro-40')
    show('/subscribe?plan=monthly')
    await expect.element(button()).toHaveAccessibleName('Join Now for R120')
    leave()
    show('/subscribe?promo=intro-20')
    await expect.element(button()).toHaveAccessibleName('Join Now for R1\u00a0600')
    leave()
    localStorage.setItem('promo', 'free-for-all')
    show()
    await expect.element(button()).toHaveAccessibleName('Join Now for R2\u00a0000')
  })

  it('shows the full price and says so when the code is unknown [JOI-8]', async () => {
    localStorage.setItem('promo', 'intro-40')
    show('/subscribe/summer-99')
    await says('This promo code is not known')
    await expect.element(button()).toHaveAccessibleName('Join Now for R2\u00a0000')
  })

  it('applies the larger of promo and coupon, and says which [JOI-2]', async () => {
    answers['/pay/coupon'] = [coupon(10)]
    show('/subscribe/intro-20?coupon=SAVES')
    await says('Code intro-20 saves you more than this coupon, so we’ve used the code.')
    await expect.element(button()).toHaveAccessibleName('Join Now for R1\u00a0600')
    leave()
    answers['/pay/coupon'] = [coupon(50, 24)]
    show('/subscribe/intro-20?coupon=SAVES')
    await says('Coupon SAVES saves you more than code intro-20, so we’ve used the coupon.')
    await says('For 24 months, then R2\u00a0000 a year')
    await expect.element(button()).toHaveAccessibleName('Join Now for R1\u00a0000')
  })

  it('asks once about a coupon, and says which plan it is for [JOI-2]', async () => {
    answers['/pay/coupon'] = [coupon(50, null, 'monthly')]
    show('/subscribe?coupon=SAVES')
    await says('This coupon is for the monthly plan.')
    await expect.element(button()).toHaveAccessibleName('Join Now for R2\u00a0000')
    await page.getByRole('radio', { name: /^Monthly/ }).click()
    await says('Coupon applied. You save R100.')
    await expect.element(button()).toHaveAccessibleName('Join Now for R100')
    expect(to('/pay/coupon')).toHaveLength(1)
  })

  it('asks for a card even when nothing is left to pay today, and says why [JOI-3, SAF-2]', async () => {
    answers['/pay/coupon'] = [coupon(100, 3)]
    show('/subscribe?plan=monthly&coupon=SAVES')
    await says('Nothing to pay today')
    await says(
      'Nothing is charged today. We need a card now because it pays once the free time is over, unless you cancel before then.',
    )
    await fillForm()
    await fillCard()
    await agree()
    await expect.element(button()).toHaveAccessibleName('Join Now for R0')
    await button().click()
    await expect
      .poll(() => to('/subscription/v2'))
      .toMatchObject([{ body: { coupon: 'SAVES', stripeToken: 'tok_visa' } }])
  })

  it('mentions the renewal and the gift card [SUB-7]', async () => {
    show()
    await expect.element(page.getByText(/^Renews on .* for R2\u00a0000\./).last()).toBeInTheDocument()
    await expect
      .element(page.getByText(/we’ll email you a R200 gift card for Petculture/).last())
      .toBeInTheDocument()
  })
})

describe('joining', () => {
  it('says beside the button what is missing next, and last that the terms are [JOI-1]', async () => {
    show()
    await expect.element(button()).toHaveAccessibleDescription('Next: which animal it is')
    sessionStorage.setItem('draft:joining', JSON.stringify(TYPED))
    leave()
    show()
    await expect.element(button()).toHaveAccessibleDescription('Next: a password')
    await fillPasswords()
    await expect.element(button()).toHaveAccessibleDescription('Please accept the terms first.')
    await agree()
    await expect.element(button()).not.toHaveAttribute('aria-disabled')
  })

  it('says beside each field what is missing, and the first has the focus [JOI-3]', async () => {
    show()
    await agree()
    await page.getByRole('radio', { name: 'Dog' }).click()
    await button().click()
    for (const [label, message] of [
      ['Pet’s name', words('PET_NAME_MISSING')],
      ['Breed', words('PET_BREED_MISSING')],
      ['First name', words('FIRST_NAME_MISSING')],
      ['Last name', words('LAST_NAME_MISSING')],
      ['Email', words('INVALID_EMAIL')],
      ['Mobile number', words('PHONE_MISSING')],
      ['Password', 'Password is required'],
      ['Confirm password', 'Confirm password is required'],
    ] as const)
      await expect.element(field(label)).toHaveAccessibleDescription(expect.stringContaining(message))
    await expect.element(field('Pet’s name')).toHaveFocus()
    await field('Password').fill('short')
    await field('Confirm password').fill('other')
    await button().click()
    await expect
      .element(field('Password'))
      .toHaveAccessibleDescription(expect.stringContaining(`Invalid Password. ${words('WEAK_PASSWORD')}`))
    await expect
      .element(field('Confirm password'))
      .toHaveAccessibleDescription(expect.stringContaining('Passwords do not match'))
    expect(to('/subscription/v2')).toEqual([])
  })

  it('sends the form once, with its solved human check, and goes to the login [JOI-1] [JOI-4] [JOI-6]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true })
    show('/subscribe/intro-20')
    await fillForm()
    await send()
    await says('Welcome to VetChat, Thandi')
    vi.advanceTimersByTime(3000)
    expect(to('/subscription/v2')).toMatchObject([
      {
        body: {
          plan: 'annual',
          promo: 'intro-20',
          pawcare_out: false,
          stripeToken: 'tok_visa',
          email: 'thandi@example.com',
          password: 'Secret12',
          pet: { name: 'Biscuit', type: 1, breed: 7 },
          agreed: true,
        },
      },
    ])
    const { userConfirmation } = to('/subscription/v2')[0]!.body
    expect(JSON.parse(atob(userConfirmation as string))).toMatchObject({ solution: { counter: 42 } })
    await expect.poll(() => left).toEqual(['/login?new'])
    expect(JSON.parse(sessionStorage.getItem('draft:login')!)).toEqual({ email: 'thandi@example.com' })
    expect(sessionStorage.getItem('purchase:join')).toBeNull()
  })

  it('solves another human check automatically, under the same key [JOI-6]', async () => {
    answers['/subscription/v2'] = [
      refuse('HUMAN_CHECK', { human: 'subscribe_annually' }),
      ok({ subscription: {} }),
    ]
    await join()
    await says('Welcome to VetChat, Thandi')
    expect(to('/human')).toHaveLength(2)
    expect(new Set(to('/subscription/v2').map(({ key }) => key)).size).toBe(1)
  })

  it('says what may be wrong with a coupon that was shown as applied [JOI-3] [CON-10]', async () => {
    answers['/subscription/v2'] = [refuse('COUPON_INVALID')]
    await join()
    await expect.element(page.getByText('Invalid coupon').first()).toBeVisible()
    await says(/The coupon may be used up, or belong to another email/)
  })

  it('explains a refusal under the button and in the dialog, and keeps the form [JOI-3]', async () => {
    answers['/subscription/v2'] = [refuse('CARD_REFUSED')]
    await join()
    await expect.element(page.getByRole('dialog', { name: 'Errors Occurred' })).toBeVisible()
    await says(words('CARD_REFUSED'))
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.element(button()).toHaveFocus()
    await expect.element(button()).toHaveAccessibleDescription(/card field is reloading/)
    await expect.element(page.getByText(RETRY).last()).toBeVisible()
    await expect.element(field('First name')).toHaveValue('Thandi')
  })

  it('opens no dialog when the card token was already used [JOI-3]', async () => {
    answers['/subscription/v2'] = [refuse('token_already_used')]
    await join()
    await expect.element(page.getByText(RETRY).last()).toBeVisible()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })

  it('says that the payment failed when the server sends no message [JOI-3]', async () => {
    answers['/subscription/v2'] = [() => Response.json({ errors: [] }, { status: 400 })]
    await join()
    await expect.element(page.getByText(words('PAYMENT_FAILED'))).toBeVisible()
  })

  it('says when there is no answer, retries under the same key and stores no password [JOI-3] [JOI-4]', async () => {
    answers['/subscription/v2'] = [() => Promise.reject(new TypeError('lost')), ok({ subscription: {} })]
    await join()
    await says('We can’t reach VetChat')
    await says(RETRY)
    expect(sessionStorage.getItem('purchase:join')).not.toMatch(/Secret12|4242/)
    await page.getByRole('button', { name: 'Join Now: try again' }).click()
    await says('Welcome to VetChat, Thandi')
    expect(new Set(to('/subscription/v2').map(({ key }) => key)).size).toBe(1)
  })
})

it('asks about an unfinished purchase after a reload, and Start over leads to the form [JOI-4]', async () => {
  const input = { plan: 'annual', email: 'thandi@example.com', pet: { name: 'Biscuit' } }
  sessionStorage.setItem('purchase:join', JSON.stringify({ key: 'k', at: Date.now(), input, pays: 'R2 000' }))
  show()
  await says(/^We didn’t hear back about R2 000 for you and Biscuit/)
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect.element(page.getByRole('radio', { name: /^Annual/ })).toHaveFocus()
  expect([sessionStorage.getItem('purchase:join'), ...to('/subscription/v2')]).toEqual([null])
})

describe('a membership for an account', () => {
  it('needs the terms accepted, asks for no name and goes to My account [JOI-5]', async () => {
    show('/upgrade?promo=intro-20', user)
    await expect.element(button()).toHaveAttribute('aria-disabled', 'true')
    await fillCard()
    await page.getByRole('checkbox', { name: 'I don’t want PawCare cover' }).click()
    await agree()
    await expect.element(field('First name')).not.toBeInTheDocument()
    await button().click()
    await expect.poll(() => left).toEqual(['/myaccount'])
    expect(to('/subscription/upgrade')).toMatchObject([
      { body: { plan: 'annual', promo: 'intro-20', pawcare_out: true, stripeToken: 'tok_visa' } },
    ])
  })

  it('sends nothing and says so when there is no card [JOI-5]', async () => {
    show('/upgrade', user)
    await page.getByRole('textbox', { name: 'Card number' }).click()
    await agree()
    await button().click()
    await says('Missing / invalid payment card details.')
    expect(to('/subscription/upgrade')).toEqual([])
  })

  it('is charged to the card on file, if there is one, and never without a connection [JOI-4] [JOI-5]', async () => {
    answers['/subscription/userPayment/'] = [
      ok({ object: 'card', brand: 'visa', last4: '4242', exp_month: 9, exp_year: 2031 }),
    ]
    show('/upgrade', user)
    await says(/Charged to your Visa/)
    await agree()
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await button().click()
    await says('No connection. Nothing was charged.')
    online.mockReturnValue(true)
    dispatchEvent(new Event('online'))
    await says('You’re back online. Nothing was charged.')
    expect(to('/subscription/upgrade')).toEqual([])
    await button().first().click()
    await expect.poll(() => left).toEqual(['/myaccount'])
    expect(to('/subscription/upgrade')[0]!.body).not.toHaveProperty('stripeToken')
  })
})
