import { eq } from 'drizzle-orm'
import { REGIONS, type Region } from '#contract/regions.ts'
import { ledger, type purchases } from '#server/db/schema.ts'
import { recordCharge } from '#server/ledger/writes.ts'
import { purchaseOf } from './purchases.ts'
import type { TestWorld } from './world.ts'

/** A card charge by the provider's sandbox, with its purchase. */
export async function paidFor(
  { world }: Pick<TestWorld, 'world'>,
  { id: userId, email, region }: { id: number; email: string; region: Region },
  bought: Partial<typeof purchases.$inferInsert> = {},
) {
  const { currency, prices } = REGIONS[region]
  const { payments, now, db } = world
  const times = { paidAt: now(), deliveredAt: now() }
  const purchase = await purchaseOf(world, {
    state: 'delivered',
    amount: prices.consult,
    region,
    currency,
    userId,
    email,
    ...times,
    ...bought,
  })
  const { id, amount, idempotencyKey: key } = purchase
  const customer = await payments.createCustomer({ email, name: 'A Buyer', userId }, `customer ${key}`)
  const read = await payments.readCard('tok_visa', `card ${key}`)
  if (read.state !== 'done') throw new Error('The sandbox refused a card')
  const order = { customer, card: read.card.id, amount, currency, purchase: id, what: 'A consult' }
  const asked = await payments.charge(order, `charge ${key}`)
  if (asked.state !== 'asked') throw new Error('The sandbox refused a charge')
  const stripeId = asked.intent.id
  await recordCharge(world, { amount, currency, region, what: 'consult', userId, purchaseId: id, stripeId })
  const [charge] = await db.select().from(ledger).where(eq(ledger.stripeId, stripeId))
  return { purchase, charge: charge! }
}

/** A guest who paid for one consult and holds its token. */
export async function payingGuest(world: TestWorld, region: Region = 'za') {
  const guest = await world.guest(region)
  return { ...guest, ...(await paidFor(world, guest.user, { consultationId: guest.consultation.id })) }
}

/** An owner who paid for one consult, which is in the queue. */
export async function payingOwner(world: TestWorld) {
  const owner = await world.owner()
  const pet = await world.pet(owner.id)
  const consultation = await world.consultation({ userId: owner.id, petId: pet.id })
  return { ...owner, consultation, ...(await paidFor(world, owner, { consultationId: consultation.id })) }
}
