import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, text, unique } from 'drizzle-orm/pg-core'
import { FACT_KINDS } from '#contract/records.ts'
import { createdAt, id, idOf, time, table } from './columns.ts'
import { users } from './accounts.ts'
import { pets } from './pets.ts'

/** What a pet weighed, one weight a day. */
export const petWeights = table(
  'pet_weights',
  {
    id: id(),
    petId: idOf(() => pets.id),
    grams: integer().notNull(),
    on: date().notNull(),
    scale: boolean().notNull().default(false),
    addedBy: idOf(() => users.id),
    at: createdAt(),
  },
  (t) => [unique('pet_weights_once').on(t.petId, t.on), check('pet_weights_grams', sql`${t.grams} > 0`)],
)

/** Allergies, medicines and conditions. An empty name means that there are none. Rows end and are never deleted. */
export const petFacts = table(
  'pet_facts',
  {
    id: id(),
    petId: idOf(() => pets.id),
    kind: text({ enum: FACT_KINDS }).notNull(),
    name: text().notNull(),
    detail: text().notNull().default(''),
    addedBy: idOf(() => users.id),
    at: createdAt(),
    endedAt: time(),
  },
  (t) => [index('pet_facts_pet').on(t.petId)],
)
