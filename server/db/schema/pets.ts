import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  smallint,
  text,
  unique,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { CARE_ITEMS } from '#contract/care.ts'
import { createdAt, id, idOf, indexWhere, threes, time, table } from './columns.ts'
import { users } from './accounts.ts'
import { policies } from './policies.ts'

export const species = table('species', { id: smallint().primaryKey(), name: text().notNull().unique() })

export const breeds = table(
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

/** Uploaded pictures and files. Those that nothing refers to are removed after a day. */
export const uploads = table(
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
    index('uploads_person').on(t.userId, t.createdAt),
    indexWhere('uploads_unnamed', 'named_at is null', t.createdAt),
  ],
)

export const pets = table(
  'pets',
  {
    id: id(),
    ownerId: idOf(() => users.id),
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
    /** The policy that the pet was added with. It's bound once the policy's row has the pet too. */
    policyId: integer().references((): AnyPgColumn => policies.id),
    /** The sender's key, and the hash of the input: one press adds one pet. */
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
    index('pets_threes').using('gin', threes(sql`${t.name}`)),
    // For staff, who sort their consults by the pet.
    index('pets_name').on(sql`lower(${t.name})`),
    index('pets_name_begins').on(sql`lower(${t.name}) text_pattern_ops`),
  ],
)

export const careItems = table(
  'care_items',
  {
    id: id(),
    petId: idOf(() => pets.id),
    item: text({ enum: CARE_ITEMS }).notNull(),
    dueOn: date().notNull(),
    doneOn: date(),
    remindedAt: time(),
  },
  (t) => [
    unique('care_items_once').on(t.petId, t.item, t.dueOn),
    indexWhere('care_items_to_remind', 'done_on is null and reminded_at is null', t.dueOn),
  ],
)
