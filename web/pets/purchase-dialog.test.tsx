import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import { subscribePet } from '#contract/payments.ts'
import { sampleRabbit } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { ok, refuse, takeTurns, type Turn } from '../test/turns.ts'
import { myPaymentMethod } from '../payments/queries.ts'
import { priceOf, PurchaseDialog } from './purchase-dialog.tsx'

const VISA = { object: 'card' as const, brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2029 }
const bella = { ...sampleRabbit('Bella'), microchip: '' }
const DONE = ok({ pet: { id: 6 }, subscription: { id: 2 } })
const CHALLENGE = ok({ status: 'requires_action', client_secret: 'secret', purchase: 'p1' })
const REFUSED = refuse('CARD_REFUSED')

const bought = vi.fn()
function show(card: typeof VISA | null = VISA) {
  const input = { pet: bella, agreed: true, terms: '1' }
  mount(<PurchaseDialog input={input} isMember onBought={bought} onClose={() => {}} />, {
    known: [[myPaymentMethod.queryKey, card]],
  })
}

/** Answers purchases in this order, and returns what they sent. */
function answers(...turns: Turn[]) {
  const sent = takeTurns({
    '/user/me': [ok({ region: 'za', subscriptions: [] })],
    '/sandbox/challenge': [ok({ status: 'succeeded' })],
    [subscribePet.path]: turns,
  })
  return () => sent.filter(({ path }) => path === subscribePet.path)
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
  expect(sent()[0]!.key).not.toBe(sent()[1]!.key)
})

it("refusing the bank's question charges nothing, and the dialog says so [PET-5]", async () => {
  const sent = answers(CHALLENGE, CHALLENGE)
  show()
  await press('Pay R1 800 and add Bella')
  await press('Decline')
  await expect.element(page.getByText('Your bank didn’t confirm the payment', { exact: false })).toBeVisible()
  // Only the bank knows, so the page asks again.
  expect(sent().map(({ body }) => body['purchase'])).toEqual([undefined, 'p1'])
  expect(bought).not.toHaveBeenCalled()
})

it('an owner without a card is sent to the profile [PET-6]', async () => {
  show(null)
  await expect.element(page.getByText('Add a card in your profile first')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Go to my profile' }))
    .toHaveAttribute('href', '/myaccount/profile#card')
})
