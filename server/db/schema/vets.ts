import { integer, jsonb, text } from 'drizzle-orm/pg-core'
import type { LANGUAGES } from '#contract/vets.ts'
import { users } from './accounts.ts'
import { idOf, time, table } from './columns.ts'
import { uploads } from './pets.ts'

/** What owners see of a vet, besides name and registration number. */
export const vetCards = table('vet_cards', {
  userId: idOf(() => users.id).primaryKey(),
  languages: jsonb().$type<(typeof LANGUAGES)[number][]>().notNull().default([]),
  about: text().notNull().default(''),
  uploadId: integer().references(() => uploads.id, { onDelete: 'set null' }),
  changedAt: time().notNull(),
})
