import { useQuery } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import type { Subscription } from '#contract/memberships.ts'
import { DAY } from '#contract/time.ts'
import { sampleMembership, samplePet } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { lost, refuse, type Turn } from '../test/turns.ts'
import { answerCalls } from '../test/visit.tsx'
import { currentUser } from '../lib/current-user.ts'
import { correctClock } from '../lib/session.ts'
import { myPets } from '../pets/queries.ts'
import { AlertProvider } from '../ui/alert-bar.tsx'
import { MembershipCard } from './membership-card.tsx'
import { actionOf, isManaged, shownOf, standingOf } from './standing.tsx'

const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()
const renews = inDays(100)

const active = sampleMembership(renews, { pets: [1, 2] })
const ending = { ...active, end: renews }
const ended = {
  ...active,
  stripeData: { ...active.stripeData, status: 'canceled' },
  end: inDays(-3),
  ended_at: inDays(-3),
}
const unpaid = {
  ...active,
  stripeData: { ...active.stripeData, status: 'past_due' },
  grace_end: inDays(5),
}
const partners = { ...active, source: 'petstock', subs_id: 'ps_7', stripe_subscription: null }

const SNAKE = samplePet(4, 'Sly', {
  species_id: 9,
  cover: { state: 'not_eligible', from: null, why: 'species' },
})
const PETS = [samplePet(1, 'Biscuit'), samplePet(2, 'Mielie'), samplePet(3, 'Nala'), SNAKE]

interface Sent {
  body: unknown
  key: string | null
}

/** Stands in for the server: its data, the requests it got, and its next responses. */
function serve(first: Subscription[], answers: Turn[] = []) {
  const server = { has: first, sent: [] as Sent[] }
  answerCalls((path, body, key) => {
    if (path === '/user/me') return { subscriptions: server.has }
    if (path === '/pet') return PETS
    expect(path).toBe('/subscription/manage')
    const sent = body as { action: string; subscription: number }
    server.sent.push({ body: sent, key })
    const answer = answers.shift()
    if (answer) return answer()
    const end = sent.action === 'cancel' ? renews : null
    server.has = server.has.map((one) => (one.id === sent.subscription ? { ...one, end } : one))
    return server.has[0]
  })
  return server
}

function Shown() {
  const { data } = useQuery(currentUser)
  return data ? <MembershipCard all={data.subscriptions} /> : null
}

function show(has: Subscription[], answers?: Parameters<typeof serve>[1]) {
  const server = serve(has, answers)
  mount(
    <AlertProvider>
      <Shown />
    </AlertProvider>,
    { known: [[myPets.queryKey, PETS]] },
  )
  return server
}

const button = (name: string) => page.getByRole('button', { name })
const says = (words: string | RegExp) => expect.element(page.getByText(words).first()).toBeVisible()
/** The card has a button of the same name; the innermost dialog's comes last. */
const press = (name: string) => button(name).last().click()

it('a membership is active, ending, ended or unpaid [SUB-1] [SUB-2]', () => {
  expect([active, ending, ended, unpaid].map((one) => standingOf(one))).toEqual([
    'active',
    'ending',
    'ended',
    'unpaid',
  ])
  expect([active, ending, { ...ending, disputed: true }, ended, unpaid, partners].map(actionOf)).toEqual([
    'cancel',
    'restart',
    undefined,
    undefined,
    'cancel',
    undefined,
  ])
  expect([active, partners, { ...active, source: 'insurer' }].map(isManaged)).toEqual([false, true, true])
})

it('a phone with a wrong clock shows what the server would [SUB-1] [SUB-2]', async () => {
  const cancelled = { ...ended, end: renews }
  correctClock(new Date(Date.parse(renews) + DAY).toUTCString())
  expect([cancelled, { ...cancelled, end: inDays(200) }].map(standingOf)).toEqual(['ended', 'ending'])
  show([cancelled])
  await says(/^This plan has ended/)
})

it('a disputed membership says why it can’t be restarted, and offers nothing that would be refused [SUB-2]', async () => {
  show([{ ...ending, disputed: true }])
  await says(/^Your bank took back a payment for this membership, so it can’t be restarted/)
  await press('Manage Subscription')
  await expect.element(page.getByRole('dialog').getByText(/^Your bank took back a payment/)).toBeVisible()
  await expect.element(button('Restart')).not.toBeInTheDocument()
})

it('the current membership is shown, or else the last one [ACC-3]', () => {
  const further = { ...active, id: 2 }
  expect(shownOf([ended, active, further])).toEqual([active, further])
  expect(shownOf([{ ...ended, id: 9 }, ended])).toEqual([ended])
  const before = { ...ended, id: 9, end: inDays(-90) }
  expect(shownOf([ended, before])).toEqual([ended])
  expect(shownOf([])).toEqual([])
})

it("a partner's membership can't be changed here [SUB-3]", async () => {
  show([partners])
  await says('Your partner manages this membership. Please ask them to change it.')
  expect(page.getByRole('button').elements()).toEqual([])
})

it('each of several memberships is listed with its pets [ACC-3] [PET-5]', async () => {
  show([active, { ...active, id: 2, pets: [3], plan: 'monthly', price: 180_00 }])
  await says('Biscuit and Mielie')
  await says('Nala')
  await says('R180')
  await button('Manage Subscription').click()
  await expect.element(page.getByRole('group', { name: 'Membership for Nala' })).toBeVisible()
  await says(/^A pet can move to a free place on another membership: cancel its own/)
})

it('an unpaid membership that is cancelled ends straight away, and the dialog says so [SUB-3]', async () => {
  show([unpaid])
  await button('Manage Subscription').click()
  await press('Cancel membership')
  await says('straight away')
  await expect.element(page.getByText('The unpaid R2\u00a0000 won’t be charged.')).toBeVisible()
})

it('a lost answer is reported, and the same request is sent again [SUB-3]', async () => {
  const server = show(
    [active],
    [lost, () => Response.json({ errors: ['VetChat is restarting.'] }, { status: 503 })],
  )
  await button('Manage Subscription').click()
  await press('Cancel membership')
  await press('Cancel membership')
  await says(ERRORS.SUBSCRIPTION_UPDATE_FAILED.message)
  await says('VetChat didn’t respond. It’s safe to try again: nothing will be done twice.')
  await press('Cancel membership')
  await says('VetChat is restarting.')
  await press('Cancel membership')
  await says('Subscription updated successfully.')
  const keys = server.sent.map(({ key }) => key)
  expect(keys).toHaveLength(3)
  expect(keys[0]).toMatch(/^[\w-]{20,}$/)
  expect(new Set(keys).size).toBe(1)
})

it('an owner who closes the dialog meanwhile still learns how it ended [SUB-3]', async () => {
  const late = Promise.withResolvers<Response>()
  show([active], [() => late.promise])
  await button('Manage Subscription').click()
  await press('Cancel membership')
  await press('Cancel membership')
  await expect.element(button('Keep it')).not.toBeInTheDocument()
  await press('Close')
  await expect.element(page.getByText(/^Everything continues until/)).not.toBeInTheDocument()
  late.resolve(await refuse('SUBSCRIPTION_MANAGED_BY_PARTNER')())
  await says(ERRORS.SUBSCRIPTION_UPDATE_FAILED.message)
})

it("a refusal is shown in the server's words, and the next try is a new request [SUB-3]", async () => {
  const server = show([active], [refuse('SUBSCRIPTION_MANAGED_BY_PARTNER')])
  await button('Manage Subscription').click()
  await press('Cancel membership')
  await press('Cancel membership')
  await says(ERRORS.SUBSCRIPTION_UPDATE_FAILED.message)
  await says(ERRORS.SUBSCRIPTION_MANAGED_BY_PARTNER.message)
  await press('Cancel membership')
  await says('Subscription updated successfully.')
  expect(new Set(server.sent.map(({ key }) => key)).size).toBe(2)
})

it('the dialog says what ends when, PawCare for covered pets only, and keeping the membership moves the focus back [SUB-2] [SUB-3]', async () => {
  const server = show([{ ...active, pets: [1, 2, SNAKE.id] }])
  await button('Manage Subscription').click()
  await press('Cancel membership')
  await says(/^Everything continues until .*: consults, and PawCare for Biscuit and Mielie\.$/)
  await says('It ends at that moment. PawCare doesn’t pay for anything that happens afterwards.')
  await says('The next payment of R2\u00a0000 won’t be charged.')
  await says('Your pets’ records and your past consults stay in your account.')
  await press('Keep it')
  await expect.element(button('Cancel membership')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Manage Subscription')).toHaveFocus()
  expect(server.sent).toEqual([])
})
