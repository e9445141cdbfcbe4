import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { sendMessageByCall } from '#contract/chat.ts'
import { saveNote } from '#contract/clinical.ts'
import { cancelConsultation, getConsultation, PROMISED_MINUTES } from '#contract/consultations.ts'
import { refundCharge } from '#contract/ledger.ts'
import { handBackConsultation, handOverConsultation, setDuty, takeConsultation } from '#contract/queue.ts'
import { consultations, coupons, couponUses, refunds } from '#server/db/schema.ts'
import { holdCoupon } from '#server/coupons/writes.ts'
import { advise, NOTE } from '#test/advice.ts'
import { payingGuest } from '#test/paid.ts'
import { createWorld, type TestWorld } from '#test/world.ts'
import { checkLedger } from './jobs.ts'

const world = await createWorld()

type Vet = Awaited<ReturnType<TestWorld['vet']>>
const write = (vet: Vet, consultation: number) =>
  vet.call(sendMessageByCall, { consultation, client_id: randomUUID(), body: 'Go to a clinic.' })
const refundsOf = (charge: number) => world.rows(refunds, { chargeId: charge })

/** A paying guest's consult that a vet took, worked on and handed back. */
async function handedBack(work: (vet: Vet, id: number) => Promise<unknown> = async () => {}) {
  const [guest, vet] = [await payingGuest(world), await world.vet()]
  const { id } = guest.consultation
  await vet.call(takeConsultation, { id })
  await work(vet, id)
  await vet.call(handBackConsultation, { id, note: 'My network is bad' })
  return { ...guest, id, vet }
}
const roomOf = async ({ guest, id }: { guest: { call: Vet['call'] }; id: number }) =>
  (await guest.call(getConsultation, { id })).consultation

it.each([
  ['a message', write],
  ['a note', (vet: Vet, id: number) => vet.call(saveNote, { id, version: 0, ...NOTE })],
  [
    'a message before it was handed over and back',
    async (vet: Vet, id: number) => {
      await write(vet, id)
      const other = await world.vet()
      await other.call(setDuty, { on: true })
      await vet.call(handOverConsultation, { id, vet_id: other.id, note: 'Yours' })
      await other.call(handBackConsultation, { id, note: 'My shift is over' })
      await vet.call(takeConsultation, { id })
    },
  ],
])(
  'a consult that a vet has answered with %s is not refunded when its owner cancels, until a person decides [SAF-7]',
  async (_, work) => {
    const one = await handedBack(work)
    expect(await roomOf({ guest: one, id: one.id })).toMatchObject({ had_vet: true, answered: true })
    await one.call(cancelConsultation, { id: one.id })
    await world.runDue()
    await world.pass({ minutes: PROMISED_MINUTES + 1 })
    expect(await refundsOf(one.charge.id)).toEqual([])
    const room = await roomOf({ guest: one, id: one.id })
    expect(room).toMatchObject({ cancelled: true, answered: true, paid: { refunded: 0, why: null } })
    // Nothing is owed, so the nightly check doesn't report it either.
    world.advance({ hours: 2 })
    const { wrong } = await checkLedger(world.world, 3)
    expect(wrong.filter((line) => line.includes(`VC-${one.charge.id} `))).toEqual([])

    const admin = await world.admin()
    await admin.call(refundCharge, { id: one.charge.id, reason: 'The vet could not finish' })
    await world.runDue()
    expect(await refundsOf(one.charge.id)).toMatchObject([{ why: 'by_us', amount: 450_00, dueAt: null }])
  },
)

it('a consult that a vet has answered keeps its price and its place if no other vet takes it in time, and its owner gets an apology [SAF-7]', async () => {
  const one = await handedBack(write)
  await world.pass({ minutes: PROMISED_MINUTES + 1 })
  await world.runDue()
  expect(await refundsOf(one.charge.id)).toEqual([])
  const [row] = await world.rows(consultations, { id: one.id })
  expect(row).toMatchObject({ end: null, vetId: null, freeSince: null })
  const late = await world.mailsTo(one.user.email, 'consult late')
  expect(late.map(({ text }) => text.includes('refund'))).toEqual([false])
})

it('a consult that a vet has answered is refunded if it was late before the vet came, whatever the vet writes then [SAF-7]', async () => {
  const guest = await payingGuest(world)
  const { id } = guest.consultation
  await world.pass({ minutes: PROMISED_MINUTES + 1 })
  const vet = await world.vet()
  await vet.call(takeConsultation, { id })
  await write(vet, id)
  await vet.call(handBackConsultation, { id, note: 'My network is bad' })
  await guest.call(cancelConsultation, { id })
  await world.runDue()
  expect(await refundsOf(guest.charge.id)).toMatchObject([{ why: 'late', amount: 450_00 }])
})

it("a consult that a vet has answered uses up its coupon, so that one free code doesn't bring advice again and again [SAF-7, SAF-2]", async () => {
  const row = await world.add(coupons, { code: 'ONCE', percentOff: 10, referrer: 'Test', uses: 2 })
  const held = (purchaseId: number) =>
    world.db
      .select({ releasedAt: couponUses.releasedAt })
      .from(couponUses)
      .where(and(eq(couponUses.couponId, row.id), eq(couponUses.purchaseId, purchaseId)))
  const [answered, silent] = [await handedBack(write), await handedBack()]
  for (const { purchase, user, id, ...guest } of [answered, silent]) {
    await holdCoupon(world.world, row, purchase.id, user.email)
    await guest.call(cancelConsultation, { id })
  }
  await world.runDue()
  expect(await held(answered.purchase.id)).toEqual([{ releasedAt: null }])
  expect(await held(silent.purchase.id)).toEqual([{ releasedAt: expect.any(Date) }])
})

it('a consult that a vet has answered can’t be cancelled once it has ended [SAF-7]', async () => {
  const [guest, vet] = [await payingGuest(world), await world.vet()]
  const { id } = guest.consultation
  await advise(vet, id)
  expect(await guest.refusal(cancelConsultation, { id })).toBe('CONSULT_NOT_WAITING')
  await world.runDue()
  expect(await refundsOf(guest.charge.id)).toEqual([])
})

it('a consult that a vet took and handed back without a word is refunded when its owner cancels [SAF-7, CON-11]', async () => {
  const one = await handedBack()
  // What the owner writes isn't advice.
  await one.call(sendMessageByCall, { consultation: one.id, client_id: randomUUID(), body: 'Hello?' })
  expect(await roomOf({ guest: one, id: one.id })).toMatchObject({ had_vet: true, answered: false })
  await one.call(cancelConsultation, { id: one.id })
  await world.runDue()
  expect(await refundsOf(one.charge.id)).toMatchObject([{ why: 'cancelled', amount: 450_00 }])
})

it("a consult that a vet took and handed back without a word is also refunded if the vet's connection was lost [SAF-7, VET-7]", async () => {
  const [guest, vet] = [await payingGuest(world), await world.vet()]
  const { id } = guest.consultation
  await vet.call(takeConsultation, { id })
  await world.pass({ minutes: 5 })
  expect(await roomOf({ guest, id })).toMatchObject({ vet_id: null, had_vet: true, answered: false })
  await guest.call(cancelConsultation, { id })
  await world.runDue()
  expect(await refundsOf(guest.charge.id)).toMatchObject([{ why: 'cancelled' }])
})
