import { createRef } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DAY } from '#contract/time.ts'
import { choose } from '../lib/session.ts'
import { mount, sampleSite } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import { CardForm } from './card-form.tsx'
import type { CardHandle } from './card-handle.ts'
import type { Pays } from './wallet.tsx'
import { ageOfCard, groupedNumber, spacedExpiry, wrongCard } from './card-rules.ts'

const now = new Date(2026, 10, 21)
const good = { number: '4242 4242 4242 4242', expiry: '09 / 31', code: '123' }

it.each([
  ['4242424242424242', '4242 4242 4242 4242'],
  ['4242-4242-4242-4242 77', '4242 4242 4242 4242'],
  ['378282246310005', '3782 822463 10005'],
  ['3056930009020004', '3056 9300 0902 0004'],
  ['6200000000000000003', '6200 0000 0000 0000 003'],
  ['42424', '4242 4'],
])('the number %s is grouped as on its card [PRO-4]', (typed, spaced) =>
  expect(groupedNumber(typed)).toBe(spaced),
)

it.each([
  ['9', '09 / '],
  ['1', '1'],
  ['12', '12 / '],
  ['1/', '01 / '],
  ['09 / 3', '09 / 3'],
  ['0931', '09 / 31'],
  ['9/31', '09 / 31'],
  ['09/2031', '09 / 31'],
  ['092031', '09 / 31'],
  ['2031-09', '09 / 31'],
])('the date %s is read however it is written [PRO-4]', (typed, spaced) =>
  expect(spacedExpiry(typed)).toBe(spaced),
)

it.each([
  [{ number: '', expiry: '', code: '' }, ['number', 'expiry', 'code']],
  [{ ...good, number: '4242 4242 4242 424' }, ['number']],
  [{ ...good, number: '4242 4242 4242 4243' }, ['number']],
  [{ ...good, expiry: '10 / 26' }, ['expiry']],
  [{ ...good, expiry: '13 / 31' }, ['expiry']],
  [{ ...good, expiry: '09 / 99' }, ['expiry']],
  [{ ...good, code: '12' }, ['code']],
  [{ number: '3782 822463 10005', expiry: '09 / 31', code: '123' }, ['code']],
  [{ number: '3782 822463 10005', expiry: '11 / 26', code: '1234' }, []],
  [good, []],
])('what is wrong with a card is shown beside its part [PRO-4]', (typed, parts) =>
  expect(Object.keys(wrongCard(typed, now))).toEqual(parts),
)

it('a card is good to the end of its month, and shown as ending two months before [PRO-4]', () => {
  const age = (exp_month: number, exp_year: number) => ageOfCard({ exp_month, exp_year }, now)
  expect([age(10, 2026), age(11, 2026), age(12, 2026), age(1, 2027)]).toEqual([
    'expired',
    'soon',
    'soon',
    'good',
  ])
})

it('a card expires by the server’s clock where the device’s is wrong [PRO-4] [LOG-13]', () => {
  const lastYear = { exp_month: 12, exp_year: new Date().getFullYear() - 1 }
  expect(ageOfCard(lastYear)).toBe('expired')
  choose({ clock: -800 * DAY })
  expect(ageOfCard(lastYear)).toBe('good')
  choose({ clock: undefined })
})

interface PageProps {
  card: React.Ref<CardHandle>
  onToken: () => Promise<unknown>
  pays: Pays | undefined
}

function Page({ card, onToken, pays }: PageProps) {
  const form = useForm({ defaults: { note: '' }, draft: 'buy' })
  return (
    <Form form={form} onSubmit={onToken}>
      <TextField label="Note" {...form.field('note')} />
      <CardForm ref={card} pays={pays} />
      <button type="submit">Pay</button>
    </Form>
  )
}

let sent: ReturnType<typeof answerCalls>
beforeEach(() => void (sent = answerCalls(() => ({ token: 'tok_visa' }))))
afterEach(() => {
  delete window.Stripe
})

async function show(cardKey: string | null = null, pays?: Pays) {
  const card = createRef<CardHandle>()
  const tokens: string[] = []
  const onToken = async () => void tokens.push(await card.current!.token())
  mount(<Page card={card} onToken={onToken} pays={pays} />, { site: { ...sampleSite, cardKey } })
  await expect.element(page.getByRole('button', { name: 'Pay' })).toBeVisible()
  return tokens
}

const number = () => page.getByLabelText('Card number')
const expiry = () => page.getByLabelText('Expiry date')
const code = () => page.getByLabelText('Security code')
const pay = () => page.getByRole('button', { name: 'Pay' }).click()

it('typed digit by digit, the card becomes a token; its number goes to one call and nowhere else [PRO-4] [SHL-10]', async () => {
  const tokens = await show()
  await userEvent.type(page.getByLabelText('Note'), 'kept')
  await userEvent.type(number(), '4242424242424242')
  await userEvent.type(expiry(), '931')
  await userEvent.type(code(), '1234')
  await expect.element(number()).toHaveValue('4242 4242 4242 4242')
  await expect.element(expiry()).toHaveValue('09 / 31')
  await expect.element(code()).toHaveValue('123')
  expect(JSON.stringify([{ ...sessionStorage }, { ...localStorage }])).toContain('kept')
  expect(JSON.stringify([{ ...sessionStorage }, { ...localStorage }])).not.toMatch(/4242|931|123/)
  await pay()
  await expect.poll(() => tokens).toEqual(['tok_visa'])
  expect(sent).toEqual([
    ['/sandbox/card', { number: '4242424242424242', exp_month: 9, exp_year: 2031, cvc: '123' }],
  ])
  const fields = document.querySelectorAll<HTMLInputElement>('input[autocomplete^="cc-"]')
  expect([...fields].map(({ name, inputMode }) => [name, inputMode])).toEqual([
    ['', 'numeric'],
    ['', 'numeric'],
    ['', 'numeric'],
  ])
})

it('an empty card says what is missing and nothing is sent; a corrected part shows no error [PRO-4]', async () => {
  const tokens = await show()
  await pay()
  await expect.element(page.getByText('Missing / invalid payment card details.')).toBeVisible()
  await expect.element(number()).toHaveFocus()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await userEvent.type(number(), '3782 822463 10005')
  await expect.element(page.getByText(/Missing . invalid/)).not.toBeInTheDocument()
  await expect.element(page.getByText('4 digits, on the front')).toBeVisible()
  await userEvent.type(expiry(), '10/26')
  await userEvent.type(code(), '1234')
  await pay()
  await expect.element(page.getByText('This card has expired.')).toBeVisible()
  await expect.element(expiry()).toHaveFocus()
  expect([tokens, sent]).toEqual([[], []])
})

it('a digit in the middle can be corrected where the caret is [PRO-4]', async () => {
  await show()
  await userEvent.type(number(), '4242 2424 2424 2424')
  const input = number().element() as HTMLInputElement
  input.setSelectionRange(6, 6)
  await userEvent.keyboard('{Backspace}')
  expect([input.value, input.selectionStart]).toEqual(['4242 4242 4242 424', 4])
  await userEvent.keyboard('9')
  expect([input.value, input.selectionStart]).toEqual(['4242 9424 2424 2424', 6])
  await userEvent.type(expiry(), '0931')
  await userEvent.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}{Backspace}')
  await expect.element(expiry()).toHaveValue('09')
})

/** What the page asked the provider's script for, and its listeners. The page keeps the script once loaded. */
let listeners = new Map<string, (news: object) => void>()
let made: string[] = []
let canPay: object | null = null

/** Stands in for the provider's script. */
function theirScript(wallet: object | null = null) {
  listeners = new Map()
  made = []
  canPay = wallet
  window.Stripe = (key) => {
    made.push(key)
    const hears = (part: string) => (event: string, listen: (news: never) => void) =>
      void listeners.set(`${part} ${event}`, listen as never)
    const create = (part: string) => ({
      mount: () => queueMicrotask(() => listeners.get(`${part} ready`)?.({})),
      destroy: () => {},
      focus: () => made.push(`focus ${part}`),
      on: hears(part),
    })
    return {
      elements: () => ({ create }),
      createToken: () => Promise.resolve({ token: { id: 'tok_theirs' } }),
      handleNextAction: () => Promise.resolve({}),
      paymentRequest: ({ country, currency, total }) => {
        made.push(`wallet ${country} ${currency} ${total.amount}`)
        return {
          canMakePayment: () => Promise.resolve(canPay),
          update: ({ total }) => void made.push(`wallet ${total.amount}`),
          on: hears('wallet'),
        }
      },
    }
  }
  const append = vi.spyOn(document.head, 'append').mockImplementation((script) => {
    made.push((script as HTMLScriptElement).src)
    queueMicrotask(() => (script as HTMLScriptElement).dispatchEvent(new Event('load')))
  })
  return {
    tell: (what: string, news: object) => listeners.get(what)?.(news),
    loaded: () => append.mockRestore(),
  }
}

it("with a key the provider's own fields appear and give the token [PRO-4]", async () => {
  const { tell, loaded } = theirScript()
  const tokens = await show('pk_test_1')
  await expect.element(page.getByText(/^Your card goes straight to Stripe/)).toBeVisible()
  await expect.poll(() => made).toEqual(['https://js.stripe.com/v3/', 'pk_test_1'])
  loaded()
  await pay()
  await expect.element(page.getByText('Missing / invalid payment card details.')).toBeVisible()
  expect(made).toContain('focus cardNumber')
  for (const part of ['cardNumber', 'cardExpiry', 'cardCvc']) tell(`${part} change`, { complete: true })
  await pay()
  await expect.poll(() => tokens).toEqual(['tok_theirs'])
  expect(sent).toEqual([])
})

it('a buyer with Apple Pay or Google Pay pays with it, and types nothing [BUY-6]', async () => {
  const { tell } = theirScript({ applePay: true })
  const tokens = await show('pk_test_1', { amount: 39_900, currency: 'zar' })
  await expect.element(page.getByText('or pay by card')).toBeVisible()
  expect(made).toContain('wallet ZA zar 39900')
  const closed: string[] = []
  tell('wallet token', { token: { id: 'tok_wallet' }, complete: (how: string) => closed.push(how) })
  await expect.poll(() => tokens).toEqual(['tok_wallet'])
  expect(closed).toEqual(['success'])
  // A refused card isn't retried automatically: the fields are back.
  await expect.element(page.getByText('or pay by card')).toBeVisible()
  await pay()
  await expect.element(page.getByText('Missing / invalid payment card details.')).toBeVisible()
  expect(tokens).toEqual(['tok_wallet'])
})

it('a buyer without a wallet sees nothing about one [BUY-6]', async () => {
  theirScript()
  await show('pk_test_1', { amount: 39_900, currency: 'zar' })
  await expect.poll(() => made).toContain('wallet ZA zar 39900')
  await expect.element(page.getByText('or pay by card')).not.toBeVisible()
  await expect.element(page.getByText('Card number')).toBeVisible()
})
