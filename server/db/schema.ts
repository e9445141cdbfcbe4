import { sql, type SQL } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  char,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Region } from '#contract/regions.ts'

/**
 * Every table of the product. A wrong state should be impossible here before it is forbidden anywhere else.
 * Times carry their zone, money is in minor units, an address in the database is never one in a log.
 */
const id = () => integer().primaryKey().generatedAlwaysAsIdentity()
const time = () => timestamp({ withTimezone: true, precision: 3 })
const createdAt = () => time().notNull().defaultNow()
const region = () => text().$type<Region>().notNull()
const oneOf = (column: SQL | { name: string }, ...values: string[]) =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`
const REGIONS = ['za', 'au']
const CURRENCIES = ['zar', 'aud']

/* ---------- accounts and profile and queue ---------- */

export const users = pgTable(
  'users',
  {
    id: id(),
    /** Names the account to the outside where a number could be counted through. */
    publicId: text().notNull().unique(),
    type: smallint().$type<1 | 2 | 3>().notNull().default(1),
    /** Bought one consultation, no account yet: may share an email with one. */
    guest: boolean().notNull().default(false),
    email: text().notNull(),
    emailConfirmedAt: time(),
    passwordHash: text(),
    firstName: text().notNull().default(''),
    lastName: text().notNull().default(''),
    mobile: text().notNull().default(''),
    postcode: text().notNull().default(''),
    address: text().notNull().default(''),
    userClinic: text().notNull().default(''),
    region: region(),
    canConsult: boolean().notNull().default(true),
    notifications: jsonb().$type<Record<string, boolean>>().notNull().default({}),
    /** A vet's number at the regulator; an admin enters it. */
    registration: text(),
    onDutySince: time(),
    lastSeenAt: time(),
    demo: boolean().notNull().default(false),
    createdAt: createdAt(),
    deletedAt: time(),
  },
  (t) => [
    uniqueIndex('users_email')
      .on(t.email)
      .where(sql`not guest and deleted_at is null`),
    index('users_email_begins').on(sql`${t.email} text_pattern_ops`),
    index('users_name_begins').on(sql`lower(${t.firstName} || ' ' || ${t.lastName}) text_pattern_ops`),
    index('users_last_name_begins').on(sql`lower(${t.lastName}) text_pattern_ops`),
    index('users_on_duty')
      .on(t.onDutySince)
      .where(sql`on_duty_since is not null`),
    check('users_email_form', sql`${t.email} = lower(trim(${t.email})) and ${t.email} like '%_@_%'`),
    check('users_type', sql`${t.type} in (1, 2, 3)`),
    check('users_region', oneOf(t.region, ...REGIONS)),
    check('users_guest_is_owner', sql`not ${t.guest} or (${t.type} = 1 and ${t.passwordHash} is null)`),
    check('users_vet_is_registered', sql`${t.type} <> 2 or ${t.registration} is not null`),
    check('users_only_vets_on_duty', sql`${t.onDutySince} is null or ${t.type} in (2, 3)`),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    kind: text().$type<'user' | 'guest' | 'clinic'>().notNull(),
    userId: integer().references(() => users.id),
    consultationId: integer().references(() => consultations.id),
    clinicId: integer().references(() => clinics.id),
    remember: boolean().notNull().default(false),
    agent: text().notNull().default(''),
    createdAt: createdAt(),
    lastUsedAt: time().notNull().defaultNow(),
    expiresAt: time().notNull(),
    endedAt: time(),
  },
  (t) => [
    check(
      'sessions_kind',
      sql`case ${t.kind}
        when 'user' then ${t.userId} is not null and ${t.consultationId} is null and ${t.clinicId} is null
        when 'guest' then ${t.consultationId} is not null and ${t.userId} is null and ${t.clinicId} is null
        when 'clinic' then ${t.clinicId} is not null and ${t.userId} is null and ${t.consultationId} is null
        else false end`,
    ),
    index('sessions_user').on(t.userId),
    index('sessions_expiry').on(t.expiresAt),
  ],
)

/** Somebody asked for a code. Written alike for known and unknown emails; the clock mails the known ones. */
export const codeRequests = pgTable('code_requests', {
  id: id(),
  email: text().notNull(),
  at: time().notNull(),
})

/** Tries that are counted, by the hash of what they are counted for. */
export const tries = pgTable(
  'tries',
  {
    name: text().notNull(),
    keyHash: text().notNull(),
    openedAt: time().notNull(),
    closesAt: time().notNull(),
    count: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.name, t.keyHash] }), index('tries_closes').on(t.closesAt)],
)

export const consents = pgTable(
  'consents',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id),
    terms: text().notNull(),
    /** The call that carried it, and whether the person ticked or the client asked for itself. */
    call: text().notNull(),
    ticked: boolean().notNull(),
    at: createdAt(),
  },
  (t) => [index('consents_user').on(t.userId)],
)

export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    at: createdAt(),
    userId: integer().references(() => users.id),
    action: text().notNull(),
    subject: text().notNull(),
    subjectId: text().notNull(),
    reason: text().notNull().default(''),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  },
  (t) => [index('audit_log_subject').on(t.subject, t.subjectId), index('audit_log_at').on(t.at)],
)

/** Mails that are due: written with the change that causes them, sent by the clock. */
export const mails = pgTable(
  'mails',
  {
    id: id(),
    messageId: text().notNull().unique(),
    /** A mail with a key is written once, whatever restarts. */
    key: text().unique(),
    template: text().notNull(),
    region: region(),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    /** Kept files that go along, by their key. */
    attachments: jsonb().$type<{ filename: string; key: string; type: string }[]>().notNull().default([]),
    dueAt: time().notNull(),
    attempts: integer().notNull().default(0),
    claimedUntil: time(),
    sentAt: time(),
    failedAt: time(),
    error: text(),
    createdAt: createdAt(),
  },
  (t) => [
    check('mails_region', oneOf(t.region, ...REGIONS)),
    index('mails_due')
      .on(t.dueAt)
      .where(sql`sent_at is null and failed_at is null`),
    index('mails_to').on(t.to, t.id),
  ],
)

/** Small facts an admin or the product keeps: the announcement, the content's version. */
export const settings = pgTable('settings', {
  key: text().primaryKey(),
  value: jsonb().$type<unknown>().notNull(),
  changedAt: time().notNull().defaultNow(),
})

/* ---------- codes ---------- */

/** Codes and links that were mailed, by their hash. One open code a purpose: a newer one replaces it. */
export const mailedCodes = pgTable(
  'mailed_codes',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id),
    purpose: text().$type<'reset' | 'claim' | 'confirm' | 'change_email' | 'bind_policy'>().notNull(),
    codeHash: text().notNull().unique(),
    about: jsonb().$type<Record<string, string>>().notNull().default({}),
    createdAt: createdAt(),
    expiresAt: time().notNull(),
    usedAt: time(),
  },
  (t) => [
    check(
      'mailed_codes_purpose',
      oneOf(t.purpose, 'reset', 'claim', 'confirm', 'change_email', 'bind_policy'),
    ),
    uniqueIndex('mailed_codes_one_open')
      .on(t.userId, t.purpose)
      .where(sql`used_at is null`),
  ],
)

/* ---------- once ---------- */

/** What may be used one single time: solved challenges, signed links. */
export const spent = pgTable('spent', { keyHash: text().primaryKey(), forgetAt: time().notNull() }, (t) => [
  index('spent_forget').on(t.forgetAt),
])

/* ---------- pets ---------- */

export const species = pgTable('species', { id: smallint().primaryKey(), name: text().notNull().unique() })

export const breeds = pgTable(
  'breeds',
  {
    id: id(),
    speciesId: smallint()
      .notNull()
      .references(() => species.id),
    name: text().notNull(),
  },
  (t) => [unique('breeds_name').on(t.speciesId, t.name), unique('breeds_of_species').on(t.id, t.speciesId)],
)

/** Pictures and files as they were uploaded; what nothing names is removed after a day. */
export const uploads = pgTable(
  'uploads',
  {
    id: id(),
    name: text().notNull().unique(),
    userId: integer().references(() => users.id),
    type: text().notNull(),
    bytes: integer().notNull(),
    width: integer(),
    height: integer(),
    createdAt: createdAt(),
    namedAt: time(),
  },
  (t) => [
    check('uploads_bytes', sql`${t.bytes} > 0`),
    index('uploads_unnamed')
      .on(t.createdAt)
      .where(sql`named_at is null`),
  ],
)

export const pets = pgTable(
  'pets',
  {
    id: id(),
    ownerId: integer()
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    speciesId: smallint()
      .notNull()
      .references(() => species.id),
    breedId: integer(),
    sex: smallint().$type<1 | 2>(),
    dob: date(),
    dobApproximate: boolean().notNull().default(false),
    desexed: boolean(),
    microchip: text().notNull().default(''),
    uploadId: integer().references(() => uploads.id),
    /** The policy it was added with; it is bound once that policy names the pet too. */
    policyId: integer().references((): AnyPgColumn => policies.id),
    /** The sender's key, and the hash of what came with it: the same press adds one pet. */
    addedKey: text().unique(),
    addedPayload: text(),
    createdAt: createdAt(),
    putAwayAt: time(),
    putAwayWhy: text().$type<'moved' | 'died'>(),
  },
  (t) => [
    foreignKey({
      name: 'pets_breed_of_species',
      columns: [t.breedId, t.speciesId],
      foreignColumns: [breeds.id, breeds.speciesId],
    }),
    check('pets_name', sql`length(trim(${t.name})) > 0`),
    check('pets_sex', sql`${t.sex} in (1, 2)`),
    check('pets_microchip', sql`${t.microchip} ~ '^([0-9]{15})?$'`),
    check(
      'pets_put_away',
      sql`(${t.putAwayAt} is null) = (${t.putAwayWhy} is null) and ${t.putAwayWhy} in ('moved', 'died')`,
    ),
    index('pets_owner').on(t.ownerId),
    index('pets_name_begins').on(sql`lower(${t.name}) text_pattern_ops`),
  ],
)

export const careItems = pgTable(
  'care_items',
  {
    id: id(),
    petId: integer()
      .notNull()
      .references(() => pets.id),
    item: text().$type<'vaccination' | 'parasites' | 'dental' | 'weight' | 'check-up'>().notNull(),
    dueOn: date().notNull(),
    doneOn: date(),
    remindedAt: time(),
  },
  (t) => [
    unique('care_items_once').on(t.petId, t.item, t.dueOn),
    check('care_items_item', oneOf(t.item, 'vaccination', 'parasites', 'dental', 'weight', 'check-up')),
  ],
)

/* ---------- policies ---------- */

export const policies = pgTable(
  'policies',
  {
    id: id(),
    policy: text().notNull().unique(),
    holderEmail: text().notNull(),
    petName: text().notNull(),
    speciesId: smallint()
      .notNull()
      .references(() => species.id),
    lapsedAt: time(),
    userId: integer().references(() => users.id),
    petId: integer()
      .unique()
      .references(() => pets.id),
    boundAt: time(),
    demo: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    check(
      'policies_bound',
      sql`(${t.boundAt} is null) = (${t.userId} is null) and (${t.petId} is null or ${t.userId} is not null)`,
    ),
    index('policies_user').on(t.userId),
  ],
)

/** One row a file of the partner insurer's daily feed; the same file changes nothing twice. */
export const feedRuns = pgTable('feed_runs', {
  id: id(),
  file: text().notNull(),
  contentHash: text().notNull().unique(),
  state: text().$type<'applied' | 'waiting' | 'refused'>().notNull(),
  added: integer().notNull().default(0),
  changed: integer().notNull().default(0),
  lapsed: integer().notNull().default(0),
  badRows: jsonb().$type<{ row: number; why: string }[]>().notNull().default([]),
  at: createdAt(),
})

/* ---------- memberships ---------- */

export const subscriptions = pgTable(
  'subscriptions',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id),
    plan: text().$type<'annual' | 'monthly'>().notNull(),
    region: region(),
    price: integer().notNull(),
    currency: text().$type<'zar' | 'aud'>().notNull(),
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
    /** What a coupon takes off each payment until then. */
    discount: jsonb().$type<{ percentOff: number | null; amountOff: number | null; until: string }>(),
    renewalToldFor: time(),
    createdAt: createdAt(),
  },
  (t) => [
    check('subscriptions_plan', oneOf(t.plan, 'annual', 'monthly')),
    check('subscriptions_region', oneOf(t.region, ...REGIONS)),
    check('subscriptions_currency', oneOf(t.currency, ...CURRENCIES)),
    check('subscriptions_price', sql`${t.price} >= 0`),
    check('subscriptions_paid_by', sql`(${t.source} = 'vetchat') = (${t.stripeSubscription} is not null)`),
    index('subscriptions_user').on(t.userId),
    index('subscriptions_ending')
      .on(t.end)
      .where(sql`ended_at is null and "end" is not null`),
    index('subscriptions_renewing')
      .on(t.currentPeriodEnd)
      .where(sql`"end" is null and deleted_at is null`),
  ],
)

/** A pet's place in a membership. Five places, each held once: a sixth pet has nowhere to stand. */
export const subscriptionPets = pgTable(
  'subscription_pets',
  {
    id: id(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    petId: integer()
      .notNull()
      .references(() => pets.id),
    place: smallint().notNull(),
    addedAt: createdAt(),
    freeAt: time(),
  },
  (t) => [
    check('subscription_pets_place', sql`${t.place} between 1 and 5`),
    uniqueIndex('subscription_pets_one_a_place')
      .on(t.subscriptionId, t.place)
      .where(sql`free_at is null`),
    uniqueIndex('subscription_pets_once')
      .on(t.petId)
      .where(sql`free_at is null`),
    // The others hold no place that is free again.
    index('subscription_pets_subscription').on(t.subscriptionId),
    index('subscription_pets_pet').on(t.petId),
  ],
)

export const pawcarePets = pgTable(
  'pawcare_pets',
  {
    id: id(),
    petId: integer()
      .notNull()
      .references(() => pets.id),
    optIn: time().notNull().defaultNow(),
    optOut: time(),
  },
  (t) => [
    uniqueIndex('pawcare_pets_one_open')
      .on(t.petId)
      .where(sql`opt_out is null`),
    index('pawcare_pets_pet').on(t.petId),
    check('pawcare_pets_order', sql`${t.optOut} >= ${t.optIn}`),
  ],
)

/* ---------- memberships ---------- */

export const giftCards = pgTable(
  'gift_cards',
  {
    id: id(),
    userId: integer()
      .notNull()
      .unique()
      .references(() => users.id),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    /** The same card earns one gift, whatever email it comes with. */
    cardFingerprint: text().notNull().unique(),
    code: text().unique(),
    amount: integer().notNull(),
    currency: text().$type<'zar' | 'aud'>().notNull(),
    dueAt: time().notNull(),
    issuedAt: time(),
    takenBackAt: time(),
  },
  (t) => [
    check('gift_cards_amount', sql`${t.amount} > 0`),
    check('gift_cards_currency', oneOf(t.currency, ...CURRENCIES)),
  ],
)

/* ---------- claims ---------- */

export const claims = pgTable(
  'claims',
  {
    id: id(),
    petId: integer()
      .notNull()
      .references(() => pets.id),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    incident: text().notNull(),
    happenedOn: date().notNull(),
    amount: integer().notNull(),
    currency: text().$type<'zar' | 'aud'>().notNull(),
    wouldPay: integer().notNull(),
    uploadId: integer()
      .notNull()
      .references(() => uploads.id),
    state: text().$type<'received' | 'sent' | 'decided'>().notNull().default('received'),
    decision: text().notNull().default(''),
    createdAt: createdAt(),
  },
  (t) => [
    check('claims_state', oneOf(t.state, 'received', 'sent', 'decided')),
    check('claims_money', sql`${t.amount} > 0 and ${t.wouldPay} >= 0`),
    check('claims_currency', oneOf(t.currency, ...CURRENCIES)),
    index('claims_pet').on(t.petId),
  ],
)

/* ---------- coupons ---------- */

export const coupons = pgTable(
  'coupons',
  {
    id: id(),
    code: text().notNull(),
    amountOff: integer(),
    percentOff: smallint(),
    leftToPay: integer(),
    length: smallint(),
    referrer: text().notNull(),
    end: time(),
    /** Null: all regions, with a percentage only. */
    region: text().$type<Region>(),
    product: text().$type<'consult' | 'membership' | 'both'>().notNull().default('both'),
    /** Of memberships this one only. */
    plan: text().$type<'annual' | 'monthly'>(),
    uses: integer(),
    usesEach: integer(),
    /** Whose it is, and the consult that it thanks for: one each. */
    userId: integer().references(() => users.id),
    consultationId: integer()
      .unique()
      .references((): AnyPgColumn => consultations.id),
    demo: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: time().notNull().defaultNow(),
    deletedAt: time(),
  },
  (t) => [
    // A code means one coupon wherever it is typed: one that holds everywhere stands in the way of one of a region.
    ...REGIONS.map((region) =>
      uniqueIndex(`coupons_code_${region}`)
        .on(sql`lower(${t.code})`)
        .where(sql.raw(`deleted_at is null and coalesce(region, '${region}') = '${region}'`)),
    ),
    check('coupons_personal', sql`${t.consultationId} is null or ${t.userId} is not null`),
    check('coupons_one_kind', sql`num_nonnulls(${t.amountOff}, ${t.percentOff}, ${t.leftToPay}) = 1`),
    check('coupons_amount', sql`${t.amountOff} >= 1`),
    check('coupons_percent', sql`${t.percentOff} between 1 and 100`),
    check('coupons_left', sql`${t.leftToPay} >= 0`),
    check(
      'coupons_region',
      sql`${t.region} in ('za', 'au') and (${t.region} is not null or ${t.percentOff} is not null)`,
    ),
    check('coupons_plan', oneOf(t.plan, 'annual', 'monthly')),
    check('coupons_product', oneOf(t.product, 'consult', 'membership', 'both')),
    check('coupons_uses', sql`${t.uses} >= 1 and ${t.usesEach} >= 1`),
  ],
)

export const couponUses = pgTable(
  'coupon_uses',
  {
    id: id(),
    couponId: integer()
      .notNull()
      .references(() => coupons.id),
    purchaseId: integer()
      .notNull()
      .unique()
      .references((): AnyPgColumn => purchases.id),
    buyer: text().notNull(),
    at: createdAt(),
    releasedAt: time(),
  },
  (t) => [
    index('coupon_uses_coupon')
      .on(t.couponId)
      .where(sql`released_at is null`),
  ],
)

/* ---------- purchases and payments ---------- */

/** A purchase is one row with states, written before the card is charged and finished by the clock if need be. */
export const purchases = pgTable(
  'purchases',
  {
    id: id(),
    /** What only the paying browser holds, by its hash. */
    tokenHash: text().notNull().unique(),
    kind: text().$type<'consult' | 'membership' | 'pet' | 'offer'>().notNull(),
    state: text()
      .$type<'quoted' | 'paying' | 'paid' | 'delivered' | 'refused' | 'released' | 'refunded'>()
      .notNull()
      .default('quoted'),
    region: region(),
    amount: integer().notNull(),
    currency: text().$type<'zar' | 'aud'>().notNull(),
    userId: integer().references(() => users.id),
    email: text().notNull(),
    /** The sender's key, or the card token where none was sent; the same key with another payload is refused. */
    idempotencyKey: text().notNull().unique(),
    payloadHash: text().notNull(),
    couponId: integer().references(() => coupons.id),
    promo: text(),
    order: jsonb().$type<object>().notNull(),
    stripeCustomer: text(),
    stripeIntent: text().unique(),
    stripeSubscription: text().unique(),
    /** The same card has the same one, whoever uses it. */
    cardFingerprint: text(),
    consultationId: integer()
      .unique()
      .references(() => consultations.id),
    subscriptionId: integer()
      .unique()
      .references(() => subscriptions.id),
    createdAt: createdAt(),
    paidAt: time(),
    deliveredAt: time(),
    dueAt: time(),
    attempts: integer().notNull().default(0),
  },
  (t) => [
    check('purchases_kind', oneOf(t.kind, 'consult', 'membership', 'pet', 'offer')),
    check(
      'purchases_state',
      oneOf(t.state, 'quoted', 'paying', 'paid', 'delivered', 'refused', 'released', 'refunded'),
    ),
    check('purchases_region', oneOf(t.region, ...REGIONS)),
    check('purchases_currency', oneOf(t.currency, ...CURRENCIES)),
    check('purchases_amount', sql`${t.amount} >= 0`),
    check(
      'purchases_paid',
      sql`${t.state} not in ('paid', 'delivered', 'refunded') or ${t.paidAt} is not null`,
    ),
    check('purchases_delivered', sql`${t.state} <> 'delivered' or ${t.deliveredAt} is not null`),
    index('purchases_due')
      .on(t.dueAt)
      .where(sql`due_at is not null`),
    index('purchases_user').on(t.userId),
  ],
)

/* ---------- ledger ---------- */

/** Every cent in and out, once, tied to what it was for. Rows are added and never changed. */
export const ledger = pgTable(
  'ledger',
  {
    id: id(),
    at: time().notNull(),
    /** A dispute takes money back through the bank until it is won; a refund that failed comes back to us. */
    kind: text().$type<'charge' | 'refund' | 'refund_failed' | 'dispute' | 'dispute_won'>().notNull(),
    /** Money out is below zero. */
    amount: integer().notNull(),
    currency: text().$type<'zar' | 'aud'>().notNull(),
    region: region(),
    what: text().$type<'consult' | 'membership' | 'renewal'>().notNull(),
    userId: integer().references(() => users.id),
    purchaseId: integer().references(() => purchases.id),
    subscriptionId: integer().references(() => subscriptions.id),
    consultationId: integer().references((): AnyPgColumn => consultations.id),
    /** The charge that all other kinds are about. */
    chargeId: integer().references((): AnyPgColumn => ledger.id),
    /** The provider's own name of this movement: a payment intent, a refund, a dispute; what came back of one says so behind it. */
    stripeId: text().notNull().unique(),
  },
  (t) => [
    check('ledger_kind', oneOf(t.kind, 'charge', 'refund', 'refund_failed', 'dispute', 'dispute_won')),
    check('ledger_what', oneOf(t.what, 'consult', 'membership', 'renewal')),
    check('ledger_currency', oneOf(t.currency, ...CURRENCIES)),
    check('ledger_region', oneOf(t.region, ...REGIONS)),
    check(
      'ledger_direction',
      sql`(${t.amount} > 0) = (${t.kind} in ('charge', 'refund_failed', 'dispute_won')) and ${t.amount} <> 0
        and (${t.kind} = 'charge') = (${t.chargeId} is null)`,
    ),
    check('ledger_for_something', sql`${t.purchaseId} is not null or ${t.subscriptionId} is not null`),
    index('ledger_user').on(t.userId),
    index('ledger_purchase').on(t.purchaseId),
    index('ledger_subscription').on(t.subscriptionId),
    index('ledger_charge').on(t.chargeId),
    index('ledger_at').on(t.at),
  ],
)

/** Money that is to go back: written first, then asked of the provider until it is done. */
export const refunds = pgTable(
  'refunds',
  {
    id: id(),
    chargeId: integer()
      .notNull()
      .references(() => ledger.id),
    amount: integer().notNull(),
    why: text().$type<'cancelled' | 'late' | 'by_us'>().notNull(),
    reason: text().notNull().default(''),
    byUserId: integer().references(() => users.id),
    /** The sender's key: the same press pays back once. */
    idempotencyKey: text().notNull().unique(),
    stripeRefund: text().unique(),
    createdAt: createdAt(),
    dueAt: time(),
    attempts: integer().notNull().default(0),
    doneAt: time(),
    /** The bank sent it back after it was done. */
    failedAt: time(),
  },
  (t) => [
    check('refunds_amount', sql`${t.amount} > 0`),
    check('refunds_why', oneOf(t.why, 'cancelled', 'late', 'by_us')),
    check('refunds_failed', sql`${t.failedAt} is null or (${t.doneAt} is null and ${t.dueAt} is null)`),
    check('refunds_by', sql`(${t.why} = 'by_us') = (${t.byUserId} is not null)`),
    index('refunds_charge').on(t.chargeId),
    index('refunds_due')
      .on(t.dueAt)
      .where(sql`due_at is not null`),
    uniqueIndex('refunds_by_itself_once')
      .on(t.chargeId)
      .where(sql`by_user_id is null`),
  ],
)

/* ---------- payments and purchases ---------- */

/** Whom the payment provider knows a person as. A guest's is written with the purchase instead. */
export const customers = pgTable('customers', {
  userId: integer()
    .primaryKey()
    .references(() => users.id),
  stripeCustomer: text().notNull().unique(),
  createdAt: createdAt(),
})

/** The card on file as the provider told it; its number never reaches us. */
export const cards = pgTable(
  'cards',
  {
    userId: integer()
      .primaryKey()
      .references(() => users.id),
    stripePaymentMethod: text().notNull().unique(),
    brand: text().notNull(),
    last4: char({ length: 4 }).notNull(),
    expMonth: smallint().notNull(),
    expYear: smallint().notNull(),
    updatedAt: time().notNull().defaultNow(),
  },
  (t) => [check('cards_month', sql`${t.expMonth} between 1 and 12`)],
)

/** Events of the payment provider, each applied once. */
export const providerEvents = pgTable('provider_events', {
  id: text().primaryKey(),
  type: text().notNull(),
  at: time().notNull(),
  receivedAt: createdAt(),
  appliedAt: time(),
})

/* ---------- sandbox ---------- */

/** What the payment provider would know, while its look-alike stands in for it. */
export const sandboxObjects = pgTable(
  'sandbox_objects',
  {
    id: text().primaryKey(),
    object: text().notNull(),
    customer: text(),
    /** When the provider's clock has something to do with it. */
    dueAt: time(),
    data: jsonb().$type<Record<string, unknown>>().notNull(),
    at: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  },
  (t) => [
    index('sandbox_objects_customer').on(t.object, t.customer),
    index('sandbox_objects_due')
      .on(t.dueAt)
      .where(sql`due_at is not null`),
  ],
)

/** Answers by the sender's key: the same request again gets the same answer. */
export const sandboxAnswers = pgTable('sandbox_answers', {
  key: text().primaryKey(),
  payloadHash: text().notNull(),
  status: smallint(),
  body: jsonb().$type<Record<string, unknown>>(),
  at: createdAt(),
})

/** Events on their way to our own endpoint. */
export const sandboxDeliveries = pgTable(
  'sandbox_deliveries',
  {
    id: id(),
    eventId: text().notNull(),
    event: jsonb().$type<Record<string, unknown>>().notNull(),
    dueAt: time().notNull(),
    attempts: integer().notNull().default(0),
    deliveredAt: time(),
  },
  (t) => [
    index('sandbox_deliveries_due')
      .on(t.dueAt)
      .where(sql`delivered_at is null`),
  ],
)

export const sandboxFaults = pgTable('sandbox_faults', {
  id: id(),
  call: text().notNull(),
  fault: text().notNull(),
  left: integer().notNull(),
})

/* ---------- clinics ---------- */

export interface ClinicContact {
  vetName: string
  contact: string
  na: boolean
  note: string
}

export const clinics = pgTable(
  'clinics',
  {
    id: id(),
    clinic: text().notNull(),
    address: text().notNull().default(''),
    state: text().notNull().default(''),
    telephone: text().notNull().default(''),
    email: text().notNull().default(''),
    comments: text().notNull().default(''),
    username: text(),
    passwordHash: text(),
    customerInvoice: boolean().notNull().default(true),
    contacts: jsonb()
      .$type<Record<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun', ClinicContact>>()
      .notNull(),
    region: region(),
    demo: boolean().notNull().default(false),
    createdAt: createdAt(),
    deletedAt: time(),
  },
  (t) => [
    uniqueIndex('clinics_username')
      .on(t.username)
      .where(sql`deleted_at is null`),
    check(
      'clinics_username_form',
      sql`${t.username} = lower(trim(${t.username})) and length(${t.username}) >= 8`,
    ),
    check('clinics_region', oneOf(t.region, ...REGIONS)),
  ],
)

/* ---------- consultations and chat and queue and aftercare ---------- */

export const consultations = pgTable(
  'consultations',
  {
    id: id(),
    type: smallint().$type<1 | 2 | 3>().notNull(),
    region: region(),
    /** Null for a phone consultation whose caller has no account. */
    userId: integer().references(() => users.id),
    petId: integer().references(() => pets.id),
    vetId: integer().references(() => users.id),
    clinicId: integer().references(() => clinics.id),
    caller: jsonb().$type<{
      name: string
      phone: string
      email: string
      pet: string
      speciesId: number | null
    }>(),
    petIssue: text().notNull(),
    outcome: text().notNull().default(''),
    start: time().notNull(),
    vetStart: time(),
    end: time(),
    cancelledAt: time(),
    /** Stays in the line for nothing after its money went back. */
    freeSince: time(),
    lateToldAt: time(),
    mailWhenTaken: boolean().notNull().default(false),
    clinicSharedAt: time(),
    clinicNotifiedAt: time(),
    clinicAcceptedAt: time(),
    followUpDueAt: time(),
    followUpAt: time(),
    checkIn: text().$type<'better' | 'same' | 'worse'>(),
    checkInAt: time(),
    /** The consult that this one goes on from. */
    goesOnFrom: integer()
      .unique()
      .references((): AnyPgColumn => consultations.id),
    /** The wait in minutes that its owner was told first. */
    toldFrom: smallint(),
    toldTo: smallint(),
    /** The number of its latest message. */
    lastSeq: integer().notNull().default(0),
    demo: boolean().notNull().default(false),
  },
  (t) => [
    check('consultations_check_in', oneOf(t.checkIn, 'better', 'same', 'worse')),
    check('consultations_told', sql`(${t.toldFrom} is null) = (${t.toldTo} is null)`),
    check('consultations_type', sql`${t.type} in (1, 2, 3)`),
    check('consultations_region', oneOf(t.region, ...REGIONS)),
    check('consultations_whose', sql`${t.type} = 3 or (${t.userId} is not null and ${t.petId} is not null)`),
    check(
      'consultations_caller',
      sql`${t.type} <> 3 or (${t.caller} is not null and ${t.clinicId} is not null)`,
    ),
    check('consultations_taken', sql`(${t.vetId} is null) = (${t.vetStart} is null)`),
    check(
      'consultations_order',
      sql`${t.vetStart} >= ${t.start} and ${t.end} >= ${t.start} and ${t.end} >= ${t.vetStart}`,
    ),
    check(
      'consultations_cancelled',
      sql`${t.cancelledAt} is null or (${t.end} is not null and ${t.vetId} is null)`,
    ),
    check('consultations_not_own', sql`${t.vetId} <> ${t.userId}`),
    check(
      'consultations_clinic',
      sql`(${t.clinicNotifiedAt} is null or ${t.clinicId} is not null) and (${t.clinicAcceptedAt} is null or ${t.clinicNotifiedAt} is not null)`,
    ),
    index('consultations_open')
      .on(t.start)
      .where(sql`"end" is null`),
    index('consultations_closed')
      .on(t.end, t.id)
      .where(sql`"end" is not null`),
    index('consultations_user').on(t.userId, t.start),
    index('consultations_pet').on(t.petId, t.start),
    index('consultations_vet').on(t.vetId, t.vetStart),
    index('consultations_clinic_recent').on(t.clinicId, t.start),
    index('consultations_phone')
      .on(t.start)
      .where(sql`type = 3`),
    index('consultations_follow_up')
      .on(t.followUpDueAt)
      .where(sql`follow_up_at is null`),
  ],
)

/**
 * What consultation lists show is at a version: the sum of these rows, which triggers count up in the transaction
 * of a change. Of two at once each counts in a row of its own, so nobody waits.
 */
export const listChanges = pgTable('list_changes', { id: id(), count: integer().notNull() })

export const messages = pgTable(
  'messages',
  {
    consultationId: integer()
      .notNull()
      .references(() => consultations.id),
    seq: integer().notNull(),
    clientId: text().notNull(),
    /** Null: the house itself, such as "Dr Naidoo joined". A guest writes as the consultation's user. */
    userId: integer().references(() => users.id),
    body: text().notNull(),
    attachmentId: integer().references(() => attachments.id),
    at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.consultationId, t.seq] }),
    unique('messages_once').on(t.consultationId, t.clientId),
    check('messages_says_something', sql`${t.body} <> '' or ${t.attachmentId} is not null`),
  ],
)

export const attachments = pgTable(
  'attachments',
  {
    id: id(),
    consultationId: integer()
      .notNull()
      .references(() => consultations.id),
    userId: integer()
      .notNull()
      .references(() => users.id),
    name: text().notNull().unique(),
    filename: text().notNull(),
    type: text().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    width: integer(),
    height: integer(),
    createdAt: createdAt(),
  },
  (t) => [index('attachments_consultation').on(t.consultationId)],
)

/** How far each side has received and read. */
export const readMarks = pgTable(
  'read_marks',
  {
    consultationId: integer()
      .notNull()
      .references(() => consultations.id),
    userId: integer()
      .notNull()
      .references(() => users.id),
    delivered: integer().notNull().default(0),
    seen: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.consultationId, t.userId] }),
    check('read_marks_order', sql`${t.seen} <= ${t.delivered}`),
  ],
)

export const ratings = pgTable(
  'ratings',
  {
    consultationId: integer()
      .primaryKey()
      .references(() => consultations.id),
    stars: smallint().notNull(),
    words: text().notNull().default(''),
    at: createdAt(),
  },
  (t) => [check('ratings_stars', sql`${t.stars} between 1 and 5`)],
)

/** Who a clinic's case was passed on to, and when. */
export const escalations = pgTable(
  'escalations',
  {
    id: id(),
    consultationId: integer()
      .notNull()
      .references(() => consultations.id),
    step: smallint().notNull(),
    vetName: text().notNull(),
    contact: text().notNull(),
    at: createdAt(),
    answeredAt: time(),
  },
  (t) => [unique('escalations_step').on(t.consultationId, t.step)],
)

/* ---------- clinical ---------- */

/** The clinical note of a consult, changed while it is typed and locked when it is signed. */
export const clinicalNotes = pgTable(
  'clinical_notes',
  {
    consultationId: integer()
      .primaryKey()
      .references(() => consultations.id),
    history: text().notNull().default(''),
    findings: text().notNull().default(''),
    assessment: text().notNull().default(''),
    summary: text().notNull().default(''),
    plan: text().notNull().default(''),
    watchFor: text().notNull().default(''),
    goIf: text().notNull().default(''),
    outcome: text().$type<'home' | 'own_vet' | 'sent_in' | 'no_answer'>(),
    version: integer().notNull().default(1),
    savedAt: time().notNull(),
    signedAt: time(),
    signedBy: integer().references(() => users.id),
  },
  (t) => [
    check('clinical_notes_signed', sql`(${t.signedAt} is null) = (${t.signedBy} is null)`),
    check('clinical_notes_outcome', oneOf(t.outcome, 'home', 'own_vet', 'sent_in', 'no_answer')),
    check(
      'clinical_notes_signed_whole',
      sql`${t.signedAt} is null or (${t.outcome} is not null and ${t.summary} <> '')`,
    ),
  ],
)

/** Words for the next vet, and what was added to a signed note: kept three years, never changed. */
export const notes = pgTable(
  'notes',
  {
    id: id(),
    kind: text().$type<'hand_over' | 'addition'>().notNull().default('addition'),
    consultationId: integer()
      .notNull()
      .references(() => consultations.id),
    vetId: integer()
      .notNull()
      .references(() => users.id),
    body: text().notNull(),
    at: createdAt(),
  },
  (t) => [
    index('notes_consultation').on(t.consultationId),
    check('notes_kind', oneOf(t.kind, 'hand_over', 'addition')),
  ],
)

export const summaries = pgTable('summaries', {
  consultationId: integer()
    .primaryKey()
    .references(() => consultations.id),
  vetId: integer()
    .notNull()
    .references(() => users.id),
  summary: text().notNull(),
  plan: text().notNull().default(''),
  watchFor: text().notNull().default(''),
  goIf: text().notNull().default(''),
  at: createdAt(),
})

export const cannedReplies = pgTable('canned_replies', {
  id: id(),
  title: text().notNull().unique(),
  body: text().notNull(),
  demo: boolean().notNull().default(false),
})

/* ---------- library and contact ---------- */

export const resources = pgTable(
  'resources',
  {
    id: id(),
    type: smallint().$type<1 | 2 | 3>().notNull(),
    title: text().notNull(),
    slug: text().notNull(),
    description: text().notNull().default(''),
    featuredImage: text().notNull().default(''),
    featuredImage2: text().notNull().default(''),
    file: text().notNull().default(''),
    demo: boolean().notNull().default(false),
    createdAt: createdAt(),
    deletedAt: time(),
  },
  (t) => [
    check('resources_type', sql`${t.type} in (1, 2, 3)`),
    check('resources_slug', sql`${t.slug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and ${t.slug} !~ '^[0-9]+$'`),
    uniqueIndex('resources_slugs')
      .on(t.slug)
      .where(sql`deleted_at is null`),
    index('resources_newest')
      .on(t.type, t.id)
      .where(sql`deleted_at is null`),
  ],
)

export const testimonials = pgTable(
  'testimonials',
  {
    id: id(),
    kind: text().$type<'carer' | 'clinic'>().notNull(),
    name: text().notNull(),
    text: text().notNull(),
    image: text().notNull().default(''),
    rating: smallint(),
    demo: boolean().notNull().default(false),
  },
  (t) => [check('testimonials_kind', oneOf(t.kind, 'carer', 'clinic'))],
)

export const partners = pgTable('partners', {
  id: id(),
  name: text().notNull().unique(),
  blurb: text().notNull().default(''),
  url: text().notNull(),
  demo: boolean().notNull().default(false),
})

export const contactMessages = pgTable(
  'contact_messages',
  {
    id: id(),
    queryAbout: smallint().notNull(),
    name: text().notNull(),
    email: text().notNull(),
    mobile: text().notNull().default(''),
    clinicOrCompany: text().notNull().default(''),
    body: text().notNull(),
    region: region(),
    at: createdAt(),
  },
  (t) => [check('contact_messages_reason', sql`${t.queryAbout} between 1 and 7`)],
)

export const newsletter = pgTable(
  'newsletter',
  {
    email: text().primaryKey(),
    name: text().notNull(),
    region: region(),
    askedAt: createdAt(),
    confirmedAt: time(),
    leftAt: time(),
  },
  (t) => [check('newsletter_region', oneOf(t.region, ...REGIONS))],
)
