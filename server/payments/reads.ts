import { eq } from 'drizzle-orm'
import type { people } from '#contract/call.ts'
import type { PaymentMethod } from '#contract/payments.ts'
import type { Ctx } from '../context.ts'
import { cards } from '../db/schema.ts'

export async function myPaymentMethod({ db, actor }: Ctx<typeof people>): Promise<PaymentMethod | null> {
  const [card] = await db.select().from(cards).where(eq(cards.userId, actor.userId))
  if (!card) return null
  const { brand, last4, expMonth, expYear } = card
  return { object: 'card', brand, last4, exp_month: expMonth, exp_year: expYear }
}
