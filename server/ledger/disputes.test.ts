import { eq } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { cancelConsultation, getConsultation } from '#contract/consultations.ts'
import { takeConsultation } from '#contract/queue.ts'
import { me } from '#contract/accounts.ts'
import { manageSubscription } from '#contract/payments.ts'
import { listPets } from '#contract/pets.ts'
import { listDisputes, listFailedRefunds, listLedger, listReceipts, refundCharge } from '#contract/ledger.ts'
import { deleteAccount } from '#contract/profile.ts'
import type { Region } from '#contract/regions.ts'
import { ledger, refunds, sandboxObjects } from '#server/db/schema.ts'
import { checkLedger } from '#server/ledger/jobs.ts'
import { numberOf } from '#server/ledger/rules.ts'
import { recordMovement } from '#server/ledger/writes.ts'
import { payingGuest, payingOwner } from '#test/paid.ts'
import { PASSWORD } from '#test/people.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

const BOOKS = 'books@vetchat.example'
let world: TestWorld

beforeEach(async () => {
  world = await createWorld({ env: { LEDGER_EMAIL: BOOKS } })
})

/** Makes the bank do this, then runs everything that follows. */
async function bankDoes(fault: 'refundFails' | 'dispute' | 'disputeWon' | 'disputeLost', call = '*') {
  await world.arm(fault, call)
  for (let run = 0; run < 2; run++) await world.runDue()
}
/** Every event of the provider gets lost. */
async function loseEvents() {
  for (let run = 0; run < 2; run++)
    for (const job of world.world.payments.sandbox!.jobs(() => Promise.resolve(200))) await job.run()
}
async function untilNight() {
  const night = new Date(world.now())
  night.setUTCHours(25, 10, 0, 0)
  await world.pass({ seconds: Math.round((night.getTime() - world.now().getTime()) / 1000) })
}
/** A vet takes the consult, so no refund happens automatically. */
async function served<P extends { consultation: { id: number } }>(
  paying: P,
  region: Region = 'za',
): Promise<P> {
  await (await world.vet(region)).call(takeConsultation, { id: paying.consultation.id })
  return paying
}
const entriesOf = async (charge: number) =>
  (await world.rows(ledger, { chargeId: charge })).map(({ kind, amount }) => [kind, amount])
const refundsOf = (charge: number) => world.rows(refunds, { chargeId: charge })
const wrong = async (days = 3) => (await checkLedger(world.world, days)).wrong
/** Without the nightly check's mail, which is sent too if the tests run in its hour. */
const subjects = async () =>
  (await world.mailsTo(BOOKS))
    .map(({ subject }) => subject)
    .filter((subject) => !subject.startsWith('The ledger '))

it("a disputed payment leaves the ledger, is mailed to its keeper, and can't be refunded as well [ADM-8]", async () => {
  const [owner, admin] = [await payingOwner(world), await world.admin()]
  const { charge, consultation } = owner
  await bankDoes('dispute', charge.stripeId)
  expect(await entriesOf(charge.id)).toEqual([['dispute', -450_00]])
  const [letter] = await world.mailsTo(BOOKS)
  expect(letter!.subject).toBe('A payment was disputed: R450')
  expect(letter!.text).toContain(`Charge ${numberOf(charge.id)}: Text consult about Biscuit, ${owner.email}`)
  expect(letter!.text).toContain('The bank accepts a reply until')

  // Nobody can refund it: not the owner by leaving, not the clock, not an admin.
  await owner.call(cancelConsultation, { id: consultation.id })
  await world.pass({ hours: 2 })
  expect(await admin.refusal(refundCharge, { id: charge.id, reason: 'Sorry' })).toBe('REFUND_NOTHING_LEFT')
  expect(await refundsOf(charge.id)).toEqual([])
  expect(await entriesOf(charge.id)).toEqual([['dispute', -450_00]])
  expect(await wrong()).toEqual([])
  const { entries } = await admin.call(listLedger, { q: String(charge.id) })
  expect(entries.map(({ kind, refunded, disputed }) => [kind, refunded, disputed])).toEqual([
    ['dispute', 0, 0],
    ['charge', 0, 450_00],
  ])
  // This is between banks, so the owner gets no receipt and no mail.
  expect((await owner.call(listReceipts, {})).map(({ kind }) => kind)).toEqual(['charge'])
  expect((await world.mailsTo(owner.email)).map(({ template }) => template)).toEqual(['receipt'])
  const { paid } = (await owner.call(getConsultation, { id: consultation.id })).consultation
  expect(paid).toEqual({ amount: 450_00, currency: 'zar', refunded: 0, on_its_way: 0, why: null })
})

it('a disputed payment returns to the ledger when it is won, weeks later and reported twice, and can then be refunded [ADM-8]', async () => {
  const { charge } = await served(await payingGuest(world, 'au'), 'au')
  await bankDoes('dispute')
  world.advance({ days: 40 })
  await world.arm('duplicateEvents', 'charge.dispute.closed')
  await bankDoes('disputeWon', charge.stripeId)
  expect(await entriesOf(charge.id)).toEqual([
    ['dispute', -39_95],
    ['dispute_won', 39_95],
  ])
  expect(await subjects()).toEqual(['A payment was disputed: $39.95', 'A dispute was won: $39.95'])
  expect(await wrong()).toEqual([])
  const admin = await world.admin()
  await admin.call(refundCharge, { id: charge.id, amount: 10_00, reason: 'A late vet' })
  await world.runDue()
  expect((await entriesOf(charge.id)).at(-1)).toEqual(['refund', -10_00])
  expect(await wrong(60)).toEqual([])
})

it('a disputed payment stays out when it is lost [ADM-8]', async () => {
  const { charge } = await payingOwner(world)
  await bankDoes('dispute')
  await bankDoes('disputeLost')
  expect(await entriesOf(charge.id)).toEqual([['dispute', -450_00]])
  expect(await subjects()).toEqual(['A payment was disputed: R450', 'A dispute was lost: R450'])
  expect(await wrong()).toEqual([])
})

it('a disputed payment that was partly refunded before leaves nothing to refund, and its keeper is told of the refund [ADM-8]', async () => {
  const [{ charge }, admin] = [await served(await payingOwner(world)), await world.admin()]
  await admin.call(refundCharge, { id: charge.id, amount: 100_00, reason: 'A late vet' })
  await world.runDue()
  await bankDoes('dispute', charge.stripeId)
  const [letter] = await world.mailsTo(BOOKS)
  expect(letter!.text).toContain('We had already refunded R100 of this payment.')
  expect(await admin.refusal(refundCharge, { id: charge.id, reason: 'The rest' })).toBe('REFUND_NOTHING_LEFT')
  expect(await admin.refusal(refundCharge, { id: charge.id, amount: 1, reason: 'A cent' })).toBe(
    'REFUND_NOTHING_LEFT',
  )
  const { entries } = await admin.call(listLedger, { q: String(charge.id) })
  expect(entries.at(-1)).toMatchObject({ kind: 'charge', refunded: 100_00, disputed: 450_00 })
})

it('a disputed payment settles a refund that the provider refused meanwhile, until it is won [ADM-8]', async () => {
  const [{ charge }, admin] = [await served(await payingOwner(world)), await world.admin()]
  const asked = { chargeId: charge.id, amount: 450_00, why: 'by_us', byUserId: admin.id } as const
  await world.add(refunds, { ...asked, idempotencyKey: 'refused', createdAt: world.now() })
  const failed = async () => (await admin.call(listFailedRefunds, {})).refunds.length
  expect(await failed()).toBe(1)
  await bankDoes('dispute', charge.stripeId)
  expect(await failed()).toBe(0)
  expect(await wrong()).toEqual([])
  await bankDoes('disputeWon', charge.stripeId)
  expect(await failed()).toBe(1)
})

it('a disputed payment whose event got lost is reported, and recorded at night [ADM-8]', async () => {
  const { charge } = await served(await payingOwner(world))
  await world.world.payments.sandbox!.arm(charge.stripeId, 'dispute', 1)
  await loseEvents()
  world.advance({ hours: 2 })
  expect(await wrong()).toContainEqual(
    expect.stringMatching(/^The dispute dp_\w+ of R450 is not in the ledger$/),
  )
  await untilNight()
  expect(await entriesOf(charge.id)).toEqual([['dispute', -450_00]])
  expect(await wrong()).toEqual([])
})

type Member = Awaited<ReturnType<TestWorld['memberWithCard']>>
const standing = async (member: Member) => {
  const here = member.with(await world.signIn(member.id))
  return { ...here, ...(await here.call(me, {})).subscriptions[0]! }
}
const lastMailTo = async ({ email }: Member) =>
  (await world.mailsTo(email)).findLast(({ template }) => template.startsWith('membership'))!
const restart = (member: Awaited<ReturnType<typeof standing>>) =>
  member.refusal(manageSubscription, { action: 'restart', subscription: member.id })

it('a disputed payment for a membership ends its renewal while the dispute is open, and the membership once it is lost; its member is told of both [SUB-5]', async () => {
  const member = await world.memberWithCard()
  await bankDoes('dispute')
  const open = await standing(member)
  expect(open).toMatchObject({ ended_at: null, end: open.stripeData.current_period_end })
  expect((await lastMailTo(member)).text).toMatch(
    /Your bank took back R2\s000 that you paid for your membership, because the payment was disputed\. So we won’t renew the membership\./,
  )
  expect((await world.mailsTo(BOOKS))[0]!.text).toContain('isn’t renewed')
  expect(open.disputed).toBe(true)
  expect(await restart(open)).toBe('SUBSCRIPTION_DISPUTED')

  await bankDoes('disputeLost')
  const lost = await standing(member)
  expect(lost).toMatchObject({ stripeData: { status: 'canceled' }, pets: [], ended_at: expect.any(String) })
  const ended = await lastMailTo(member)
  expect(ended.subject).toBe('Your VetChat membership has ended')
  expect(ended.text).toMatch(/took back R2\s000/)
  expect((await lost.call(listPets, {}))[0]!.cover.state).not.toBe('covered')
})

it('a disputed payment for a membership of a member who has left says that it has already ended [SUB-5]', async () => {
  const member = await world.memberWithCard()
  await bankDoes('dispute')
  await member.with(await world.signIn(member.id)).call(deleteAccount, { password: PASSWORD })
  await bankDoes('disputeLost')
  const letter = (await world.mailsTo(BOOKS)).find(({ subject }) => subject.startsWith('A dispute was lost'))
  expect(letter!.text).toContain('The membership has already ended.')
  expect(letter!.text).not.toContain('ends now')
})

it('a disputed payment for a membership lets the member restart it once the dispute is won [SUB-5]', async () => {
  const member = await world.memberWithCard()
  await bankDoes('dispute')
  await bankDoes('disputeWon')
  const won = await standing(member)
  expect(won).toMatchObject({ ended_at: null, end: expect.any(String), disputed: false })
  await won.call(manageSubscription, { action: 'restart', subscription: won.id })
  expect((await standing(member)).end).toBeNull()
})

it('a disputed payment for a membership leaves the period that a later payment paid for [SUB-5]', async () => {
  const member = await world.memberWithCard({ plan: 'monthly' })
  const [first] = await world.rows(ledger, { userId: member.id })
  await world.pass({ days: 32 })
  await world.runDue()
  await bankDoes('dispute', first!.stripeId)
  await bankDoes('disputeLost', first!.stripeId)
  expect(await standing(member)).toMatchObject({ ended_at: null, end: expect.any(String) })
})

it('a disputed payment for a membership whose lost dispute nobody reported ends its membership at night [SUB-5]', async () => {
  const member = await world.memberWithCard()
  await bankDoes('dispute')
  await world.world.payments.sandbox!.arm('*', 'disputeLost', 1)
  await loseEvents()
  expect(await standing(member)).toMatchObject({ ended_at: null })
  await untilNight()
  expect(await standing(member)).toMatchObject({ ended_at: expect.any(String) })
})

const listed = async () =>
  (await (await world.admin()).call(listDisputes, {})).disputes.map((one) => ({
    ...one,
    charge: one.charge.id,
  }))
/** What the bank does that no fault of the sandbox does. */
async function bankSays(payment: string, said: object) {
  const stored = await world.rows(sandboxObjects, { object: 'dispute' })
  const { id, data } = stored.find(
    (one) => (one.data as { payment_intent: string }).payment_intent === payment,
  )!
  await world.db
    .update(sandboxObjects)
    .set({ data: { ...(data as object), ...said } })
    .where(eq(sandboxObjects.id, id))
  for (const dispute of await world.world.payments.disputesOf(payment))
    await recordMovement(world.world, dispute)
}

it('the list of disputes begins with those that need an answer, soonest first, and says by when [ADM-8]', async () => {
  const [first, second, third] = [
    await payingOwner(world),
    await payingGuest(world),
    await payingGuest(world),
  ]
  for (const { charge } of [first, second, third]) {
    await bankDoes('dispute', charge.stripeId)
    await world.pass({ days: 2 })
  }
  const open = { stands: 'open', needs_answer: true, amount: 450_00 }
  const asked = await listed()
  expect(asked).toMatchObject([first, second, third].map(({ charge }) => ({ ...open, charge: charge.id })))
  expect(asked.map(({ answer_by }) => answer_by!)).toEqual(
    asked.map(({ answer_by }) => answer_by!).toSorted(),
  )

  await bankDoes('disputeWon', first.charge.stripeId)
  await bankSays(third.charge.stripeId, { status: 'under_review' })
  const then = [
    { charge: second.charge.id, stands: 'open', needs_answer: true },
    { charge: third.charge.id, stands: 'open', needs_answer: false },
    { charge: first.charge.id, stands: 'won', needs_answer: false },
  ]
  expect(await listed()).toMatchObject(then)
  // A look at the provider that comes late doesn't open a decided one again.
  await bankSays(first.charge.stripeId, { status: 'needs_response' })
  expect(await listed()).toMatchObject(then)
})

it('the list of disputes says what the ledger says when a bank changes its mind, and nobody is mailed old news [ADM-8]', async () => {
  const { charge } = await payingOwner(world)
  await bankDoes('dispute')
  await bankDoes('disputeLost')
  for (const status of ['warning_needs_response', 'needs_response', 'won', 'lost', 'needs_response'])
    await bankSays(charge.stripeId, { status })
  expect(await listed()).toMatchObject([{ charge: charge.id, stands: 'won', needs_answer: false }])
  expect(await entriesOf(charge.id)).toEqual([
    ['dispute', -450_00],
    ['dispute_won', 450_00],
  ])
  expect(await subjects()).toEqual([
    'A payment was disputed: R450',
    'A dispute was lost: R450',
    'A dispute was won: R450',
  ])
})

it('the list of disputes names an inquiry, which has taken no money, while it can be answered [ADM-8]', async () => {
  const { charge } = await payingOwner(world)
  await bankDoes('dispute', charge.stripeId)
  await bankSays(charge.stripeId, { status: 'warning_needs_response', id: 'dp_inquiry' })
  const inquiry = { charge: charge.id, stands: 'asked' }
  expect((await listed())[1]).toMatchObject({
    ...inquiry,
    needs_answer: true,
    answer_by: expect.any(String),
  })
  const missed = { due_by: null, has_evidence: false, past_due: true }
  await bankSays(charge.stripeId, { evidence_details: missed })
  expect((await listed())[1]).toMatchObject({ ...inquiry, needs_answer: false, answer_by: null })
})

it('a dispute of nothing changes nothing, and one in another currency takes the whole payment [ADM-8]', async () => {
  const { charge } = await payingOwner(world)
  await world.world.payments.sandbox!.arm(charge.stripeId, 'dispute', 1)
  await loseEvents()
  const [stored] = await world.rows(sandboxObjects, { object: 'dispute' })
  const say = (said: object) =>
    world.change(sandboxObjects, stored!.id, { data: { ...(stored!.data as object), ...said } })
  await say({ amount: 0 })
  await untilNight()
  expect(await entriesOf(charge.id)).toEqual([])
  await say({ amount: 24_95, currency: 'usd' })
  await bankDoes('disputeLost', charge.stripeId)
  expect(await entriesOf(charge.id)).toEqual([['dispute', -450_00]])
  expect(await wrong()).toEqual([])
})

it('a refund that fails weeks later is reversed in the ledger, is reported until it is sent again, and then counts [ADM-8, CON-11]', async () => {
  const owner = await payingOwner(world)
  const { charge, consultation } = owner
  const paid = async () => {
    const here = owner.with(await world.signIn(owner.id))
    return (await here.call(getConsultation, { id: consultation.id })).consultation.paid
  }
  await owner.call(cancelConsultation, { id: consultation.id })
  expect(await paid()).toMatchObject({ refunded: 0, on_its_way: 0 })
  await world.runDue()
  expect(await paid()).toMatchObject({ refunded: 450_00, on_its_way: 0, why: 'cancelled' })
  world.advance({ days: 25 })
  await bankDoes('refundFails', charge.stripeId)
  expect(await entriesOf(charge.id)).toEqual([
    ['refund', -450_00],
    ['refund_failed', 450_00],
  ])
  const [failed] = await refundsOf(charge.id)
  expect(failed).toMatchObject({ doneAt: null, dueAt: null })
  expect(failed!.failedAt).not.toBeNull()
  expect(await subjects()).toEqual(['A refund came back: R450'])
  expect(await wrong()).toEqual([
    `Refund request ${failed!.id} failed at the payer’s bank and hasn’t been sent again`,
  ])
  // It isn't repeated automatically, and the owner isn't told that it worked.
  await world.pass({ hours: 3 })
  expect(await refundsOf(charge.id)).toHaveLength(1)
  expect(await paid()).toMatchObject({ refunded: 0, why: null })

  const admin = await world.admin()
  await admin.call(refundCharge, { id: charge.id, reason: 'The card was closed' })
  expect(await paid()).toMatchObject({ refunded: 450_00, on_its_way: 450_00, why: 'by_us' })
  await world.runDue()
  expect(await paid()).toMatchObject({ refunded: 450_00, on_its_way: 0 })
  expect(await entriesOf(charge.id)).toEqual([
    ['refund', -450_00],
    ['refund_failed', 450_00],
    ['refund', -450_00],
  ])
  expect(await wrong(60)).toEqual([])
  expect(await admin.refusal(refundCharge, { id: charge.id, reason: 'Once more' })).toBe(
    'REFUND_NOTHING_LEFT',
  )
})

it('a refund that fails weeks later is recorded once however often and late it is reported, and at night if nobody reported it [ADM-8]', async () => {
  const [{ charge }, admin] = [await served(await payingOwner(world)), await world.admin()]
  await admin.call(refundCharge, { id: charge.id, amount: 100_00, reason: 'Sorry' })
  await admin.call(refundCharge, { id: charge.id, amount: 50_00, reason: 'Sorry too' })
  await world.runDue()
  world.advance({ days: 30 })
  await world.world.payments.sandbox!.arm('*', 'refundFails', 1)
  await loseEvents()
  expect(await entriesOf(charge.id)).toHaveLength(2)
  expect(await wrong()).toEqual([
    expect.stringMatching(/^The refund re_\w+ of R\d+ came back, but the ledger doesn’t show it$/),
  ])
  await untilNight()
  await bankDoes('refundFails')
  const entries = await entriesOf(charge.id)
  expect(entries.filter(([kind]) => kind === 'refund_failed')).toHaveLength(2)
  expect(entries.reduce((sum, [, amount]) => sum + Number(amount), 0)).toBe(0)
})
