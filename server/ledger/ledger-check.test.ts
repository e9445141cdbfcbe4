import { eq } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { cancelConsultation } from '#contract/consultations.ts'
import { payRefundByHand, refundCharge } from '#contract/ledger.ts'
import { ledger, purchases, refunds } from '#server/db/schema.ts'
import { numberOf } from '#server/ledger/rules.ts'
import { checkLedger, ledgerJobs } from '#server/ledger/jobs.ts'
import { paidFor, payingGuest, payingOwner } from '#test/paid.ts'
import { knownOf } from '#server/ledger/reads.ts'
import type { Movement } from '#server/providers/money-movements.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

let world: TestWorld

beforeEach(async () => {
  world = await createWorld({ env: { LEDGER_EMAIL: 'books@vetchat.example' } })
})

const wrong = async () => (await checkLedger(world.world, 3)).wrong

it('the ledger check passes with purchases, refunds by us and elsewhere, and a renewal [SUB-5]', async () => {
  await world.memberWithCard({ plan: 'monthly' })
  await world.pass({ days: 32 })
  const [guest, owner, admin] = [await payingGuest(world), await payingOwner(world), await world.admin()]
  await guest.call(cancelConsultation, { id: guest.consultation.id })
  await admin.call(refundCharge, { id: owner.charge.id, amount: 50_00, reason: 'Sorry' })
  await world.runDue()
  const part = { intent: owner.charge.stripeId, amount: 25_00, why: 'elsewhere', refund: 0 }
  await world.world.payments.refund(part, 'elsewhere')
  await world.pass({ hours: 2 })
  expect(await checkLedger(world.world, 40)).toEqual({
    says: expect.stringMatching(/: 3 purchases, 8 ledger entries, .* It all adds up\.$/) as string,
    wrong: [],
  })
})

it('the ledger check compares more movements than a statement has parameters', async () => {
  const { charge } = await paidFor(world, await world.owner())
  const unknown = (n: number): Movement => ({
    kind: 'charge',
    id: `pi_${n}`,
    amount: 450_00,
    currency: 'zar',
    at: world.now(),
    customer: null,
  })
  const moved = [
    ...Array.from({ length: 25_000 }, (_, n) => unknown(n)),
    { ...unknown(0), id: charge.stripeId },
  ]
  expect(await knownOf(world.world, moved)).toEqual(new Set([charge.stripeId]))
})

it('the ledger check reports a purchase without its charge, and one with another amount', async () => {
  const owner = await world.owner()
  const [gone, other] = [await paidFor(world, owner), await paidFor(world, owner)]
  await world.db.delete(ledger).where(eq(ledger.id, gone.charge.id))
  await world.change(ledger, other.charge.id, { amount: 400_00 })
  world.advance({ hours: 2 })
  expect(await wrong()).toEqual([
    `Purchase ${gone.purchase.id} was paid (R450) and has no charge in the ledger`,
    `Purchase ${other.purchase.id} was paid (R450), but its charge is R400`,
    `Charge ${numberOf(other.charge.id)} is R400 here, but R450 at the provider`,
    `The payment ${gone.charge.stripeId} of R450 is not in the ledger`,
  ])
})

it('the ledger check reports a charge that nothing was delivered for', async () => {
  const owner = await world.owner()
  const waits = await paidFor(world, owner, { state: 'paid', deliveredAt: null })
  const refused = await paidFor(world, owner, { state: 'refused', paidAt: null, deliveredAt: null })
  expect(await wrong()).toEqual([
    `Charge ${numberOf(refused.charge.id)} has nothing delivered for it: its purchase is refused`,
  ])
  world.advance({ hours: 2 })
  expect(await wrong()).toEqual([
    `Purchase ${waits.purchase.id} was paid (R450) and was neither delivered nor refunded`,
    `Charge ${numberOf(refused.charge.id)} has nothing delivered for it: its purchase is refused`,
  ])
})

it('the ledger check reports a membership that was paid for, could not begin and was not refunded', async () => {
  const { charge } = await paidFor(world, await world.owner(), { kind: 'membership' })
  expect(await wrong()).toEqual([])
  world.advance({ hours: 2 })
  expect(await wrong()).toEqual([
    `Charge ${numberOf(charge.id)} has nothing delivered for it: its purchase is delivered to nobody`,
  ])
})

it('the ledger check reports a consult that no vet joined and that was not refunded', async () => {
  const owner = await payingOwner(world)
  world.advance({ minutes: 90 })
  expect(await wrong()).toEqual([
    expect.stringContaining(`Charge ${numberOf(owner.charge.id)} has been due a refund since`) as string,
  ])
  await world.runDue()
  expect(await wrong()).toEqual([])
})

it('the ledger check reports a purchase refunded twice, for more than its charge, or by somebody unknown', async () => {
  const [owner, admin] = [await payingOwner(world), await world.admin()]
  const { charge } = owner
  await admin.call(refundCharge, { id: charge.id, amount: 200_00, reason: 'Sorry' })
  await world.runDue()
  const [asked] = await world.db.select().from(refunds)
  const again = { intent: charge.stripeId, amount: 200_00, why: 'by_us', refund: asked!.id }
  await world.world.payments.refund(again, 'another key')
  await world.add(ledger, { ...charge, ...made('re_invented', -300_00, charge.id) })
  world.advance({ hours: 2 })
  const says = await wrong()
  expect(says).toEqual(
    expect.arrayContaining([
      `Charge ${numberOf(charge.id)} was refunded or disputed for more than was charged: R500 of R450`,
      expect.stringMatching(/^Refund VC-\d+ is unknown to the provider \(re_invented\)$/),
      expect.stringMatching(/^The refund re_\w+ refunds again what re_\w+ already refunded$/),
      expect.stringMatching(/^The refund re_\w+ of R200 is not in the ledger$/),
    ]),
  )
  expect(says).toHaveLength(4)
})

it('the ledger check no longer reports a refund whose money went another way, however often it failed before [ADM-8]', async () => {
  const [{ charge }, admin] = [await payingOwner(world), await world.admin()]
  const asked = {
    chargeId: charge.id,
    amount: 100_00,
    why: 'by_us' as const,
    reason: 'The video froze',
    byUserId: admin.id,
    createdAt: world.now(),
  }
  const [returned, refused] = await world.db
    .insert(refunds)
    .values([
      { ...asked, idempotencyKey: 'returned', failedAt: world.now() },
      { ...asked, idempotencyKey: 'refused' },
    ])
    .returning()
  expect(await wrong()).toEqual([
    `Refund request ${returned!.id} failed at the payer’s bank and hasn’t been sent again`,
    `Refund request ${refused!.id} was refused by the provider`,
  ])
  await admin.call(payRefundByHand, { id: refused!.id, how: 'By bank transfer' })
  expect(await wrong()).toEqual([])
})

it('the ledger check reports refunds that were refused, that hang, or that the ledger has with another amount', async () => {
  const [owner, admin] = [await payingOwner(world), await world.admin()]
  for (const amount of [10_00, 20_00, 30_00])
    await admin.call(refundCharge, { id: owner.charge.id, amount, reason: 'Sorry' })
  const [hangs, other, refused] = await world.db.select().from(refunds).orderBy(refunds.id)
  await world.runDue()
  const set = (id: number, values: Partial<typeof refunds.$inferInsert>) => world.change(refunds, id, values)
  await set(refused!.id, { doneAt: null })
  await set(hangs!.id, { doneAt: null, dueAt: world.now() })
  await set(other!.id, { amount: 31_00 })
  await world.db.update(purchases).set({ consultationId: null })
  world.advance({ hours: 25 })
  expect(await wrong()).toEqual([
    `Refund request ${hangs!.id} has been under way for over a day`,
    `Refund request ${other!.id} doesn’t match what is in the ledger`,
    `Refund request ${refused!.id} was refused by the provider`,
  ])
})

const made = (stripeId: string, amount: number, chargeId: number) =>
  ({ id: undefined, kind: 'refund', stripeId, amount, chargeId }) as const

const toNight = () => tomorrowAt(1)
const tomorrowAt = (hour: number) => {
  const now = world.now()
  const next = new Date(now)
  next.setUTCHours(24 + hour, 10, 0, 0)
  world.advance({ seconds: Math.round((next.getTime() - now.getTime()) / 1000) })
}

it('each night the ledger is checked once, and its keeper gets a mail', async () => {
  const owner = await world.owner()
  const { charge } = await paidFor(world, owner)
  toNight()
  expect(await world.mailsTo('books@vetchat.example')).toMatchObject([{ subject: 'The ledger adds up' }])
  world.advance({ minutes: 20 })
  expect(await world.mailsTo('books@vetchat.example')).toHaveLength(1)

  await world.db.delete(ledger).where(eq(ledger.id, charge.id))
  toNight()
  const [, second] = await world.mailsTo('books@vetchat.example')
  expect(second!.subject).toBe('The ledger doesn’t add up: 2 to check')
  expect(second!.text).toContain('has no charge in the ledger')
})

it('a check that a killed process began is made by the next one, and once [OPS-4]', async () => {
  toNight()
  const { movements } = world.world.payments
  world.world.payments.movements = () => new Promise(() => {})
  void ledgerJobs.find(({ name }) => name === 'check the ledger')!.run(world.world)
  // The other instance looks while it may still be under way.
  await world.runDue()
  world.world.payments.movements = movements
  expect(await world.mailsTo('books@vetchat.example')).toHaveLength(0)
  for (let tries = 0; tries < 3; tries++) {
    await world.pass({ minutes: 15 })
  }
  expect(await world.mailsTo('books@vetchat.example')).toHaveLength(1)
})

it('a server that was down at one o’clock checks when it is back [OPS-4]', async () => {
  tomorrowAt(4)
  expect(await world.mailsTo('books@vetchat.example')).toHaveLength(1)
})

it('a renewal and a refund whose events got lost are recorded, with their receipts [SUB-5, BUY-11]', async () => {
  // Not in the hour of the check, which would find them before the test looks.
  tomorrowAt(12)
  const member = await world.memberWithCard({ plan: 'monthly' })
  const owner = await payingOwner(world)
  await world.db.update(purchases).set({ consultationId: null })
  const entriesOf = async (userId: number) =>
    (await world.rows(ledger, { userId })).map(({ what, amount }) => ({ what, amount }))
  await world.runDue()
  const before = await entriesOf(member.id)
  world.advance({ days: 31 })
  const part = { intent: owner.charge.stripeId, amount: 25_00, why: 'elsewhere', refund: 0 }
  await world.world.payments.refund(part, 'elsewhere')
  // Every event of the provider gets lost.
  const { sandbox } = world.world.payments
  for (const job of sandbox!.jobs(() => Promise.resolve(200))) await job.run()
  await world.runDue()
  expect(await entriesOf(member.id)).toEqual(before)
  world.advance({ hours: 2 })
  toNight()
  await world.runDue()
  await world.runDue()
  expect(await entriesOf(member.id)).toEqual([...before, { what: 'renewal', amount: 200_00 }])
  expect(await entriesOf(owner.id)).toEqual([
    { what: 'consult', amount: 450_00 },
    { what: 'consult', amount: -25_00 },
  ])
  expect(await world.mailsTo('books@vetchat.example')).toMatchObject([{ subject: 'The ledger adds up' }])
  const receipts = await world.mailsTo(member.email, 'receipt')
  expect(receipts.at(-1)!.subject).toContain('R200')
})

it('a renewal that we learn of three days late has its receipt too [SUB-5, BUY-11]', async () => {
  const member = await world.memberWithCard({ plan: 'monthly' })
  await world.pass({ days: 34 })
  const receipts = await world.mailsTo(member.email, 'receipt')
  expect(receipts.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Your receipt VC-\d+: R200$/),
  ])
})

it('the mail about the ledger says when the provider is out of reach', async () => {
  await world.world.payments.sandbox!.arm('GET /v1/charges', 'error500', 9)
  toNight()
  const [mail] = await world.mailsTo('books@vetchat.example')
  expect(mail!.text).toContain('We couldn’t reach the payment provider.')
})
