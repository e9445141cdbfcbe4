import { createHmac } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { LIMITS } from '#contract/limits.ts'
import { GRACE_DAYS, providerSubscriptions } from '#contract/memberships.ts'
import { manageSubscription, myPaymentMethod, subscribePet, updatePaymentMethod } from '#contract/payments.ts'
import { listPets, putPetAway } from '#contract/pets.ts'
import { addDays } from '#contract/time.ts'
import {
  cards,
  customers,
  pawcarePets,
  providerEvents,
  sandboxDeliveries,
  subscriptionPets,
  subscriptions,
  users,
} from '#server/db/schema.ts'
import { membershipJobs } from '#server/memberships/jobs.ts'
import { followProvider } from '#server/memberships/writes.ts'
import { endMembershipsOf } from '#server/payments/writes.ts'
import { sampleRabbit } from '#test/samples.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

const world = await createWorld()

it("an owner and an admin read the provider's subscriptions, with these fields and no more [API-5]", async () => {
  const member = await world.member()
  const id = member.subscription.stripeSubscription
  for (const reader of [member, await world.admin()])
    expect(await reader.call(providerSubscriptions, { userId: member.id })).toEqual([
      { id, status: 'active', current_period_end: expect.any(String) },
    ])
})

it('the card on file is returned, or null [PRO-4]', async () => {
  const owner = await world.owner()
  const none = await owner.send(myPaymentMethod)
  expect([none.status, none.text]).toEqual([200, 'null'])
  await world.card(owner.id)
  expect(await owner.call(myPaymentMethod, {})).toEqual({
    object: 'card',
    brand: 'visa',
    last4: '4242',
    exp_month: 1,
    exp_year: 2031,
  })
})

type Member = Awaited<ReturnType<TestWorld['memberWithCard']>>
/** The clock has moved past the session's end, so the member signs in again. */
async function again(member: Member): Promise<Member> {
  const token = await world.signIn(member.id)
  return { ...member, ...world.nobody.with(token), token }
}
const membershipOf = async (member: Member) => (await (await again(member)).call(me, {})).subscriptions[0]!
const subjectsTo = async (member: Member) => (await world.mailsTo(member.email)).map(({ subject }) => subject)
const PAID = { stripeData: { status: 'active' }, grace_end: null, end: null }
const ENDED = { stripeData: { status: 'canceled' }, ended_at: expect.any(String) }
const act = (member: Pick<Member, 'call' | 'subscription'>, action: 'cancel' | 'restart') =>
  member.call(manageSubscription, { action, subscription: member.subscription.id })
/** Moves to this long after that moment. */
async function until(moment: string, { days = 0, minutes = 0 }: { days?: number; minutes?: number }) {
  await world.pass({ days, minutes, seconds: (Date.parse(moment) - world.now().getTime()) / 1000 })
}
/** Day by day, until nothing more is due. */
async function daysLater(days: number) {
  for (let day = 0; day < days; day++) await world.pass({ days: 1 })
  await world.runDue()
}

it('cancelling takes one press, works until the end of the period, and is confirmed by one mail [SUB-2, SUB-4, D29]', async () => {
  const member = await world.memberWithCard({ plan: 'monthly' })
  const cancelled = await act(member, 'cancel')
  expect(cancelled).toMatchObject({
    end: member.subscription.stripeData.current_period_end,
    ended_at: null,
  })
  expect(await act(member, 'cancel')).toEqual(cancelled)
  expect((await member.call(me, {})).subscription!.id).toBe(member.subscription.id)
  const ends = (await subjectsTo(member)).filter((subject) => subject.includes('membership ends on'))
  expect(ends).toHaveLength(1)
  await world.pass({ days: 27 })
  expect((await (await again(member)).call(listPets, {}))[0]!.cover.state).toBe('covered')
  await world.pass({ days: 5 })
  const over = await membershipOf(member)
  expect(over).toMatchObject({
    stripeData: { status: 'canceled' },
    pets: [],
    end: (cancelled as { end: string }).end,
  })
  expect(over.ended_at).toBe(over.end)
  const later = await again(member)
  expect((await later.call(me, {})).subscription).toBeNull()
  expect((await later.call(listPets, {}))[0]!.cover).toEqual({
    state: 'not_eligible',
    from: null,
    why: 'membership',
  })
  const [left] = await world.rows(pawcarePets, { petId: member.pet.id })
  expect(left!.optOut!.toISOString()).toBe(over.end)
  expect(
    (await later.send(manageSubscription, { action: 'restart', subscription: over.id })).body.errors,
  ).toEqual(['Failed to update subscription. Please refresh page and retry.'])
})

it('cancelling can be undone before that day, more than once [SUB-2, SUB-3]', async () => {
  const member = await world.memberWithCard()
  for (let times = 0; times < 2; times++) {
    expect((await act(member, 'cancel')) as object).toMatchObject({ end: expect.any(String) })
    expect((await act(member, 'restart')) as object).toMatchObject({
      end: null,
      stripeData: { status: 'active' },
    })
  }
  expect((await act(member, 'restart')) as object).toMatchObject({ end: null })
  const told = (await subjectsTo(member)).filter((subject) => subject.startsWith('Your VetChat membership'))
  expect(told.map((subject) => subject.replace(/ on \w.*/, ''))).toEqual([
    'Your VetChat membership ends',
    'Your VetChat membership continues',
    'Your VetChat membership ends',
    'Your VetChat membership continues',
  ])
})

it('cancelling is confirmed to an unconfirmed address too, however often the provider was looked up before [SUB-4]', async () => {
  const member = await world.memberWithCard()
  await world.change(users, member.id, { emailConfirmedAt: null })
  for (let looks = 0; looks < LIMITS.unconfirmedEmail.max; looks++)
    await followProvider(world.world, member.subscription.stripe_subscription!)
  await act(member, 'cancel')
  expect(await subjectsTo(member)).toContainEqual(expect.stringMatching(/^Your VetChat membership ends on/))
})

it('cancelling of one of several memberships is confirmed with the names of its pets [SUB-3]', async () => {
  const member = await world.memberWithCard()
  const add = (name: string) => member.send(subscribePet, { pet: sampleRabbit(name), plan: 'annual' })
  for (const name of ['Hazel', 'Fiver', 'Pipkin', 'Bigwig']) await add(name)
  const { subscription } = (await add('Clover')).body as { subscription: { id: number } }
  for (const action of ['cancel', 'restart'] as const)
    await member.call(manageSubscription, { action, subscription: subscription.id })
  const said = (await world.mailsTo(member.email)).map(({ text }) => text).join()
  expect(said).toContain('You cancelled your membership for Clover. It ends')
  expect(said).toContain('Your membership for Clover continues.')
})

it("cancelling needs one's own membership, and says so when the provider can't be reached [SUB-3]", async () => {
  const [one, other] = [await world.memberWithCard(), await world.memberWithCard()]
  const input = { action: 'cancel', subscription: other.subscription.id }
  expect((await one.send(manageSubscription, input)).status).toBe(404)
  expect((await one.send(manageSubscription, { action: 'cancel', subscription: 2_000_000_000 })).status).toBe(
    404,
  )
  await world.arm('error500', '*', 20)
  expect(await one.refusal(manageSubscription, { action: 'cancel' })).toBe('PAYMENTS_OUT_OF_REACH')
  await world.arm('error500', '*', 0)
  expect((await one.call(manageSubscription, { action: 'cancel' })) as object).toMatchObject({
    id: one.subscription.id,
  })
  expect(await (await world.owner()).refusal(manageSubscription, { action: 'cancel' })).toBe(
    'SUBSCRIPTION_UPDATE_FAILED',
  )
})

it('a renewal is announced once, five days before, with amount, card and how to cancel [SUB-4]', async () => {
  const member = await world.memberWithCard({ region: 'au', plan: 'monthly' })
  const { current_period_end } = member.subscription.stripeData
  await until(current_period_end!, { days: -6 })
  expect(await subjectsTo(member)).not.toContainEqual(expect.stringContaining('renews on'))
  await daysLater(2)
  const letters = await world.mailsTo(member.email, 'renewal ahead')
  expect(letters).toHaveLength(1)
  for (const words of ['$20', 'Visa ending in 4242', 'then Cancel membership'])
    expect(letters[0]!.text).toContain(words)
  await world.pass({ days: 28 })
  await world.pass({ days: 2 })
  expect(await world.mailsTo(member.email, 'renewal ahead')).toHaveLength(2)
})

it('a renewal extends the period by its events, even doubled and in any order [SUB-5]', async () => {
  const member = await world.memberWithCard({ plan: 'monthly' })
  await world.arm('duplicateEvents', '*', 100)
  await world.arm('shuffledEvents', '*', 100)
  await world.pass({ days: 32 })
  await world.runDue()
  const { stripeData, end } = await membershipOf(member)
  expect([stripeData.status, end]).toEqual(['active', null])
  expect(new Date(stripeData.current_period_end!).getTime()).toBeGreaterThan(world.now().getTime())
  await world.arm('duplicateEvents', '*', 0)
  await world.arm('shuffledEvents', '*', 0)
  expect(await world.db.select().from(providerEvents).where(isNull(providerEvents.appliedAt))).toEqual([])
})

/** A member whose first renewal has failed. */
async function unpaidMember() {
  const member = await world.memberWithCard({ plan: 'monthly' })
  await world.arm('decline', 'renewal', 100)
  await until(member.subscription.stripeData.current_period_end!, { minutes: 2 })
  await world.runDue()
  await world.arm('decline', 'renewal', 0)
  return member
}

it('a renewal that fails starts a grace in which a new card pays, and is mailed once [SUB-2, SUB-5]', async () => {
  const member = await unpaidMember()
  expect(await membershipOf(member)).toMatchObject({
    stripeData: { status: 'past_due' },
    end: null,
    grace_end: expect.any(String),
  })
  const now = await again(member)
  expect((await now.call(me, {})).subscription).not.toBeNull()
  await now.call(updatePaymentMethod, { payload: { token: 'tok_mastercard' } })
  await world.pass({ days: 4 })
  expect(await membershipOf(member)).toMatchObject(PAID)
  expect((await notices(member)).map(({ subject }) => subject)).toEqual([
    'Your VetChat payment didn’t go through',
  ])
})

it('a renewal that failed is retried with a new card straight away, up to its last day [SUB-2]', async () => {
  const member = await unpaidMember()
  await world.arm('decline', 'renewal', 100)
  await until((await membershipOf(member)).grace_end!, { days: -1.5 })
  await world.arm('decline', 'renewal', 0)
  expect(await membershipOf(member)).toMatchObject({ stripeData: { status: 'past_due' }, ended_at: null })
  await (await again(member)).call(updatePaymentMethod, { payload: { token: 'tok_mastercard' } })
  expect(await membershipOf(member)).toMatchObject(PAID)
  await world.pass({ days: 3 })
  expect((await membershipOf(member)).stripeData.status).toBe('active')
})

it('a renewal that stays unpaid ends straight away when its owner cancels, and after the grace whatever the provider does [SUB-1, SUB-4]', async () => {
  const [one, other] = [await unpaidMember(), await unpaidMember()]
  expect(await act(await again(other), 'cancel')).toMatchObject(ENDED)
  await world.change(subscriptions, one.subscription.id, {
    pastDueSince: addDays(world.now(), -GRACE_DAYS),
  })
  await world.pass({ minutes: 11 })
  expect(await membershipOf(one)).toMatchObject(ENDED)
})

const notices = async (member: Member) =>
  (await world.mailsTo(member.email)).filter(({ template }) => template.startsWith('payment '))

/** Here it is still unpaid, though the provider's latest attempt has just succeeded. */
async function justPaid() {
  const member = await unpaidMember()
  await world.world.payments.payAgain(member.subscription.stripe_subscription!, `try-${member.id}`)
  await world.db.delete(sandboxDeliveries)
  return member
}

it('a renewal that is paid just as its owner cancels runs to the end of the paid period [SUB-2, SUB-4]', async () => {
  const member = await justPaid()
  await act(await again(member), 'cancel')
  const kept = await membershipOf(member)
  expect(kept).toMatchObject({ stripeData: { status: 'active' }, ended_at: null, grace_end: null })
  expect(kept.end).toBe(kept.stripeData.current_period_end)
})

it('a renewal that is paid just as its grace ends continues, and is mailed no more [SUB-2, SUB-4, SUB-5]', async () => {
  const member = await justPaid()
  world.advance({ days: 4 })
  // As if no other job had looked it up since.
  await membershipJobs.find(({ name }) => name === 'remind of unpaid memberships')!.run(world.world)
  await world.change(subscriptions, member.subscription.id, {
    pastDueSince: addDays(world.now(), -GRACE_DAYS),
  })
  await world.pass({ minutes: 11 })
  expect(await membershipOf(member)).toMatchObject(PAID)
  expect(await notices(member)).toHaveLength(1)
})

it(`a renewal that keeps failing is mailed on that day, after three days and after six, once each with a link for a new card, and ends after ${GRACE_DAYS} days, with places and cover [SUB-1, SUB-5]`, async () => {
  const member = await unpaidMember()
  await world.arm('decline', 'renewal', 100)
  const { grace_end } = await membershipOf(member)
  const told = [await notices(member)]
  for (const day of [3, 6]) {
    await until(grace_end!, { days: day - GRACE_DAYS, minutes: -30 })
    expect(await notices(member), `before day ${day}`).toHaveLength(told.at(-1)!.length)
    world.advance({ minutes: 40 })
    await Promise.all([world.runDue(), world.runDue()])
    await world.pass({ minutes: 11 })
    told.push(await notices(member))
  }
  await daysLater(3)
  await world.arm('decline', 'renewal', 0)
  expect(told.map((letters) => letters.length)).toEqual([1, 2, 3])
  const letters = await notices(member)
  expect(letters.map(({ subject }) => subject)).toEqual([
    'Your VetChat payment didn’t go through',
    'Your VetChat payment still hasn’t gone through',
    expect.stringMatching(/^Last reminder: your VetChat membership ends on \w{3} \d+ \w{3} \d{4}$/),
  ])
  for (const { text } of letters) expect(text).toContain('/myaccount/profile')
  const over = await membershipOf(member)
  expect(over).toMatchObject({ stripeData: { status: 'canceled' }, grace_end: null, pets: [] })
  expect(over.end).toBe(over.ended_at)
  expect((await (await again(member)).call(me, {})).subscription).toBeNull()
  const ends = (await subjectsTo(member)).filter((words) => words === 'Your VetChat membership has ended')
  expect(ends).toHaveLength(1)
})

it('a renewal that failed while the server was down for days brings one mail: the one for that day [SUB-5]', async () => {
  const member = await unpaidMember()
  await world.arm('decline', 'renewal', 100)
  await world.pass({ days: 6, minutes: 10 })
  await world.arm('decline', 'renewal', 0)
  const subjects = (await notices(member)).map(({ subject }) => subject)
  expect(subjects).toEqual([
    'Your VetChat payment didn’t go through',
    expect.stringContaining('Last reminder'),
  ])
})

it('a renewal that ends a membership early also ends the place of a pet that was put away [PET-11, SUB-1]', async () => {
  const member = await world.memberWithCard()
  await member.call(putPetAway, { id: member.pet.id, why: 'moved' })
  await world.world.payments.endNow(member.subscription.stripe_subscription!, 'early')
  await world.runDue()
  const { ended_at } = await membershipOf(member)
  const places = await world.rows(subscriptionPets, { petId: member.pet.id })
  const covers = await world.rows(pawcarePets, { petId: member.pet.id })
  expect(places[0]!.freeAt!.toISOString()).toBe(ended_at)
  expect(covers[0]!.optOut!.getTime()).toBeLessThanOrEqual(world.now().getTime())
})

it('a renewal is found even if every event was lost [SUB-5]', async () => {
  const member = await world.memberWithCard({ plan: 'monthly' })
  await world.world.payments.endNow(member.subscription.stripe_subscription!, 'lost')
  await world.db.delete(sandboxDeliveries)
  await world.pass({ days: 20 })
  expect((await membershipOf(member)).stripeData.status).toBe('active')
  await world.pass({ days: 12 })
  expect(await membershipOf(member)).toMatchObject(ENDED)
})

it('a membership that was restarted at the provider after it ended here gets its pets back [SUB-1, SUB-5]', async () => {
  const member = await world.memberWithCard({ plan: 'monthly' })
  const stripe = member.subscription.stripe_subscription!
  await act(member, 'cancel')
  // It was restarted in the provider's dashboard, and the event got lost.
  await world.world.payments.restart(stripe, 'desk')
  await world.db.delete(sandboxDeliveries)
  world.advance({ days: 32 })
  await membershipJobs.find(({ name }) => name === 'end cancelled memberships')!.run(world.world)
  expect(await membershipOf(member)).toMatchObject({ pets: [], ended_at: expect.any(String) })
  await world.runDue()
  const [row] = await world.rows(subscriptions, { stripeSubscription: stripe })
  expect(row).toMatchObject({ status: 'active', end: null, endedAt: null })
  expect((await membershipOf(member)).pets).toEqual([member.pet.id])
  const [pet] = await (await again(member)).call(listPets, {})
  expect(pet!.cover.state).toBe('covered')
})

const send = (payload: string, signature?: string) =>
  world.app.inject({
    method: 'POST',
    url: '/api/stripe/webhook',
    headers: { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) },
    payload,
  })
const sign = (payload: string, at = world.now()) => {
  const t = Math.floor(at.getTime() / 1000)
  const secret = world.world.payments.sandbox!.webhookSecret
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${payload}`).digest('hex')}`
}
const event = (id: string, object: object, type = 'customer.subscription.updated') =>
  JSON.stringify({
    id,
    object: 'event',
    type,
    created: Math.floor(world.now().getTime() / 1000),
    data: { object },
  })
const eventRows = (id: string) => world.rows(providerEvents, { id })

it('the webhook accepts only recent, signed events, and stores nothing else [SUB-5]', async () => {
  const member = await world.memberWithCard()
  const forged = event('evt_forged', {
    object: 'subscription',
    id: member.subscription.stripe_subscription,
  })
  const apart = [-600_000, 360_000].map((ms) => sign(forged, new Date(world.now().getTime() + ms)))
  for (const signature of [undefined, 't=1,v1=00', sign(`${forged} `), ...apart])
    expect((await send(forged, signature)).statusCode).toBe(400)
  expect(await eventRows('evt_forged')).toEqual([])
  expect((await send('x'.repeat(1024 * 1024 + 1), 't=1,v1=00')).statusCode).toBe(413)
  expect((await world.app.inject({ method: 'GET', url: '/api/stripe/webhook' })).statusCode).toBe(404)
})

it('the webhook treats an event as a reason to look, not as the truth, and handles each id once [SUB-5]', async () => {
  const member = await world.memberWithCard()
  const stripe = member.subscription.stripe_subscription
  const lying = event('evt_lying', { object: 'subscription', id: stripe, status: 'canceled' })
  for (let times = 0; times < 3; times++) expect((await send(lying, sign(lying))).statusCode).toBe(200)
  expect(await membershipOf(member)).toMatchObject({ stripeData: { status: 'active' }, end: null })
  const rows = await eventRows('evt_lying')
  expect(rows).toHaveLength(1)
  expect(rows[0]!.appliedAt).not.toBeNull()
})

it('the webhook acknowledges unknown events, and asks for another delivery of those it could not apply [SUB-5]', async () => {
  const odd = event('evt_odd', { object: 'mandate', id: 'x' }, 'mandate.updated')
  expect((await send(odd, sign(odd))).statusCode).toBe(200)
  const foreign = event('evt_foreign', { object: 'subscription', id: 'sub_of_nobody' })
  expect((await send(foreign, sign(foreign))).statusCode).toBe(200)
  const member = await world.memberWithCard()
  const real = event('evt_real', { object: 'subscription', id: member.subscription.stripe_subscription })
  await world.arm('error500', '*', 20)
  expect((await send(real, sign(real))).statusCode).toBe(503)
  expect((await eventRows('evt_real'))[0]!.appliedAt).toBeNull()
  await world.arm('error500', '*', 0)
  expect((await send(real, sign(real))).statusCode).toBe(200)
  expect((await eventRows('evt_real'))[0]!.appliedAt).not.toBeNull()
})

it('an account whose deletion was withdrawn can have a card again [PRO-4, PRO-5]', async () => {
  const member = await world.memberWithCard()
  await endMembershipsOf(world.world, member.id)
  const card = await member.call(updatePaymentMethod, { payload: { token: 'tok_visa' } })
  expect(card).toMatchObject({ last4: '4242' })
})

it('an account can have a card again after the provider forgot it and the answer got lost [PRO-4, PRO-5]', async () => {
  const member = await world.memberWithCard()
  await world.arm('lostAnswer', 'DELETE /v1/customers/:id', 20)
  await endMembershipsOf(world.world, member.id).catch(() => {})
  await world.arm('lostAnswer', 'DELETE /v1/customers/:id', 0)
  const buy = () => member.send(subscribePet, { pet: sampleRabbit(), plan: 'annual' })
  expect((await buy()).status).toBe(402)
  const card = await member.call(updatePaymentMethod, { payload: { token: 'tok_visa' } })
  expect(card).toMatchObject({ last4: '4242' })
  expect((await buy()).status).toBe(200)
})

it('a deleted account leaves nothing to charge at the provider, even after a failure half-way [PRO-5]', async () => {
  const member = await world.memberWithCard()
  await world.arm('error500', 'DELETE /v1/customers/{id}', 20)
  await endMembershipsOf(world.world, member.id).catch(() => {})
  await world.arm('error500', '*', 0)
  await world.arm('error500', 'DELETE /v1/customers/{id}', 0)
  for (let times = 0; times < 2; times++) await endMembershipsOf(world.world, member.id)
  const stripe = await world.world.payments.subscription(member.subscription.stripe_subscription!)
  expect(stripe?.status ?? 'canceled').toBe('canceled')
  const { subscription, subscriptions } = await member.call(me, {})
  expect([subscription, subscriptions[0]!.ended_at !== null]).toEqual([null, true])
  expect(await world.rows(cards, { userId: member.id })).toEqual([])
  expect(await world.rows(customers, { userId: member.id })).toEqual([])
  const held = and(eq(subscriptionPets.petId, member.pet.id), isNull(subscriptionPets.freeAt))
  expect(await world.db.select().from(subscriptionPets).where(held)).toEqual([])
})
