import { expect, it } from 'vitest'
import { getConsultation } from '#contract/consultations.ts'
import { takeConsultation } from '#contract/queue.ts'
import type { Currency, Region } from '#contract/regions.ts'
import { consultations, ledger, refunds } from '#server/db/schema.ts'
import { stayFree } from '#server/consultations/writes.ts'
import { purchaseOf } from '#test/purchases.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

async function bought(amount: number, region: Region = 'za', currency: Currency = 'zar') {
  const guest = await world.guest()
  const { id } = guest.consultation
  await world.change(consultations, id, { region })
  const purchase = await purchaseOf(world, {
    state: 'delivered',
    region,
    amount,
    currency,
    userId: guest.user.id,
    email: guest.user.email,
    consultationId: id,
    paidAt: world.now(),
    deliveredAt: world.now(),
  })
  const of = { currency, region, what: 'consult', purchaseId: purchase.id } as const
  const charged = { ...of, at: world.now(), kind: 'charge', amount, stripeId: `pi_${id}` } as const
  const charge = amount === 0 ? undefined : await world.add(ledger, charged)
  return { guest, id, charge }
}

it.each([
  ['za', 'zar', 450_00],
  ['au', 'aud', 39_95],
] as const)(
  'the buyer and admins see what was paid for one consult and what is refunded [CON-11] (%s)',
  async (region, currency, amount) => {
    const { guest, id, charge } = await bought(amount, region, currency)
    const [vet, admin] = [await world.vet(region), await world.admin()]
    const paid = async (reader: Pick<typeof guest, 'call'> = guest) =>
      (await reader.call(getConsultation, { id })).consultation.paid
    expect(await paid()).toEqual({ amount, currency, refunded: 0, on_its_way: 0, why: null })
    const late = {
      chargeId: charge!.id,
      amount: amount - 1000,
      why: 'late',
      idempotencyKey: `late ${id}`,
    } as const
    const asked = await world.add(refunds, { ...late, dueAt: world.now() })
    expect(await paid()).toEqual({
      amount,
      currency,
      refunded: amount - 1000,
      on_its_way: amount - 1000,
      why: 'late',
    })
    // The provider refused that one, so it doesn't count.
    await world.change(refunds, asked.id, { dueAt: null })
    expect(await paid()).toEqual({ amount, currency, refunded: 0, on_its_way: 0, why: null })
    // This one was refunded at the provider's dashboard.
    await world.add(ledger, {
      at: world.now(),
      kind: 'refund',
      amount: -amount,
      currency,
      region,
      what: 'consult',
      chargeId: charge!.id,
      purchaseId: charge!.purchaseId,
      stripeId: `re_${id}`,
    })
    for (const reader of [guest, admin])
      expect(await paid(reader)).toEqual({ amount, currency, refunded: amount, on_its_way: 0, why: 'by_us' })
    expect(await paid(vet)).toBeNull()
    const taken = await vet.call(takeConsultation, { id })
    expect(taken.consultation.paid).toBeNull()
  },
)

it("what was paid is null for a member's consult, and zero if a coupon left nothing to pay [CON-11]", async () => {
  const [owner, free] = [await world.member(), await bought(0)]
  const { id } = await world.consultOf(owner)
  expect((await owner.call(getConsultation, { id })).consultation.paid).toBeNull()
  const { paid } = (await free.guest.call(getConsultation, { id: free.id })).consultation
  expect(paid).toEqual({ amount: 0, currency: 'zar', refunded: 0, on_its_way: 0, why: null })
})

it('a consult stays free from the first time it was made free [CON-11]', async () => {
  const { id } = await bought(450_00)
  const at = world.now()
  await stayFree(world.world, id, at)
  await stayFree(world.world, id, new Date(at.getTime() + 1000))
  const [row] = await world.rows(consultations, { id })
  expect(row!.freeSince).toEqual(at)
})
