import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import { sampleRabbit } from '#test/samples.ts'
import { mount } from '../lib/mount.tsx'
import { makeQueryClient } from '../lib/query-client.ts'
import { myPaymentMethod } from '../payments/queries.ts'
import { priceOf, PurchaseDialog } from './purchase-dialog.tsx'

const VISA = { object: 'card' as const, brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2029 }
const bella = { ...sampleRabbit('Bella'), microchip: '' }
const DONE = Response.json({ pet: { id: 6 }, subscription: { id: 2 } })
const CHALLENGE = Response.json({ status: 'requires_action', client_secret: 'secret', purchase: 'p1' })
const REFUSED = Response.json(
  { errors: [ERRORS.CARD_REFUSED.message], code: 'CARD_REFUSED' },
  { status: 402 },
)

const bought = vi.fn()
let leave = () => {}
function show(card: typeof VISA | null = VISA) {
  const client = makeQueryClient(() => {})
  client.setQueryData(myPaymentMethod.queryKey, card)
  const dialog = (
    <PurchaseDialog
      input={{ pet: bella, agreed: true, terms: '1' }}
      isMember
      onBought={bought}
      onClose={() => {}}
    />
  )
  leave = mount(
    <QueryClientProvider client={client}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element: dialog }])} />
    </QueryClientProvider>,
  )
}

interface Sent {
  key: string | null
  body: { plan: string; purchase?: string; pet: { name: string } }
}
/** Responses in order; undefined is a lost connection. */
function answers(...list: (Response | undefined)[]): Sent[] {
  const sent: Sent[] = []
  vi.stubGlobal('fetch', async (url: string, { headers, body }: { headers: Headers; body: string }) => {
    if (url.endsWith('/user/me')) return Response.json({ region: 'za', subscriptions: [] })
    if (url.endsWith('/sandbox/challenge')) return Response.json({ status: 'succeeded' })
    sent.push({ key: headers.get('idempotency-key'), body: JSON.parse(body) as Sent['body'] })
    const answer = list.shift()
    if (!answer) throw new TypeError('Failed to fetch')
    return answer.clone()
  })
  return sent
}
const press = (name: string | RegExp) => page.getByRole('button', { name }).click()
const charged = () => expect.poll(() => bought.mock.calls.length)

beforeEach(() => void (document.documentElement.dataset['region'] = 'za'))
afterEach(() => {
  vi.clearAllMocks()
})

it("a member pays a tenth less, in the region's currency [PET-5]", () => {
  expect(priceOf('za', 'annual', true)).toEqual({ amount: 1800_00, currency: 'zar' })
  expect(priceOf('au', 'monthly', true)).toEqual({ amount: 18_00, currency: 'aud' })
  expect(priceOf('za', 'annual', false)).toEqual({ amount: 2000_00, currency: 'zar' })
})

it('the button names the price and the card, and one click is one charge [PET-5]', async () => {
  const sent = answers(DONE)
  show()
  await expect.element(page.getByText('•••• 4242')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Pay R1 800 and add Bella' })).toBeVisible()
  await page.getByRole('radio', { name: /^Monthly/ }).click()
  await press('Pay R180 and add Bella')
  await charged().toBe(1)
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ key: expect.stringMatching(/^[\w-]+$/), body: { plan: 'monthly' } })
})

it('a purchase whose answer was lost is retried under the same key, even after a reload [PET-5]', async () => {
  const sent = answers(undefined, undefined, DONE)
  show()
  await press('Pay R1 800 and add Bella')
  await expect.element(page.getByText('We didn’t hear back about the payment')).toBeVisible()
  expect(page.getByRole('radio').elements()).toHaveLength(0)
  await press('Check and finish the payment')
  await expect.poll(() => sent.length).toBe(2)
  leave()
  show()
  await expect.element(page.getByText('We didn’t hear back about the payment')).toBeVisible()
  await press('Check and finish the payment')
  await charged().toBe(1)
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  expect(sent[2]!.body).toEqual(sent[0]!.body)
  expect(sessionStorage.getItem('purchase:pet')).toBe(null)
})

it('a refused card is explained, and the next try is a new purchase [PET-5]', async () => {
  const sent = answers(REFUSED, DONE)
  show()
  await press('Pay R1 800 and add Bella')
  await expect.element(page.getByText(ERRORS.CARD_REFUSED.message)).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'add another card in your profile' }))
    .toHaveAttribute('href', '/myaccount/profile#card')
  await press('Pay R1 800 and add Bella')
  await charged().toBe(1)
  expect(sent[0]!.key).not.toBe(sent[1]!.key)
})

it("the bank's question appears, and afterwards the dialog names what was paid for [PET-5]", async () => {
  const sent = answers(CHALLENGE, DONE)
  show()
  await press('Pay R1 800 and add Bella')
  await press('Confirm')
  await charged().toBe(1)
  expect(sent.map(({ body }) => body.purchase)).toEqual([undefined, 'p1'])
})

it("refusing the bank's question charges nothing, and the dialog says so [PET-5]", async () => {
  const sent = answers(CHALLENGE, CHALLENGE)
  show()
  await press('Pay R1 800 and add Bella')
  await press('Decline')
  await expect.element(page.getByText('Your bank didn’t confirm the payment', { exact: false })).toBeVisible()
  // Only the bank knows, so the page asks again.
  expect(sent.map(({ body }) => body.purchase)).toEqual([undefined, 'p1'])
  expect(bought).not.toHaveBeenCalled()
})

it('an owner without a card is sent to the profile [PET-6]', async () => {
  show(null)
  await expect.element(page.getByText('Add a card in your profile first')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Go to my profile' }))
    .toHaveAttribute('href', '/myaccount/profile#card')
})
