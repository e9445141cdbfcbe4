import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, smallint, text } from 'drizzle-orm/pg-core'
import { PLANS } from '#contract/memberships.ts'
import { createdAt, currency, id, idOf, indexWhere, region, time, uniqueWhere, table } from './columns.ts'
import { users } from './accounts.ts'
import { pets } from './pets.ts'

export const subscriptions = table(
  'subscriptions',
  {
    id: id(),
    userId: idOf(() => users.id),
    plan: text({ enum: PLANS }).notNull(),
    region: region(),
    price: integer().notNull(),
    currency: currency(),
    stripeSubscription: text().unique(),
    status: text().notNull(),
    recurringStart: time().notNull(),
    currentPeriodEnd: time(),
    /** When cover ends or ended; null while it renews. */
    end: time(),
    endedAt: time(),
    deletedAt: time(),
    pastDueSince: time(),
    source: text().$type<'vetchat' | 'insurer' | 'petstock'>().notNull().default('vetchat'),
    /** The partner's own number. */
    subsId: text(),
    pawcareOut: boolean().notNull().default(false),
    /** A coupon's discount on each payment until then. */
    discount: jsonb().$type<{ percentOff: number | null; amountOff: number | null; until: string }>(),
    renewalToldFor: time(),
    createdAt: createdAt(),
  },
  (t) => [
    check('subscriptions_price', sql`${t.price} >= 0`),
    check('subscriptions_paid_by', sql`(${t.source} = 'vetchat') = (${t.stripeSubscription} is not null)`),
    index('subscriptions_user').on(t.userId),
    index('subscriptions_began').on(t.region, t.recurringStart),
    indexWhere('subscriptions_ended', 'ended_at is not null', t.region, t.endedAt),
    indexWhere('subscriptions_ending', 'ended_at is null and "end" is not null', t.end),
    indexWhere('subscriptions_renewing', '"end" is null and deleted_at is null', t.currentPeriodEnd),
  ],
)

/** A pet's place in a membership. A membership has five, each for one pet, so a sixth pet doesn't fit. */
export const subscriptionPets = table(
  'subscription_pets',
  {
    id: id(),
    subscriptionId: idOf(() => subscriptions.id),
    petId: idOf(() => pets.id),
    place: smallint().notNull(),
    addedAt: createdAt(),
    freeAt: time(),
  },
  (t) => [
    check('subscription_pets_place', sql`${t.place} between 1 and 5`),
    uniqueWhere('subscription_pets_one_a_place', 'free_at is null', t.subscriptionId, t.place),
    uniqueWhere('subscription_pets_once', 'free_at is null', t.petId),
    // The indexes above leave out places that are free again.
    index('subscription_pets_subscription').on(t.subscriptionId),
    index('subscription_pets_pet').on(t.petId),
  ],
)

export const pawcarePets = table(
  'pawcare_pets',
  {
    id: id(),
    petId: idOf(() => pets.id),
    optIn: time().notNull().defaultNow(),
    optOut: time(),
  },
  (t) => [
    uniqueWhere('pawcare_pets_one_open', 'opt_out is null', t.petId),
    index('pawcare_pets_pet').on(t.petId),
    check('pawcare_pets_order', sql`${t.optOut} >= ${t.optIn}`),
  ],
)

export const giftCards = table(
  'gift_cards',
  {
    id: id(),
    userId: integer()
      .notNull()
      .unique()
      .references(() => users.id),
    subscriptionId: idOf(() => subscriptions.id),
    /** A card earns one gift, with any number of emails. */
    cardFingerprint: text().notNull().unique(),
    code: text().unique(),
    amount: integer().notNull(),
    currency: currency(),
    dueAt: time().notNull(),
    issuedAt: time(),
    takenBackAt: time(),
  },
  (t) => [check('gift_cards_amount', sql`${t.amount} > 0`)],
)
