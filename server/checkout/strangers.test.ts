import { beforeEach, expect, it } from 'vitest'
import { newUserConsultation, payForConsult } from '#contract/checkout.ts'
import { LIMITS, TRIES_AT_WORK } from '#contract/limits.ts'
import { sandboxChallenge } from '#contract/sandbox.ts'
import { coupons, mails as outbox } from '#server/db/schema.ts'
import { tryTake } from '#server/identity/limits.ts'
import { atOnce } from '#test/at-once.ts'
import { solved } from '#test/joining.ts'
import { openShop, order, person } from '#test/shop.ts'

const shop = await openShop()
const { world, visitor, begin } = shop
beforeEach(async () => void (await shop.duty(true)))

const declined = (n: number) =>
  order({ card: { token: 'tok_chargeDeclinedProcessingError' }, user: { ...person(), lastName: `N${n}` } })

const challenged = (lastName: string) =>
  order({ card: { token: 'tok_threeDSecure2Required' }, user: { ...person(), lastName } })

it("card testing needs a human check after two refusals behind an address, locks nobody out there, and doesn't check the same purchase twice [D23, SAF-5, BUY-9]", async () => {
  const buyer = visitor()
  for (let at = 0; at < 8; at++) {
    if (at >= LIMITS.paymentsUnchecked.max) {
      const unchecked = await buyer.send(payForConsult, declined(at))
      expect([unchecked.status, unchecked.body]).toMatchObject([403, { code: 'HUMAN_CHECK', human: 'pay' }])
      const userConfirmation = await solved(world, 'contact')
      expect(await buyer.refusal(payForConsult, { ...declined(at), userConfirmation })).toBe('HUMAN_CHECK')
    }
    const token = `tok_${['chargeDeclined', 'chargeDeclinedInsufficientFunds', 'visa_chargeDeclinedLostCard'][at % 3]}`
    const userConfirmation = await solved(world, 'pay')
    const reply = await buyer.send(payForConsult, order({ card: { token }, userConfirmation }))
    expect([402, 429]).toContain(reply.status)
  }
  expect(await buyer.refusal(payForConsult, order())).toBe('HUMAN_CHECK')
  const checked = order({ userConfirmation: await solved(world, 'pay') })
  const key = { 'idempotency-key': 'after-the-check' }
  const paid = await buyer.send(payForConsult, checked, key)
  expect(paid.status).toBe(200)
  // A page that is reloaded before the answer sends the purchase again, without the solution.
  const { userConfirmation: _, ...again } = checked
  expect((await buyer.send(payForConsult, again, key)).body).toEqual(paid.body)
  expect((await visitor().send(payForConsult, order())).status).toBe(200)
  world.advance({ minutes: LIMITS.paymentsUnchecked.minutes + 1 })
  expect((await visitor().send(payForConsult, order())).status).toBe(200)
})

it('card testing with one card has to wait after five refusals, from any address [BUY-9]', async () => {
  for (let n = 0; n < LIMITS.cardRefused.max; n++)
    expect((await visitor().send(payForConsult, declined(n))).status).toBe(402)
  expect(await visitor().refusal(payForConsult, declined(6))).toBe('TOO_MANY_TRIES')
  expect((await visitor().send(payForConsult, order())).status).toBe(200)
  world.advance({ minutes: LIMITS.cardRefused.minutes + 1 })
  expect((await visitor().send(payForConsult, declined(7))).status).toBe(402)
  world.advance({ minutes: LIMITS.cardRefused.minutes + 1 })
})

it('card testing with one card in a burst from many addresses is refused five times at most [BUY-9]', async () => {
  const burst = await atOnce(30, (at) => visitor().send(payForConsult, declined(30 + at)))
  expect(burst.filter(({ status }) => status === 402)).toHaveLength(LIMITS.cardRefused.max)
  expect(burst.filter(({ status }) => status === 429)).toHaveLength(30 - LIMITS.cardRefused.max)
  world.advance({ minutes: LIMITS.cardRefused.minutes + 1 })
})

it('card testing behind a shared address asks nothing of a browser that paid before [SAF-5]', async () => {
  const shared = `10.40.0.${Math.ceil(Math.random() * 250)}`
  const regular = world.nobody.from(shared)
  const reply = await regular.send(payForConsult, order())
  expect(reply.headers['set-cookie']).toMatch(
    /^vetchat_browser=[\w-]{44}; Path=\/api; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
  )
  const tester = () => world.nobody.from(shared)
  for (let n = 0; n < LIMITS.paymentsUnchecked.max; n++) await tester().send(payForConsult, declined(20 + n))
  expect((await tester().send(payForConsult, order())).status).toBe(403)
  const cookie = `vetchat_browser=${'a'.repeat(44)}`
  expect((await tester().send(payForConsult, order(), { cookie })).status).toBe(403)
  expect((await regular.send(payForConsult, order())).status).toBe(200)
})

it('card testing with challenges that nobody answers needs a human check after five behind an address [SAF-5]', async () => {
  const stranger = visitor()
  const answers = []
  for (let n = 0; n < 10; n++) answers.push(await stranger.send(payForConsult, challenged(`C${n}`)))
  const opened = answers.filter(({ status }) => status === 200)
  expect(opened).toHaveLength(LIMITS.challengesOpen.max)
  expect(new Set(answers.slice(opened.length).map(({ body }) => body.code))).toEqual(new Set(['HUMAN_CHECK']))
  world.advance({ minutes: LIMITS.challengesOpen.minutes + 1 })
  expect((await stranger.send(payForConsult, challenged('later'))).status).toBe(200)
  world.advance({ minutes: LIMITS.challengesOpen.minutes + 1 })
})

it('card testing with challenges that nobody answers makes the card wait after twenty, from any address [BUY-9]', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 25; n++)
    statuses.push((await visitor().send(payForConsult, challenged(`W${n}`))).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(LIMITS.cardChallenged.max)
  expect(statuses.slice(LIMITS.cardChallenged.max).every((status) => status === 429)).toBe(true)
  // Other cards pay meanwhile, also behind the same addresses.
  expect((await visitor().send(payForConsult, order())).status).toBe(200)
  world.advance({ minutes: LIMITS.cardChallenged.minutes + 1 })
})

it('card testing from hundreds of addresses needs a human check once many challenges are open, and a buyer with one solves it [SAF-6]', async () => {
  for (let n = 0; n < LIMITS.challengesOverAll.max; n++)
    await tryTake(world.world, 'challengesOverAll', 'everybody')
  expect(await visitor().refusal(payForConsult, challenged('M'))).toBe('HUMAN_CHECK')
  const userConfirmation = await solved(world, 'pay')
  expect((await visitor().send(payForConsult, order({ userConfirmation }))).status).toBe(200)
  world.advance({ minutes: LIMITS.challengesOverAll.minutes + 1 })
})

it('card testing with bursts from many addresses opens no more challenges of one card, and none over all without the check [SAF-6, BUY-9]', async () => {
  const burst = (n: number) => atOnce(n, (at) => visitor().send(payForConsult, challenged(`V${n} ${at}`)))
  const cards = await burst(40)
  expect(cards.filter(({ status }) => status === 200)).toHaveLength(LIMITS.cardChallenged.max)
  expect(cards.filter(({ status }) => status === 429)).toHaveLength(40 - LIMITS.cardChallenged.max)
  world.advance({ minutes: LIMITS.cardChallenged.minutes + 1 })
  const left = 5
  for (let n = left; n < LIMITS.challengesOverAll.max; n++)
    await tryTake(world.world, 'challengesOverAll', 'everybody')
  const all = await burst(15)
  expect(all.filter(({ status }) => status === 200)).toHaveLength(left)
  expect(all.filter(({ body }) => body.code === 'HUMAN_CHECK')).toHaveLength(15 - left)
  world.advance({ minutes: LIMITS.challengesOverAll.minutes + 1 })
})

it('one answer uncounts one challenge, however often the answer is sent at the same time [SAF-6]', async () => {
  const stranger = visitor()
  const opened = []
  for (let n = 0; n < LIMITS.challengesOpen.max; n++)
    opened.push((await stranger.send(payForConsult, challenged(`E${n}`))).body)
  const { client_secret, purchase } = opened[0]!
  await world.nobody.call(sandboxChallenge, { client_secret: client_secret!, succeed: true })
  const again = { ...challenged('E0'), purchase }
  await atOnce(10, () => stranger.send(payForConsult, again))
  const cookie = ''
  const next = async (n: number) =>
    (await stranger.send(payForConsult, challenged(`F${n}`), { cookie })).body.code
  expect([await next(0), await next(1)]).toEqual([undefined, 'HUMAN_CHECK'])
  world.advance({ minutes: LIMITS.challengesOpen.minutes + 1 })
})

it('card testing behind an address doesn’t stop a buyer’s second try, and an answered challenge no longer counts [SAF-5]', async () => {
  const buyer = visitor()
  for (let n = 0; n < 2; n++) expect((await buyer.send(payForConsult, challenged(`T${n}`))).status).toBe(200)
  world.advance({ minutes: LIMITS.challengesOpen.minutes + 1 })
  const other = visitor()
  for (let n = 0; n < 7; n++) {
    const { body } = await other.send(payForConsult, challenged(`A${n}`))
    expect(body).toMatchObject({ status: 'requires_action' })
    const passed = { client_secret: body.client_secret!, succeed: true }
    await world.nobody.call(sandboxChallenge, passed)
    const done = await other.send(payForConsult, { ...challenged(`A${n}`), purchase: body.purchase })
    expect(done.body.status).toBe('succeeded')
  }
})

it('card testing in a burst is stopped before the first refusal is known [SAF-5]', async () => {
  const shared = visitor()
  const burst = await atOnce(60, (n) =>
    shared.send(
      payForConsult,
      order({ card: { token: 'tok_chargeDeclined' }, user: { ...person(), lastName: `B${n}` } }),
    ),
  )
  const asked = burst.filter(({ body }) => body.code === 'HUMAN_CHECK')
  expect(asked.length).toBeGreaterThanOrEqual(60 - TRIES_AT_WORK - LIMITS.paymentsUnchecked.max)
})

it('card testing and a slow payment provider make no buyer wait for another behind the same address [SAF-5]', async () => {
  await shop.arm('slow', 4)
  const shared = `10.40.1.${Math.ceil(Math.random() * 250)}`
  const began = performance.now()
  const took = await Promise.all(
    ['visa', 'visa_debit', 'mastercard', 'amex'].map(async (brand) => {
      const sent = order({ card: { token: `tok_${brand}` } })
      expect((await world.nobody.from(shared).send(payForConsult, sent)).status).toBe(200)
      return performance.now() - began
    }),
  )
  // One after the other, the last would have taken four times as long as the first.
  expect(Math.max(...took)).toBeLessThan(2 * Math.min(...took))
})

it('a price of zero always takes the human check, and only so often from one address; paying buyers are let through [SAF-2]', async () => {
  const stranger = visitor()
  const blind = await stranger.send(payForConsult, await shop.free({ userConfirmation: null }))
  expect([blind.status, blind.body]).toMatchObject([403, { code: 'HUMAN_CHECK', human: 'pay' }])
  expect(
    (
      await stranger.send(
        payForConsult,
        await shop.free({ userConfirmation: await solved(world, 'contact') }),
      )
    ).status,
  ).toBe(403)
  for (let n = 0; n < LIMITS.freePurchases.max; n++)
    expect((await stranger.send(payForConsult, await shop.free())).status).toBe(200)
  const refused = await stranger.send(payForConsult, await shop.free())
  expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_FREE'])
  expect(refused.headers['retry-after']).toBeTruthy()
  expect((await stranger.send(payForConsult, order())).status).toBe(200)
  expect((await visitor().send(payForConsult, await shop.free())).status).toBe(200)
})

it('a price of zero fills no queue: strangers at many addresses get only so many with one coupon, and other buyers are let through [SAF-2]', async () => {
  const [free] = await world.rows(coupons, { code: 'FREECONSULT' })
  const known = visitor()
  await known.call(payForConsult, order())
  for (let n = 0; n < LIMITS.freeOfCoupon.max; n++)
    await tryTake(world.world, 'freeOfCoupon', String(free!.id))
  expect(await visitor().refusal(payForConsult, await shop.free())).toBe('TOO_MANY_FREE')
  expect((await visitor().send(payForConsult, order())).status).toBe(200)
  expect((await known.send(payForConsult, await shop.free())).status).toBe(200)
  world.advance({ minutes: LIMITS.freeOfCoupon.minutes })
  await shop.duty(true)
  expect((await visitor().send(payForConsult, await shop.free())).status).toBe(200)
})

it('a price of zero with one human check buys one consult, however often it is sent at the same time [SAF-2]', async () => {
  const { userConfirmation } = await shop.free()
  const ends = await atOnce(10, async () =>
    visitor().send(payForConsult, await shop.free({ userConfirmation: userConfirmation! })),
  )
  expect(ends.filter(({ status }) => status === 200)).toHaveLength(1)
})

it('a price of zero fills no mailbox: the consult begins, but its mails to one mailbox stop, whatever follows the plus sign [SAF-2]', async () => {
  const user = person()
  const most = LIMITS.begunMails.max
  for (let n = 0; n < most + 2; n++) {
    const buyer = visitor()
    const [name, domain] = user.email.split('@')
    const sent = await shop.free({ user: { ...user, email: `${name}+${n}@${domain}` } })
    const paid = await buyer.call(payForConsult, sent)
    const begun = begin(paid, sent, { emailSubscription: true })
    expect((await buyer.send(newUserConsultation, begun)).status).toBe(200)
  }
  await world.runDue()
  const all = await world.db.select().from(outbox)
  const theirs = all.filter(({ to }) => to.startsWith(`${user.email.split('@')[0]}+`))
  const mails = theirs.map(({ template }) => template).toSorted()
  expect(Object.groupBy(mails, (template) => template)).toEqual({
    'consult begun': Array(most).fill('consult begun'),
    newsletter: Array(LIMITS.newsletterEmail.max).fill('newsletter'),
  })
})
