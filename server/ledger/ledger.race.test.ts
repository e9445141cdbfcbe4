import { expect, it } from 'vitest'
import { cancelConsultation, PROMISED_MINUTES } from '#contract/consultations.ts'
import { refundCharge } from '#contract/ledger.ts'
import { takeConsultation } from '#contract/queue.ts'
import { consultations, ledger, refunds } from '#server/db/schema.ts'
import { recordRefund } from '#server/ledger/writes.ts'
import { payingOwner } from '#test/paid.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

const ROUNDS = 2
const twelve = <T>(work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 12 }, (_, n) => work(n)))
const entriesOf = (charge: number) => world.rows(ledger, { chargeId: charge })
const refundsOf = (charge: number) => world.rows(refunds, { chargeId: charge })
const sum = (rows: { amount: number }[]) => rows.reduce((all, { amount }) => all + amount, 0)

it('simultaneous refunds never add up to more than the charge [ADM-8]', async () => {
  const admin = await world.admin()
  for (let round = 0; round < ROUNDS; round++) {
    const { charge } = await payingOwner(world)
    const replies = await twelve(() =>
      admin.send(refundCharge, { id: charge.id, amount: 100_00, reason: 'Sorry' }),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([
      ...Array(4).fill(200),
      ...Array(8).fill(409),
    ])
    await Promise.all([world.runDue(), world.runDue()])
    expect(sum(await entriesOf(charge.id))).toBe(-400_00)
    expect(sum(await world.world.payments.refundsOf(charge.stripeId))).toBe(400_00)
  }
})

it('the same key sent twelve times in parallel refunds once [ADM-8]', async () => {
  const admin = await world.admin()
  for (let round = 0; round < ROUNDS; round++) {
    const { charge } = await payingOwner(world)
    const key = { 'idempotency-key': `press-${round}` }
    const replies = await twelve(() =>
      admin.send(refundCharge, { id: charge.id, amount: 10_00, reason: 'Sorry' }, key),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await refundsOf(charge.id)).toHaveLength(1)
  }
})

/** Owners whose consults no vet joined in time. */
async function late() {
  const owners = await Promise.all([1, 2, 3, 4].map(() => payingOwner(world)))
  world.advance({ minutes: PROMISED_MINUTES + 1 })
  return owners
}

it('an owner who leaves just as the clock runs gets one refund [CON-11]', async () => {
  const owners = await late()
  await Promise.all([
    world.runDue(),
    ...owners.map((owner) => owner.send(cancelConsultation, { id: owner.consultation.id })),
    world.runDue(),
  ])
  await Promise.all([world.runDue(), world.runDue()])
  for (const owner of owners) {
    expect(await refundsOf(owner.charge.id)).toHaveLength(1)
    expect((await entriesOf(owner.charge.id)).map(({ amount }) => amount)).toEqual([-450_00])
    expect(sum(await world.world.payments.refundsOf(owner.charge.stripeId))).toBe(450_00)
  }
})

it('a vet who joins as the time runs out makes the consult paid or free, never half [CON-11]', async () => {
  const vet = await world.vet()
  const owners = await late()
  await Promise.all([
    world.runDue(),
    ...owners.map((owner) => vet.send(takeConsultation, { id: owner.consultation.id })),
    world.runDue(),
  ])
  await world.runDue()
  for (const owner of owners) {
    const [row] = await world.rows(consultations, { id: owner.consultation.id })
    expect(row!.vetId).toBe(vet.id)
    expect(await refundsOf(owner.charge.id)).toHaveLength(row!.freeSince === null ? 0 : 1)
  }
})

it('a refund reported twelve times in parallel is recorded once [SUB-5]', async () => {
  const { charge } = await payingOwner(world)
  const taken = { id: 're_heard', intent: charge.stripeId, amount: 10_00, at: world.now(), row: null }
  await twelve(() => recordRefund(world.world, taken))
  expect(await entriesOf(charge.id)).toHaveLength(1)
})
