import { sql } from 'drizzle-orm'
import { boolean, check, integer, smallint, text } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { createdAt, id, indexWhere, time, uniqueWhere, table } from './columns.ts'

export const resources = table(
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
    /** Counts its changes, so that two admins don't overwrite each other. */
    version: integer().notNull().default(1),
    /** The vet who reviewed the words. Changed words need a new review. */
    reviewedBy: integer().references(() => users.id),
    reviewedAt: time(),
    createdAt: createdAt(),
    deletedAt: time(),
  },
  (t) => [
    check('resources_reviewed', sql`(${t.reviewedBy} is null) = (${t.reviewedAt} is null)`),
    check('resources_type', sql`${t.type} in (1, 2, 3)`),
    check('resources_slug', sql`${t.slug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and ${t.slug} !~ '^[0-9]+$'`),
    uniqueWhere('resources_slugs', 'deleted_at is null', t.slug),
    indexWhere('resources_newest', 'deleted_at is null', t.type, t.id),
  ],
)

export const testimonials = table('testimonials', {
  id: id(),
  kind: text({ enum: ['carer', 'clinic'] }).notNull(),
  name: text().notNull(),
  text: text().notNull(),
  image: text().notNull().default(''),
  rating: smallint(),
  demo: boolean().notNull().default(false),
})

export const partners = table('partners', {
  id: id(),
  name: text().notNull().unique(),
  blurb: text().notNull().default(''),
  url: text().notNull(),
  demo: boolean().notNull().default(false),
})

/** Files that admins uploaded for resources. A file that no resource uses is removed after a day. */
export const libraryFiles = table('library_files', {
  name: text().primaryKey(),
  storedAt: createdAt(),
})
