import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { sentenceOf } from '#contract/errors.ts'
import { HOUR } from '#contract/time.ts'
import { challengeOf, sampleConsultation, sampleToken } from '#test/samples.ts'
import type { QueueStatus } from '../consultations/wait.tsx'
import { watchLeaving } from '../test/leaving.ts'
import { mount, sampleSite } from '../test/mount.tsx'
import { lost, ok, refuse, takeTurns, type Turns } from '../test/turns.ts'
import { field, fillCard, TYPED } from '../payments/buyer.ts'
import type { SentConsult } from './sent-consult.ts'
import type { PurchaseTyped } from './purchase-rules.ts'
import { Purchase } from './purchase.tsx'

const QUEUE: QueueStatus = { open: true, on_duty: true, vets: 2, minutes: [2, 6], next: null, hours: null }
const SUCCEEDED = { status: 'succeeded', customer: { id: 'cus_1' }, purchase: 'p1' }

let sent: ReturnType<typeof takeTurns>
let left: string[]
let answers: Turns
const to = (path: string) => sent.filter((one) => one.path === path)

beforeEach(() => {
  left = watchLeaving()
  answers = {
    '/queue/status': [ok(QUEUE)],
    '/pet/all/breeds': [ok([{ id: 7, name: 'Labrador Retriever', species_id: 1 }])],
    '/sandbox/card': [ok({ token: 'tok_visa' })],
    '/pay': [ok(SUCCEEDED)],
    '/user/newUserConsultation': [ok({ consultation: { id: 41 }, token: 'a.single.token' })],
  }
  sent = takeTurns(answers)
})

let leave = () => {}
function show({
  path = '/chat-purchase?sign=none',
  queue = QUEUE,
}: { path?: string; queue?: typeof QUEUE } = {}) {
  history.replaceState(null, '', path)
  leave = mount(<Purchase queue={queue} />, { site: sampleSite })
}

const says = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()
const button = () => page.getByRole('button', { name: /^Pay/ })
const agree = () => page.getByRole('checkbox', { name: /^I agree/ }).click()
async function fillForm() {
  await page.getByRole('radio', { name: 'Dog' }).click()
  await field('Pet’s name').fill('Biscuit')
  await field('Breed').fill('labr')
  await page.getByRole('option', { name: 'Labrador Retriever' }).click()
  await field('Tell the vet what you see').fill('He ate chocolate.')
  await field('First name').fill('Thandi')
  await field('Last name').fill('Mokoena')
  await field('Email').fill('thandi@example.com')
  await field('Mobile number').fill('082 123 4567')
}
async function buy(path?: string) {
  sessionStorage.setItem(
    'draft:purchase',
    JSON.stringify({ ...TYPED, issue: 'He ate chocolate.' } satisfies Partial<PurchaseTyped>),
  )
  show(path ? { path } : {})
  await fillCard()
  await agree()
  await button().click()
}
/** Lets a test control the page's timers: they run as always, and `later` skips their waits. */
const holdTimers = () =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true })
const later = <T,>(look: () => T) =>
  expect.poll(() => {
    vi.advanceTimersByTime(1000)
    return look()
  })
const coupon = () =>
  ok({
    coupon: {
      code: 'TENOFF',
      amount_off: null,
      percent_off: 10,
      left_to_pay: null,
      length: null,
      plan: null,
    },
  })
const ROOM = ['/text-chat/41']
const arrives = () => expect.poll(() => left).toEqual(ROOM)

describe('somebody who is signed in', () => {
  beforeEach(() => {
    localStorage.setItem('vetchat', '{"remember":true}')
    localStorage.setItem('token', sampleToken())
    answers['/user/me'] = [
      ok({
        firstName: 'Thandi',
        lastName: 'M',
        email: 'thandi@example.com',
        mobile: '082',
        subscription: null,
      }),
    ]
  })
  const listed = (open: number) =>
    ok(
      [5, 6, 7].slice(0, open).map((id) => ({ ...sampleConsultation(id, `Pet ${id}`), unread: 0, said: '' })),
    )

  it('somebody who is signed in is asked nothing before it is known whether they are a member, and a member is sold nothing', async () => {
    document.documentElement.setAttribute('data-in', '')
    const member = Promise.withResolvers<Response>()
    const [lapsed] = answers['/user/me']!
    answers['/user/me'] = [() => member.promise]
    show({ path: '/chat-purchase' })
    await says('Checking for an open consult…')
    expect(page.getByRole('heading', { name: 'Which animal needs help?' }).query()).toBeNull()
    member.resolve(
      Response.json({ ...(await (await lapsed!()).json()), subscription: {}, can_consult: true }),
    )
    await says('Consults cost you nothing, Thandi')
    await expect.element(page.getByText('Checking for an open consult…')).not.toBeInTheDocument()
    await expect.element(button()).not.toBeInTheDocument()
  })

  it('somebody who is signed in sees the open consults instead of the form when there are three [SAF-4]', async () => {
    answers['/consultation/open'] = [listed(3)]
    show()
    await says('You already have 3 consults open')
    await expect
      .element(page.getByRole('link', { name: /^Pet 6, since/ }))
      .toHaveAttribute('href', '/text-chat/6')
    await expect.element(button()).not.toBeInTheDocument()
  })

  it('somebody who is signed in sees the open consults first, and buys a third for another pet [SAF-4]', async () => {
    answers['/consultation/open'] = [listed(2)]
    show()
    await says('Your consults are still open')
    await expect.element(button()).not.toBeInTheDocument()
    const another = page.getByRole('link', { name: 'For another pet, R450' })
    await expect.element(another).toHaveAttribute('href', '/chat-purchase?another')
    leave()
    show({ path: '/chat-purchase?another&sign=none' })
    await expect.element(button()).toBeVisible()
    expect(page.getByText('Your consults are still open').query()).toBeNull()
  })
})

describe('a guest', () => {
  const guestToken = sampleToken()
  const opened = (change: object = {}) =>
    ok([{ ...sampleConsultation(41, 'Biscuit'), unread: 0, said: '', ...change }])
  beforeEach(() => localStorage.setItem('singleToken', guestToken))

  it('a guest whose consult is open is led back to it before anything is sold [BUY-9]', async () => {
    answers['/consultation/open'] = [
      opened({ vet_name: 'Dr Naledi Demo', unread: 2, said: 'How heavy is she?' }),
    ]
    show()
    await says('Your consult is still open')
    await says('Dr Demo is with you')
    await says('“How heavy is she?”')
    await expect
      .element(page.getByRole('link', { name: 'Open the chat' }))
      .toHaveAttribute('href', '/text-chat/41')
    await expect.element(button()).not.toBeInTheDocument()
    expect(to('/consultation/open')).toHaveLength(1)
  })

  it('a guest whose consult has ended buys the next one, and public pages forget it [BUY-9]', async () => {
    answers['/consultation/open'] = [ok([])]
    show()
    await expect.element(button()).toBeVisible()
    await expect.poll(() => document.documentElement.hasAttribute('data-consult')).toBe(false)
  })
})

it('the contact details are checked before a consult is paid for [BUY-4]', async () => {
  show()
  await fillForm()
  await field('Mobile number').fill('082 12')
  await field('Email').fill('thandi@gmial.com')
  await page.getByRole('button', { name: 'Did you mean thandi@gmail.com?' }).click()
  await expect.element(field('Email')).toHaveValue('thandi@gmail.com')
  await expect.element(field('Email')).toHaveFocus()
  await agree()
  await fillCard()
  await button().click()
  await expect
    .element(field('Mobile number'))
    .toHaveAccessibleDescription(expect.stringContaining(sentenceOf('PHONE_TOO_SHORT')) as unknown as string)
  expect(to('/pay')).toEqual([])
})

it('without a connection, nothing is charged, and paying continues once the buyer agrees [BUY-9]', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await buy()
  await says('No connection. Nothing was charged.')
  expect(to('/sandbox/card')).toEqual([])
  online.mockReturnValue(true)
  dispatchEvent(new Event('online'))
  await says('You’re back online. Nothing was charged.')
  expect(to('/pay')).toEqual([])
  await page.getByRole('button', { name: 'Pay R450 and start chat' }).first().click()
  await arrives()
  expect(page.getByText('Failed to validate provided card details').query()).toBeNull()
})

it("the form can't be submitted until the terms are accepted [BUY-2]", async () => {
  show()
  await expect.element(button()).toHaveAttribute('aria-disabled', 'true')
  await expect.element(button()).toHaveAccessibleDescription('Next: which animal')
  await fillForm()
  await expect.element(button()).toHaveAccessibleDescription('Please accept the terms first.')
  await agree()
  await expect.element(button()).not.toHaveAttribute('aria-disabled')
  await expect.element(button()).toHaveAccessibleName('Pay R450 and start chat')
})

it('the form says beside each field what is missing, and focuses the first [BUY-4]', async () => {
  show()
  await agree()
  await page.getByRole('radio', { name: 'Dog' }).click()
  await field('Email').fill('thandi@')
  await expect.element(page.getByRole('textbox', { name: 'Card number' })).toBeVisible()
  await button().click()
  for (const [label, code] of [
    ['Pet’s name', 'PET_NAME_MISSING'],
    ['Breed', 'PET_BREED_MISSING'],
    ['Tell the vet what you see', 'PET_ISSUE_MISSING'],
    ['First name', 'FIRST_NAME_MISSING'],
    ['Last name', 'LAST_NAME_MISSING'],
    ['Email', 'INVALID_EMAIL'],
    ['Mobile number', 'PHONE_MISSING'],
    ['Card number', 'CARD_MISSING'],
  ] as const)
    await expect
      .element(field(label))
      .toHaveAccessibleDescription(expect.stringContaining(sentenceOf(code)) as unknown as string)
  await expect.element(field('Pet’s name')).toHaveFocus()
  expect(to('/pay')).toEqual([])
})

it('the form asks for the species, which can be other than dog or cat [BUY-4] [BUY-12]', async () => {
  show()
  await agree()
  await button().click()
  await expect.element(page.getByRole('radio', { name: 'Dog' })).toHaveFocus()
  await page.getByRole('radio', { name: 'Other' }).click()
  await button().click()
  await expect.element(field('Which animal?')).toHaveAccessibleDescription(sentenceOf('PET_TYPE_MISSING'))
  await field('Which animal?').selectOptions('Rabbit')
  expect(page.getByLabelText('Breed').elements()).toEqual([])
})

it('the form says to go to a clinic as soon as what was written reads as an emergency, and can still be paid [TRI-1]', async () => {
  const flag = {
    level: 'emergency',
    told: 'cannot breathe',
    reason: 'Minutes count.',
    advice: ['Keep her calm.'],
    reviewed: null,
  }
  answers['/urgency/read'] = [ok({ flag })]
  show()
  await field('Tell the vet what you see').fill('She cannot breathe')
  await field('First name').click()
  await says('Go to a clinic now')
  await says('Keep her calm.')
  expect(to('/urgency/read').map(({ body }) => body)).toEqual([
    { species_id: null, query: 'She cannot breathe' },
  ])
  await expect.element(button()).toBeVisible()
})

it('the form has a trap field that people can neither see nor reach [BUY-5]', async () => {
  show()
  await expect.element(button()).toBeVisible()
  const trap = document.querySelector<HTMLInputElement>('input[name=website]')!
  expect([trap.tabIndex, trap.closest('[aria-hidden=true]') !== null]).toEqual([-1, true])
  expect(trap.getBoundingClientRect().right).toBeLessThan(0)
})

it('the form says before anything is typed how long the wait may be, and what happens if it is longer [CON-13]', async () => {
  show()
  await expect.element(page.getByText('2 vets are on duty. One should join in 2 to 6 minutes.')).toBeVisible()
  expect(document.body.textContent).toContain('A vet joins within 15 minutes.')
  // A status would be read out with every new minute, while somebody types.
  expect(page.getByText('2 to 6 minutes', { exact: true }).element().closest('[role=status]')).toBe(null)
  leave()
  show({ queue: { ...QUEUE, vets: 1, minutes: [9, 40] } })
  await says(
    /A vet is on duty, and should join in 9 to 40 minutes\. It may take longer than the 15 minutes we promise\. Then we’ll refund whatever you paid automatically/,
  )
  expect(document.body.textContent).not.toContain('A vet joins within')
  leave()
  show({ queue: { ...QUEUE, vets: 1, minutes: [20, 40] } })
  await says(/in 20 to 40 minutes\. It will probably take longer than the 15 minutes we promise\. Then we’ll/)
  expect(document.body.textContent).toContain(
    'If no vet joins within 15 minutes, we refund your R450 automatically.',
  )
})

it('the form says up front that no vet is available, and offers a mail when one is back [BUY-13]', async () => {
  const queue = { ...QUEUE, on_duty: false, vets: 0, minutes: null }
  answers['/queue/status'] = [ok(queue)]
  show({ path: '/chat-purchase', queue })
  await expect.element(page.getByRole('heading', { name: 'Which animal needs help?' })).toBeVisible()
  await says('No vet is on duty right now')
  await expect.element(field('Your email')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Email me when a vet is back' })).toBeVisible()
})

it('a coupon comes with a link, changes the price straight away, and stays removed [BUY-8]', async () => {
  answers['/pay/coupon'] = [coupon()]
  show({ path: '/chat-purchase?sign=none&coupon=tenoff' })
  await says('Coupon applied. You save R45.')
  await agree()
  await expect.element(button()).toHaveAccessibleName('Pay R405 and start chat')
  await page.getByRole('button', { name: 'Remove tenoff' }).click()
  await expect.element(button()).toHaveAccessibleName('Pay R450 and start chat')
  expect(location.search).toBe('?sign=none')
})

it('a coupon whose lookup was lost takes nothing off and says so, until Apply finds it [BUY-8]', async () => {
  answers['/pay/coupon'] = [lost, refuse('TOO_MANY_TRIES'), coupon()]
  show({ path: '/chat-purchase?sign=none&coupon=tenoff' })
  await says('We couldn’t check the code. Please try again.')
  expect(page.getByText('Coupon applied').query()).toBeNull()
  await page.getByRole('button', { name: 'Apply' }).click()
  await says(sentenceOf('TOO_MANY_TRIES'))
  await page.getByRole('button', { name: 'Apply' }).click()
  await says('Coupon applied. You save R45.')
})

it("paying shows a single message when the bank's question is closed [BUY-6]", async () => {
  answers['/pay'] = [
    ok({ ...SUCCEEDED, status: 'requires_action', client_secret: 'secret' }),
    refuse('PAYMENT_FAILED'),
  ]
  answers['/sandbox/challenge'] = [ok({ status: 'requires_payment_method' })]
  await buy()
  await page.getByRole('button', { name: 'Decline' }).click()
  await says('Your bank didn’t confirm the payment, so nothing was charged.')
  expect(page.getByText(/Nothing was charged|Failed to make a payment/).elements()).toEqual([])
})

it('paying finishes automatically when the bank needs a while [BUY-6]', async () => {
  holdTimers()
  answers['/pay'] = [ok({ ...SUCCEEDED, status: 'processing' }), ok(SUCCEEDED)]
  await buy()
  await says('Your bank is still working on it')
  await later(() => left).toEqual(ROOM)
  expect(to('/user/newUserConsultation')).toHaveLength(1)
})

it('paying sends the same request again after a lost answer, and says so [BUY-9]', async () => {
  holdTimers()
  answers['/pay'] = [lost, () => Response.json({}, { status: 502 }), ok(SUCCEEDED)]
  answers['/user/newUserConsultation']!.unshift(lost)
  await buy()
  await says('We can’t reach VetChat')
  await page.getByRole('button', { name: 'Try now' }).click()
  await later(() => left).toEqual(ROOM)
  expect(new Set(to('/pay').map(({ key, body }) => key + JSON.stringify(body))).size).toBe(1)
  expect(to('/pay')).toHaveLength(3)
})

it('paying continues an unfinished purchase in a second tab [BUY-9]', async () => {
  answers['/pay'] = [lost]
  await buy()
  await says('We can’t reach VetChat')
  const kept = JSON.parse(sessionStorage.getItem('purchase:consult')!) as SentConsult
  leave()
  sessionStorage.clear()
  answers['/pay'] = [ok(SUCCEEDED)]
  // Held timers stand still while the page is busy, so the other tab's answer isn't too late.
  holdTimers()
  const other = new BroadcastChannel('vetchat:purchase')
  other.addEventListener('message', ({ data }) => data === 'anyone?' && other.postMessage(kept))
  show()
  await arrives()
  other.close()
  expect(to('/pay').at(-1)!.key).toBe(kept.key)
})

it.each([
  [45_000, 'You’d started to pay', 'Check and finish the payment'],
  [0, 'You’d started a consult', 'Check and start the consult'],
])(
  'a purchase of %s cents that was left unfinished long ago continues only when the buyer presses the button [BUY-9]',
  async (amount, title, name) => {
    answers['/human'] = [ok(await challengeOf(42))]
    answers['/pay'] = [lost]
    await buy()
    await says('We can’t reach VetChat')
    leave()
    const kept = JSON.parse(sessionStorage.getItem('purchase:consult')!) as SentConsult
    sessionStorage.setItem(
      'purchase:consult',
      JSON.stringify({ ...kept, input: { ...kept.input, amount }, at: kept.at - HOUR }),
    )
    answers['/pay'] = [ok(SUCCEEDED)]
    const before = to('/pay').length
    show()
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(title)
    await expect.element(page.getByText(/^Been here before/)).not.toBeVisible()
    expect(to('/pay')).toHaveLength(before)
    await page.getByRole('button', { name }).click()
    await arrives()
  },
)

it('a browser that blocks storage fills in the form and is charged nothing, because it couldn’t open the room [BUY-6] [BUY-9]', async () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  })
  await buy()
  await says('Nothing was charged')
  await says(/^This browser can’t store anything\./)
  expect(to('/pay')).toEqual([])
  vi.restoreAllMocks()
  await button().click()
  await arrives()
})

it('paying says what may be wrong with a coupon that was shown as applied [BUY-8]', async () => {
  answers['/pay'] = [refuse('COUPON_INVALID')]
  await buy()
  await says(/^Nothing was charged\. The coupon may be used up or expired, or belong to another email\./)
  await expect.element(field('Pet’s name')).toHaveValue('Biscuit')
})

it('paying no longer shows a coupon as applied once it has expired, and sells at the full price [BUY-8]', async () => {
  holdTimers()
  answers['/pay/coupon'] = [coupon(), refuse('COUPON_INVALID')]
  answers['/pay'] = [refuse('COUPON_INVALID'), ok(SUCCEEDED)]
  await buy('/chat-purchase?sign=none&coupon=tenoff')
  await expect.element(button()).toHaveAccessibleName('Pay R450 and start chat')
  expect(page.getByText('Coupon applied').query()).toBeNull()
  await later(() => field('Card number').query()).not.toBeNull()
  await fillCard()
  await button().click()
  await arrives()
  expect(to('/pay').map(({ body }) => body['amount'])).toEqual([40_500, 45_000])
})

it('paying leads to the consult that another tab bought at the same moment, and otherwise says what happened [BUY-9]', async () => {
  const paid = refuse('CONSULT_PAID_ALREADY')
  answers['/pay'] = [paid]
  await buy()
  await says(sentenceOf('CONSULT_PAID_ALREADY'))
  expect(left).toEqual([])
  leave()
  answers['/pay'] = [
    () => {
      localStorage.setItem('singleToken', sampleToken())
      return paid()
    },
  ]
  await buy()
  await expect.poll(() => left).toEqual([location.pathname + location.search])
})

it('paying says Paying while the provider checks the card [BUY-6]', async () => {
  const card = Promise.withResolvers<Response>()
  answers['/sandbox/card'] = [() => card.promise]
  await buy()
  await expect.element(page.getByRole('button', { name: 'Paying…' })).toBeVisible()
  expect(to('/pay')).toEqual([])
  card.resolve(Response.json({ token: 'tok_visa' }))
  await arrives()
})

it('paying shows an error beside the card when the card form refuses it [BUY-7]', async () => {
  answers['/sandbox/card'] = [refuse('CARD_REFUSED')]
  await buy()
  await says('Failed to validate provided card details, try again.')
  expect(to('/pay')).toEqual([])
})

it('paying shows another price on the button before anything is charged [BUY-8]', async () => {
  const price = { amount: 48_000, currency: 'zar' }
  answers['/pay'] = [refuse('price_changed', { price, errors: ['The price is now R480.'] }), ok(SUCCEEDED)]
  await buy()
  await expect.element(page.getByRole('alert').filter({ hasText: 'The price is now R480.' })).toBeVisible()
  await expect.element(button()).toHaveAccessibleName('Pay R480 and start chat')
  expect(left).toEqual([])
  await button().click()
  await arrives()
  expect(to('/pay').map(({ body }) => body['amount'])).toEqual([45_000, 48_000])
})

it('paying leaves what was typed for the form in which the buyer may join, without their consent [JOI-3]', async () => {
  answers['/pay'] = [ok(SUCCEEDED)]
  await buy()
  await arrives()
  const draft = JSON.parse(sessionStorage.getItem('draft:joining')!) as Partial<PurchaseTyped>
  const { name, species, firstName, email, mobile } = TYPED
  expect(draft).toMatchObject({ name, species, firstName, email, mobile })
  for (const left of ['issue', 'agreed', 'shares', 'news']) expect(draft).not.toHaveProperty(left)
})

it("paying says that the money is safe when a paid consult doesn't open [BUY-9]", async () => {
  answers['/user/newUserConsultation'] = [
    refuse('PURCHASE_DIFFERS'),
    ok({ consultation: { id: 41 }, token: 'a.b.c' }),
  ]
  await buy()
  await says(/Your R450 is safe\. .* we’ll email you the link within ten minutes/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await arrives()
  expect(to('/pay')).toHaveLength(1)
})
