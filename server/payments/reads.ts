import { and, eq, isNull, sql } from 'drizzle-orm'
import type { people } from '#contract/call.ts'
import type { PaymentMethod } from '#contract/payments.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { cards, customers, pets, subscriptionPets, users } from '../db/schema.ts'

type Db = Pick<World, 'db'>
type Card = Pick<typeof cards.$inferSelect, 'brand' | 'last4' | 'expMonth' | 'expYear'>

export const asMethod = ({ brand, last4, expMonth, expYear }: Card): PaymentMethod => ({
  object: 'card',
  brand,
  last4,
  exp_month: expMonth,
  exp_year: expYear,
})

export async function myPaymentMethod({ db, actor }: Ctx<typeof people>): Promise<PaymentMethod | null> {
  const [card] = await db.select().from(cards).where(eq(cards.userId, actor.userId))
  return card ? asMethod(card) : null
}

/** The provider's id of the card on file. */
export async function cardOnFile({ db }: Db, userId: number): Promise<string | null> {
  const [row] = await db
    .select({ card: cards.stripePaymentMethod })
    .from(cards)
    .where(eq(cards.userId, userId))
  return row?.card ?? null
}

/** The payer, with their customer id at the provider. */
export async function payerOf({ db }: Db, userId: number) {
  const [payer] = await db
    .select({
      ...columnsOf(users, 'publicId', 'email', 'emailConfirmedAt', 'firstName', 'lastName', 'region'),
      customer: customers.stripeCustomer,
      hasCard: sql<boolean>`${cards.userId} is not null`,
    })
    .from(users)
    .leftJoin(customers, eq(customers.userId, users.id))
    .leftJoin(cards, eq(cards.userId, users.id))
    .where(eq(users.id, userId))
  return payer!
}

export type Payer = Awaited<ReturnType<typeof payerOf>>

/** One of this person's pets that isn't put away, and its membership. */
export async function petAndPlace({ db }: Db, userId: number, petId: number) {
  const [pet] = await db
    .select({
      ...columnsOf(pets, 'id', 'name', 'speciesId'),
      membershipId: subscriptionPets.subscriptionId,
    })
    .from(pets)
    .leftJoin(subscriptionPets, and(eq(subscriptionPets.petId, pets.id), isNull(subscriptionPets.freeAt)))
    .where(and(eq(pets.id, petId), eq(pets.ownerId, userId), isNull(pets.putAwayAt)))
  return pet
}
