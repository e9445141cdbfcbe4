import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { sentenceOf } from '#contract/errors.ts'
import { challengeOf, sampleUser } from '#test/samples.ts'
import { correctClock } from '../lib/session.ts'
import { watchLeaving } from '../test/leaving.ts'
import { mount, sampleSite } from '../test/mount.tsx'
import { ok, refuse, takeTurns, type Turns } from '../test/turns.ts'
import { field, fillCard, TYPED } from '../payments/buyer.ts'
import { Joining } from './joining-form.tsx'

const site = { ...sampleSite, shop: 'Petculture' }

let sent: ReturnType<typeof takeTurns>
let left: string[]
let answers: Turns
const coupon = (
  percent_off: number,
  length: number | null = null,
  plan: 'annual' | 'monthly' | null = null,
) => ok({ coupon: { code: 'SAVES', amount_off: null, percent_off, left_to_pay: null, length, plan } })
const to = (path: string) => sent.filter((one) => one.path === path)

beforeEach(async () => {
  left = watchLeaving()
  answers = {
    '/pet/all/breeds': [ok([{ id: 7, name: 'Labrador Retriever', species_id: 1 }])],
    '/sandbox/card': [ok({ token: 'tok_visa' })],
    '/human': [ok(await challengeOf(42))],
    '/subscription/v2': [ok({ subscription: {} })],
    '/subscription/upgrade': [ok({ subscription: {} })],
    '/subscription/userPayment/': [ok(null)],
    '/pay/coupon': [refuse('COUPON_INVALID')],
  }
  sent = takeTurns(answers)
})

let leave = () => {}
function show(path = '/subscribe', who?: typeof sampleUser) {
  history.replaceState(null, '', path)
  leave = mount(<Joining user={who} />, { site })
}

const says = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()
const button = () => page.getByRole('button', { name: /^Join Now/ })
const agree = () => page.getByRole('checkbox', { name: /^I agree/ }).click()
const RETRY = sentenceOf('MEMBERSHIP_NOT_CREATED')
async function fillPasswords() {
  await field('Password').fill('Secret12')
  await field('Confirm password').fill('Secret12')
}
function showFilled(path?: string) {
  sessionStorage.setItem('draft:joining', JSON.stringify(TYPED))
  show(path)
}
async function join() {
  showFilled()
  await fillPasswords()
  await send()
}
async function send() {
  await fillCard()
  await agree()
  await button().click()
}

it('the offer gives what a promo says, and the promo can be removed [JOI-2]', async () => {
  show('/subscribe/intro-30')
  await expect.element(button()).toHaveAccessibleName('Join Now for R1\u00a0400')
  await page.getByRole('button', { name: 'Remove intro-30' }).click()
  await expect.element(page.getByRole('button', { name: 'I have a coupon' })).toHaveFocus()
  await expect.element(button()).toHaveAccessibleName('Join Now for R2\u00a0000')
})

it('the offer can be removed in a browser that blocks storage [JOI-2]', async () => {
  vi.stubGlobal('localStorage', undefined)
  show('/subscribe/intro-30')
  await page.getByRole('button', { name: 'Remove intro-30' }).click()
  await expect.element(button()).toHaveAccessibleName('Join Now for R2\u00a0000')
})

it('the offer takes its codes from the address or the browser, and only known ones [JOI-2]', async () => {
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

it('the offer shows the full price and says so when the code is unknown [JOI-8]', async () => {
  localStorage.setItem('promo', 'intro-40')
  show('/subscribe/summer-99')
  await says('We don’t know this promo code')
  await expect.element(button()).toHaveAccessibleName('Join Now for R2\u00a0000')
})

it('the offer applies the larger of promo and coupon, and says which [JOI-2]', async () => {
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

it('the offer asks once about a coupon, and says which plan it is for [JOI-2]', async () => {
  answers['/pay/coupon'] = [coupon(50, null, 'monthly')]
  show('/subscribe?coupon=SAVES')
  await says('This coupon is for the monthly plan.')
  await expect.element(button()).toHaveAccessibleName('Join Now for R2\u00a0000')
  await page.getByRole('radio', { name: /^Monthly/ }).click()
  await says('Coupon applied. You save R100.')
  await expect.element(button()).toHaveAccessibleName('Join Now for R100')
  expect(to('/pay/coupon')).toHaveLength(1)
})

it('the offer asks for a card even when nothing is left to pay today, and says why [JOI-3, SAF-2]', async () => {
  answers['/pay/coupon'] = [coupon(100, 3)]
  showFilled('/subscribe?plan=monthly&coupon=SAVES')
  await says('Nothing to pay today')
  await says(
    'Nothing is charged today. We need a card now because we’ll charge it once the free period is over, unless you cancel before then.',
  )
  await expect.element(button()).toHaveAccessibleName('Join Now for R0')
  await fillPasswords()
  await send()
  await expect
    .poll(() => to('/subscription/v2'))
    .toMatchObject([{ body: { coupon: 'SAVES', stripeToken: 'tok_visa' } }])
})

it('the offer says the day of the renewal although the phone’s clock is wrong [SUB-4]', async () => {
  const wrong = new Date()
  wrong.setFullYear(wrong.getFullYear() + 3)
  correctClock(wrong.toUTCString())
  show()
  const renews = new RegExp(`^Renews on .* ${wrong.getFullYear() + 1} for R2\u00a0000`)
  await expect.element(page.getByText(renews).last()).toBeInTheDocument()
})

it('the offer mentions the renewal and the gift card [SUB-7]', async () => {
  show()
  await expect.element(page.getByText(/^Renews on .* for R2\u00a0000\./).last()).toBeInTheDocument()
  await expect
    .element(page.getByText(/we’ll email you a R200 gift card for Petculture/).last())
    .toBeInTheDocument()
})

it('joining says beside the button what is missing next, and last that the terms are [JOI-1]', async () => {
  show()
  await expect.element(button()).toHaveAccessibleDescription('Next: which animal')
  sessionStorage.setItem('draft:joining', JSON.stringify(TYPED))
  leave()
  show()
  await expect.element(button()).toHaveAccessibleDescription('Next: a password')
  await fillPasswords()
  await expect.element(button()).toHaveAccessibleDescription('Please accept the terms first.')
  await agree()
  await expect.element(button()).not.toHaveAttribute('aria-disabled')
})

it('joining says beside each field what is missing, and the first has the focus [JOI-3]', async () => {
  show()
  await agree()
  await page.getByRole('radio', { name: 'Dog' }).click()
  await button().click()
  for (const [label, message] of [
    ['Pet’s name', sentenceOf('PET_NAME_MISSING')],
    ['Breed', sentenceOf('PET_BREED_MISSING')],
    ['First name', sentenceOf('FIRST_NAME_MISSING')],
    ['Last name', sentenceOf('LAST_NAME_MISSING')],
    ['Email', sentenceOf('INVALID_EMAIL')],
    ['Mobile number', sentenceOf('PHONE_MISSING')],
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
    .toHaveAccessibleDescription(expect.stringContaining(`Invalid Password. ${sentenceOf('WEAK_PASSWORD')}`))
  await expect
    .element(field('Confirm password'))
    .toHaveAccessibleDescription(expect.stringContaining('Passwords do not match'))
  expect(to('/subscription/v2')).toEqual([])
})

it('joining says what may be wrong with a coupon that was shown as applied [JOI-3] [CON-10]', async () => {
  answers['/subscription/v2'] = [refuse('COUPON_INVALID')]
  await join()
  await expect.element(page.getByText('Invalid coupon').first()).toBeVisible()
  await says(/The coupon may be used up or expired, or belong to another email/)
})

it('joining opens no dialog when the card token was already used [JOI-3]', async () => {
  answers['/subscription/v2'] = [refuse('token_already_used')]
  await join()
  await expect.element(page.getByText(RETRY).last()).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

it('joining says that the payment failed when the server sends no message [JOI-3]', async () => {
  answers['/subscription/v2'] = [() => Response.json({ errors: [] }, { status: 400 })]
  await join()
  await expect.element(page.getByText(sentenceOf('PAYMENT_FAILED'))).toBeVisible()
})

it('joining asks about an unfinished purchase after a reload, and Start over leads to the form [JOI-4]', async () => {
  const input = { plan: 'annual', email: 'thandi@example.com', pet: { name: 'Biscuit' } }
  sessionStorage.setItem('purchase:join', JSON.stringify({ key: 'k', at: Date.now(), input, pays: 'R2 000' }))
  show()
  await says(/^We didn’t hear back about R2 000 for you and Biscuit/)
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect.element(page.getByRole('radio', { name: /^Annual/ })).toHaveFocus()
  expect([sessionStorage.getItem('purchase:join'), ...to('/subscription/v2')]).toEqual([null])
})

it('a membership for an account needs the terms accepted, asks for no name and goes to My account [JOI-5]', async () => {
  show('/upgrade?promo=intro-20', sampleUser)
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

it('a membership for an account sends nothing and says so when there is no card [JOI-5]', async () => {
  show('/upgrade', sampleUser)
  await page.getByRole('textbox', { name: 'Card number' }).click()
  await agree()
  await button().click()
  await says('Missing / invalid payment card details.')
  expect(to('/subscription/upgrade')).toEqual([])
})

it('a membership for an account is charged to the card on file, if there is one, and never without a connection [JOI-4] [JOI-5]', async () => {
  answers['/subscription/userPayment/'] = [
    ok({ object: 'card', brand: 'visa', last4: '4242', exp_month: 9, exp_year: 2031 }),
  ]
  show('/upgrade', sampleUser)
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
