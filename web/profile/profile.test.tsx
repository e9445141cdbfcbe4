import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { sentenceOf } from '#contract/errors.ts'
import { sampleUser, sampleMembership } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { AlertProvider } from '../ui/alert-bar.tsx'
import ConfirmEmail from './confirm-email.page.tsx'
import { deviceOf } from './sessions.tsx'
import { Profile } from './profile.tsx'

it.each([
  [
    'Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (Linux; Android 13) SamsungBrowser/25.0 Chrome/121.0 Safari/537.36',
    'Samsung Internet on Android',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1', 'Safari on iPhone'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15) Gecko/20100101 Firefox/127.0', 'Firefox on Mac'],
  ['curl/8.5.0', 'A device we don’t recognise'],
  ['', 'A device we don’t recognise'],
])('%s is called %s, near enough [PRO-5]', (agent, says) => expect(deviceOf(agent)).toBe(says))

const sessions = [
  {
    id: 'b',
    agent: 'Firefox/127.0 Windows',
    here: false,
    started: '2026-11-01T08:00:00Z',
    last_used: '2026-11-20T08:00:00Z',
  },
  {
    id: 'a',
    agent: 'Chrome/126.0 Android',
    here: true,
    started: '2026-11-01T08:00:00Z',
    last_used: '2026-11-21T08:00:00Z',
  },
]
const visa = { object: 'card', brand: 'visa', last4: '4242', exp_month: 9, exp_year: 2031 }

const receipt = {
  number: 'VC-12',
  at: '2026-11-20T08:00:00Z',
  currency: 'zar',
  url: '/media/receipts/VC-12.pdf?a',
}
const consult = { ...receipt, paid_for: 'textConsult', pet: 'Biscuit' }
const receipts = [
  { ...consult, id: 13, number: 'VC-13', kind: 'refund', tax_invoice: false, amount: -150_00 },
  { ...consult, id: 12, kind: 'charge', tax_invoice: true, amount: 450_00 },
]

type Answer = (body: Record<string, unknown>) => object | Promise<object>
let answers: Record<string, Answer>
let sent: [string, unknown][]
let leave = () => {}

const tokenOf = (n: number) => `h.${btoa(JSON.stringify({ n, exp: 4_102_444_800 }))}.s`
const refused = (status: number, errors: string[]) => Response.json({ errors, fields: {} }, { status })

beforeEach(() => {
  localStorage.setItem('token', tokenOf(1))
  localStorage.setItem('vetchat', '{"remember":true}')
  sent = []
  answers = {
    'GET /user/me': () => sampleUser,
    'GET /user/sessions': () => sessions,
    'GET /subscription/userPayment/': () => visa,
    'GET /receipts': () => receipts,
    'GET /user/looks': () => [],
  }
  vi.spyOn(window, 'fetch').mockImplementation(async (url, init) => {
    const call = `${init?.method} ${String(url).replace('/api', '')}`
    const body = init?.body ? JSON.parse(String(init.body)) : {}
    sent.push([call, body])
    const answer = answers[call]
    if (!answer) throw new TypeError('offline')
    const given = await answer(body)
    return given instanceof Response ? given : Response.json(given)
  })
})

async function visit(address = '/myaccount/profile') {
  const router = createMemoryRouter(
    [
      { path: '/myaccount/profile', Component: Profile },
      { path: '/confirm-email/:code?', Component: ConfirmEmail },
    ],
    { initialEntries: [address] },
  )
  leave = mount(
    <AlertProvider>
      <main id="main" tabIndex={-1}>
        <RouterProvider router={router} />
      </main>
    </AlertProvider>,
  )
}

const field = (label: string) => page.getByLabelText(label)
const button = (name: string) => page.getByRole('button', { name })
const dialog = () => page.getByRole('dialog')
const sees = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()
const callsOf = (call: string) => sent.filter(([made]) => made === call).map(([, body]) => body)

it('the page makes its calls in parallel for an owner who was seen before [PRO-1]', async () => {
  localStorage.setItem('user', '{"type":1,"firstName":"Thandi"}')
  answers['GET /user/me'] = async () => {
    await vi.waitFor(() => expect(sent).toHaveLength(4))
    return sampleUser
  }
  await visit()
  await sees('Visa ending in 4242')
  await sees('Chrome on Android')
  await expect.element(field('First name')).toHaveValue('Thandi')
  await expect.poll(() => sent.map(([call]) => call).toSorted()).toEqual(Object.keys(answers).toSorted())
})

it('receipts show payments and refunds, and open their PDFs [BUY-11]', async () => {
  await visit()
  const rows = page.getByRole('region', { name: 'Receipts' }).getByRole('link')
  await expect.element(rows.first()).toHaveAccessibleName(/Refund.*\u2212R150.*Refund VC-13 as PDF/)
  await expect
    .element(rows.nth(1))
    .toHaveAccessibleName(/about Biscuit.*tax invoice.*R450.*Receipt VC-12 as PDF/)
  await expect.element(rows.nth(1)).toHaveAttribute('href', receipt.url)
})

it('receipts say so when there are no payments and when the list fails to load [BUY-11]', async () => {
  answers['GET /receipts'] = () => []
  await visit()
  await sees(/No payments yet/)
  leave()
  answers['GET /receipts'] = () => refused(500, ['An Error Occurred'])
  await visit()
  await sees('We couldn’t load your receipts')
  answers['GET /receipts'] = () => receipts
  await button('Try again').click()
  await expect.element(page.getByRole('region', { name: 'Receipts' }).getByRole('link').first()).toBeVisible()
})

it('a link to update the card scrolls to it [SUB-2] [PRO-4]', async () => {
  history.replaceState(null, '', '#card')
  await visit()
  await sees('Visa ending in 4242')
  await expect.element(page.getByText('Visa ending in 4242')).toBeInViewport()
})

it('a new password is typed twice, its new token is stored, and no draft holds any of it [PRO-3] [SHL-10]', async () => {
  answers['POST /user/updatePassword'] = () => ({ token: tokenOf(2) })
  await visit()
  await button('Change password').click()
  await sees('Enter your current password.')
  await sees('Enter a new password.')
  await userEvent.fill(field('Current password'), 'Right1234')
  await userEvent.fill(field('New password'), 'short')
  await button('Change password').click()
  await sees(/^Password must contain/)
  await sees('Confirm password is required')
  await userEvent.fill(field('New password'), 'Fresh1234')
  await userEvent.fill(field('Confirm new password'), 'Fresh12345')
  await button('Change password').click()
  await sees('Passwords do not match')
  expect(callsOf('POST /user/updatePassword')).toEqual([])
  await userEvent.fill(field('Confirm new password'), 'Fresh1234')
  await button('Change password').click()
  await sees(/^Your password has been changed/)
  await expect.element(field('New password')).toHaveValue('')
  expect(localStorage.getItem('token')).toBe(tokenOf(2))
  expect({ ...sessionStorage }).toEqual({})
})

it.each([
  ['declined', '2031-03-10T12:00:00Z', /but R2\s000 couldn’t be charged to it/],
  ['charged', null, /and R2\s000 is paid/],
])(
  'a new card says what it will be charged straight away, and whether it was: %s [PRO-4] [SUB-2]',
  async (_how, grace_end, says) => {
    const unpaid = { price: 200000, grace_end: '2031-03-10T12:00:00Z' }
    let grace: string | null = unpaid.grace_end
    answers['GET /user/me'] = () => ({
      ...sampleUser,
      subscriptions: [sampleMembership('2032-03-03T12:00:00Z', { ...unpaid, grace_end: grace })],
    })
    answers['POST /sandbox/card'] = () => ({ token: 'tok_visa' })
    answers['POST /subscription/updatePayment'] = () => ((grace = grace_end), visa)
    await visit()
    await button('Replace card').click()
    await sees(/We’ll charge R2\s000 for your membership to the new card straight away/)
    await dialog().getByLabelText('Card number').fill('4242 4242 4242 4242')
    await dialog().getByLabelText('Expiry date').fill('12 / 34')
    await dialog().getByLabelText('Security code').fill('123')
    await page.getByRole('button', { name: /^Save card and pay R2\s000$/ }).click()
    await sees(says)
    expect(callsOf('POST /subscription/updatePayment')).toHaveLength(1)
  },
)

it('the page says when a card expires soon, has expired or failed to load [PRO-4]', async () => {
  expect.hasAssertions()
  const ends = new Date()
  answers['GET /subscription/userPayment/'] = () => ({
    ...visa,
    exp_month: ends.getMonth() + 1,
    exp_year: ends.getFullYear(),
  })
  await visit()
  await sees('Expires soon')
  leave()
  answers['GET /subscription/userPayment/'] = () => ({ ...visa, exp_year: 2020 })
  await visit()
  await sees(/^Expired 09/)
  leave()
  delete answers['GET /subscription/userPayment/']
  await visit()
  await sees('We couldn’t load your card')
  answers['GET /subscription/userPayment/'] = () => visa
  await button('Try again').click()
  await sees('Visa ending in 4242')
})

it('a member whose partner pays isn’t told to add a card [PRO-4] [PET-6]', async () => {
  expect.hasAssertions()
  answers['GET /subscription/userPayment/'] = () => Response.json(null)
  const insured = sampleMembership('2032-03-03T12:00:00Z', { source: 'insurer', stripe_subscription: null })
  answers['GET /user/me'] = () => ({ ...sampleUser, subscriptions: [insured] })
  await visit()
  await sees('No card yet. Your partner pays for your membership, so you don’t need one for it.')
  leave()
  answers['GET /user/me'] = () => sampleUser
  await visit()
  await sees(/^No card yet. You’ll need one before you add a pet/)
})

it('one other device or all can be signed out, but never this one [PRO-5]', async () => {
  let left = sessions
  answers['GET /user/sessions'] = () => left
  answers['DELETE /user/sessions/b'] = () => ((left = sessions.slice(1)), {})
  await visit()
  await sees('This device')
  await expect.element(button('Sign out Chrome on Android')).not.toBeInTheDocument()
  await button('Sign out Firefox on Windows').click()
  await sees('Firefox on Windows has been signed out.')
  await expect.element(button('Sign out Firefox on Windows')).not.toBeInTheDocument()
  await expect.element(button('Sign out everywhere else')).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Where you are signed in' })).toHaveFocus()
})

it('a long list of sessions begins short, and a key that opens the rest moves the focus there [PRO-5]', async () => {
  const device = (n: number) => ({ ...sessions[0]!, id: `d${n}` })
  answers['GET /user/sessions'] = () => [...Array(5).keys()].map(device).concat(sessions[1]!)
  await visit()
  const rows = page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem')
  await expect.poll(() => rows.elements().length).toBe(5)
  button('Show all 6').element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => rows.elements().length).toBe(6)
  await expect.poll(() => document.activeElement).toBe(rows.elements()[5])
  await expect.element(button('Show all 6')).not.toBeInTheDocument()
})

it('an account is deleted with its password but not during a consult, and a goodbye follows [PRO-5]', async () => {
  const subscriptions = [sampleMembership('2032-03-03T12:00:00Z')]
  answers['GET /user/me'] = () => ({ ...sampleUser, subscriptions, subscription: {} })
  answers['POST /user/delete'] = () => refused(409, [sentenceOf('CONSULT_STILL_OPEN')])
  await visit()
  await button('Delete my account').click()
  await sees('Your membership ends now')
  await sees(/^The insurer will still decide any PawCare claims/)
  await sees(/kept for 3 years/)
  await userEvent.fill(field('Your password'), 'Right1234')
  await dialog().getByRole('button', { name: 'Delete my account' }).click()
  await sees(sentenceOf('CONSULT_STILL_OPEN'))
  answers['POST /user/delete'] = () => ({})
  await dialog().getByRole('button', { name: 'Delete my account' }).click()
  await expect.element(page.getByRole('heading', { name: 'Your account has been deleted' })).toHaveFocus()
  expect(localStorage.getItem('token')).toBe(null)
})

it('a new email is confirmed after a lost connection, and a link without its code says what to do [PRO-1]', async () => {
  await visit('/confirm-email/abc')
  await button('Use this email').click()
  await sees('We couldn’t reach VetChat')
  answers['POST /user/email/confirm'] = () => ({ email: 'new@example.com' })
  await button('Try again').click()
  await sees('Your email is confirmed')
  await expect.element(page.getByRole('main')).toHaveFocus()
  // Somebody else is signed in here.
  await expect.element(page.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/logout')
  leave()
  await visit('/confirm-email')
  await sees('Please open the link in our email again.')
})
