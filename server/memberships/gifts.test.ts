import { expect, it } from 'vitest'
import { giftCards, ledger, subscriptions } from '#server/db/schema.ts'
import { createWorld, type TestWorld } from '#test/world.ts'
import { promiseGift, cancelGift } from './gift-writes.ts'

const BOOKS = 'books@vetchat.example'
const world = await createWorld({
  env: { SHOP_NAME: 'za=Petculture|au=Petstock', LEDGER_EMAIL: BOOKS, SITES: 'au=http://au.localhost' },
})

type Member = Awaited<ReturnType<TestWorld['member']>>
const promise = ({ id, subscription, region }: Member, cardFingerprint: string | null) =>
  promiseGift(world.world, { userId: id, subscriptionId: subscription.id, region, cardFingerprint })
const gifts = (email: string) => world.mailsTo(email, 'gift card')
const codeIn = (text: string) => /[A-Z2-9]{4}(?:-[A-Z2-9]{4}){3}/.exec(text)![0]

it.each([
  ['za', 'R200', 'Petculture'],
  ['au', '$20', 'Petstock'],
] as const)(
  'a gift card in %s is mailed seven days after the payment, and is worth %s at %s [SUB-7]',
  async (region, worth, shop) => {
    const member = await world.member(region)
    expect(await promise(member, `card-${region}`)).toMatchObject({ shop })
    world.advance({ days: 6, hours: 23 })
    expect(await gifts(member.email)).toEqual([])
    world.advance({ hours: 2 })
    const [letter, ...more] = await gifts(member.email)
    expect(more).toEqual([])
    expect(letter!.subject).toBe(`Your ${worth} gift card from ${shop}`)
    // The shop accepts only codes that it was told.
    const told = (await world.mailsTo(BOOKS)).filter(({ text }) => text.includes(codeIn(letter!.text)))
    expect(told.map(({ subject }) => subject)).toEqual([`Please add a gift card at ${shop}`])
    expect(told[0]!.text).toContain(worth)
    world.advance({ days: 30 })
    expect(await gifts(member.email)).toHaveLength(1)
  },
)

it('a gift card that was promised while the clock was a year ahead is mailed once it is right [SUB-7]', async () => {
  const member = await world.member()
  world.advance({ days: 365 })
  await promise(member, 'card-ahead')
  world.advance({ days: -365, minutes: 1 })
  expect(await gifts(member.email)).toHaveLength(1)
})

it('a gift card is given once per person and per card [SUB-7]', async () => {
  const [member, other] = [await world.member(), await world.member()]
  expect(await promise(member, 'card-once')).not.toBeNull()
  expect(await promise(member, 'card-another')).toBeNull()
  expect(await promise(other, 'card-once')).toBeNull()
  expect(await promise(other, null)).toBeNull()
})

it('a gift card also comes with a membership that was bought for a pet [SUB-7]', async () => {
  const member = await world.memberWithCard()
  const [bought] = await world.mailsTo(member.email, 'membership bought')
  expect(bought!.text).toContain('A gift card of R200 from Petculture is on its way')
  world.advance({ days: 8 })
  expect(await gifts(member.email)).toHaveLength(1)
})

it('a gift card that is still due is cancelled by a refund [SUB-7]', async () => {
  const member = await world.member()
  await promise(member, 'card-refund')
  await cancelGift(world.world, member.subscription.id)
  world.advance({ days: 8 })
  expect(await world.mailsTo(member.email)).toEqual([])
  expect(await promise(member, 'card-refund')).toBeNull()
})

it('a gift card waits while its payment is disputed [SUB-7]', async () => {
  const member = await world.member()
  await promise(member, 'card-disputed')
  const moved = {
    amount: 200_000,
    currency: 'zar',
    region: 'za',
    what: 'membership',
    subscriptionId: member.subscription.id,
    at: world.now(),
  } as const
  const charge = await world.add(ledger, { ...moved, kind: 'charge', stripeId: 'pi_disputed' })
  const about = { ...moved, chargeId: charge.id }
  await world.add(ledger, { ...about, amount: -200_000, kind: 'dispute', stripeId: 'dp_1' })
  world.advance({ days: 8 })
  expect(await gifts(member.email)).toEqual([])
  await world.add(ledger, { ...about, kind: 'dispute_won', stripeId: 'dp_1 won' })
  world.advance({ days: 1 })
  expect(await gifts(member.email)).toHaveLength(1)
})

it('a gift card that was sent is withdrawn by a refund, once, and staff ask the shop to stop it [SUB-7]', async () => {
  const member = await world.member()
  await promise(member, 'card-late')
  world.advance({ days: 8 })
  const code = codeIn((await gifts(member.email))[0]!.text)
  await cancelGift(world.world, member.subscription.id)
  await cancelGift(world.world, member.subscription.id)
  const last = await world.mailsTo(member.email, 'gift taken back')
  expect(last).toHaveLength(1)
  expect(last[0]!.text).toContain(code)
  const toStop = (await world.mailsTo(BOOKS)).filter(
    ({ subject, text }) => subject.includes('cancel') && text.includes(code),
  )
  expect(toStop).toHaveLength(1)
})

it('a gift card is not given if the membership ended before [SUB-7]', async () => {
  const member = await world.member()
  await promise(member, 'card-ended')
  await world.change(subscriptions, member.subscription.id, {
    status: 'canceled',
    end: world.now(),
    endedAt: world.now(),
  })
  world.advance({ days: 8 })
  expect(await gifts(member.email)).toEqual([])
  const [row] = await world.rows(giftCards, { userId: member.id })
  expect([row!.code, row!.takenBackAt === null]).toEqual([null, false])
})

it('a gift card is not given in a region without a shop [SUB-7]', async () => {
  const bare = await createWorld({ env: { SHOP_NAME: 'Petculture', SITES: 'au=http://au.localhost' } })
  const { id, subscription, region } = await bare.member('au')
  const payment = { userId: id, subscriptionId: subscription.id, region, cardFingerprint: 'card-bare' }
  expect(await promiseGift(bare.world, payment)).toBeNull()
  expect(await bare.db.select().from(giftCards)).toEqual([])
})
