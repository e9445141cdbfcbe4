import { eq } from 'drizzle-orm'
import type { Input } from '#contract/call.ts'
import { newUserConsultation, payForConsult } from '#contract/checkout.ts'
import { setDuty } from '#contract/queue.ts'
import { COUPONS } from '#server/db/demo/coupons.ts'
import { breeds, coupons, purchases, sandboxObjects } from '#server/db/schema.ts'
import { solved } from './joining.ts'
import { createWorld } from './world.ts'

export const AU = { host: 'au.localhost' }

let count = 0
export const person = () => ({
  firstName: 'Thandi',
  lastName: 'Mokoena',
  email: `buyer${++count}@example.com`,
  mobile: '082 123 4567',
})

type Pay = Input<typeof payForConsult>
/** A text consult, paid for with a working card. */
export const order = (change: Partial<Pay> = {}) => ({
  card: { token: 'tok_visa' },
  amount: 45_000,
  currency: 'ZAR',
  consult: 1,
  user: person(),
  agreed: true,
  terms: '1',
  ...change,
})

export type Shop = Awaited<ReturnType<typeof openShop>>

/** A world that sells consults: both regions are open, with the demo's coupons and a vet in each who can be on or off duty. */
export async function openShop() {
  const world = await createWorld({ env: { SITES: 'au=http://au.localhost' } })
  const vets = [await world.vet(), await world.vet('au')]
  await world.db
    .insert(coupons)
    .values(COUPONS.map((coupon) => ({ ...coupon, referrer: 'VetChat', demo: true })))
  const [dog] = await world.db.select().from(breeds).where(eq(breeds.speciesId, 1)).limit(1)
  const breed = dog!.id
  // Midday in Sydney.
  world.advance({ hours: (26 - world.now().getUTCHours()) % 24 })

  const details = (change: object = {}) => ({
    name: 'Biscuit',
    pet_species: 1,
    pet_breed: breed,
    pet_age: '3',
    pet_dob: '',
    pet_sex: 0,
    query: 'She will not eat',
    postcode: '8001',
    address: '1 Long Street',
    user_clinic: 'Two Oaks',
    emailSubscription: false,
    ...change,
  })
  const begin = (paid: { purchase: string; customer: { id: string } }, sent: Pay, change: object = {}) => ({
    purchase: paid.purchase,
    customer_id: paid.customer.id,
    ...sent.user,
    ...details(),
    consult_type: sent.consult,
    coupon_code: sent.coupon_code ?? '',
    ...change,
  })
  return {
    world,
    breed,
    details,
    visitor: world.visitor,
    /** An order that costs nothing, with its human check. */
    free: async (change: Partial<Pay> = {}) => {
      const nothing = { card: null, amount: 0, coupon_code: 'FREECONSULT' }
      return order({ ...nothing, userConfirmation: await solved(world, 'pay'), ...change })
    },
    begin,
    /** Pays and begins the consult, as a visitor unless somebody is named. */
    async buy(
      sent: Pay = order(),
      change: object = {},
      by: Pick<typeof world.nobody, 'call'> = world.visitor(),
    ) {
      const paid = await by.call(payForConsult, sent)
      const { consultation, token } = await by.call(newUserConsultation, begin(paid, sent, change))
      return { sent, paid, id: consultation.id, token, guest: world.visitor().with(token) }
    },
    purchaseOf: async (email: string) => (await world.rows(purchases, { email }))[0]!,
    async chargesOf(customer: string | null) {
      if (customer === null) return []
      const objects = await world.rows(sandboxObjects, { customer })
      return objects.filter(({ object }) => object === 'charge')
    },
    /** Sets faults for the next calls to the payment provider. */
    arm: (fault: 'lostAnswer' | 'error500' | 'slow', times: number) =>
      world.arm(fault, 'POST /v1/payment_intents', times),
    /** Sign the vets in again: staff sessions are short, and the clock jumps. */
    async duty(on: boolean) {
      for (const { id } of vets) await world.nobody.with(await world.signIn(id)).call(setDuty, { on })
    },
  }
}
