import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import { CONTENT_KINDS, type Words } from '#contract/content.ts'
import { users } from './accounts.ts'
import { createdAt, idOf, time, table } from './columns.ts'

/** Every published version of what admins write. Rows are added and never changed, except for a vet's review. */
export const contentVersions = table(
  'content_versions',
  {
    kind: text({ enum: CONTENT_KINDS }).notNull(),
    item: text().notNull(),
    /** Version 0 has the words from before the first change. */
    number: integer().notNull(),
    /** Null if the item was taken down. */
    words: jsonb().$type<Words>(),
    what: text().notNull().default(''),
    byUserId: integer().references(() => users.id),
    at: createdAt(),
    reviewedBy: integer().references(() => users.id),
    reviewedAt: time(),
  },
  (t) => [
    // If two admins publish the same next version, only one can.
    primaryKey({ columns: [t.kind, t.item, t.number] }),
    check('content_versions_number', sql`${t.number} >= 0`),
    check('content_versions_reviewed', sql`(${t.reviewedBy} is null) = (${t.reviewedAt} is null)`),
  ],
)

/** What an admin has written and not published, one draft for each item. */
export const contentDrafts = table(
  'content_drafts',
  {
    kind: text({ enum: CONTENT_KINDS }).notNull(),
    item: text().notNull(),
    userId: idOf(() => users.id),
    words: jsonb().$type<Words>().notNull(),
    /** The version that the author has seen. */
    basedOn: integer().notNull(),
    savedAt: time().notNull(),
    reviewedBy: integer().references(() => users.id),
    reviewedAt: time(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.item, t.userId] }),
    index('content_drafts_author').on(t.userId),
    check('content_drafts_reviewed', sql`(${t.reviewedBy} is null) = (${t.reviewedAt} is null)`),
  ],
)
