import { and, asc, desc, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import { LARGEST_INTEGER } from '#contract/fields.ts'
import { RESOURCE_TYPES, RESOURCES_A_PAGE, type Resource } from '#contract/library.ts'
import type * as calls from '#contract/library.ts'
import type { Handler } from '../http/serve.ts'
import type { World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { doctorName } from '../db/names.ts'
import { partners, resources, settings, users } from '../db/schema.ts'
import { hashOf } from '../identity/secrets.ts'
import { saidByCarers, saidByClinics, testimonialRows } from '../content/reads.ts'
import { bannerKey } from '../content/rules.ts'
import { announced, ENDINGS, filmOf, nameOf, bookPdf, posterOf } from './rules.ts'

const shown = {
  ...columnsOf(resources, 'id', 'type', 'title', 'slug', 'description', 'file', 'version'),
  featured_image: resources.featuredImage,
  featured_image2: resources.featuredImage2,
  created_at: resources.createdAt,
  reviewed_at: resources.reviewedAt,
  vet: doctorName<string | null>(users),
}
type Row = Omit<Resource, 'created_at' | 'size' | 'reviewed' | 'is_public'> & {
  created_at: Date
  reviewed_at: Date | null
  vet: string | null
}
const shownIn = ({ db }: Pick<World, 'db'>) =>
  db.select(shown).from(resources).leftJoin(users, eq(users.id, resources.reviewedBy))
const isThere = isNull(resources.deletedAt)

type Db = Pick<World, 'db' | 'env'>
/** What visitors may read: reviewed by a vet, or the demo's. */
const isPublic = ({ env }: Pick<World, 'env'>) =>
  env.demo ? isThere : and(isThere, isNotNull(resources.reviewedAt))

/** A resource without a file gets one made from its text. */
const withFile = ({ env }: Pick<World, 'env'>, { vet, reviewed_at, ...row }: Row): Resource => ({
  ...row,
  reviewed: vet && reviewed_at ? { by: vet, at: reviewed_at.toISOString() } : null,
  is_public: env.demo || reviewed_at !== null,
  file: row.file || `/media/library/${nameOf(row)}`,
  size: row.file === '' && row.type === 2 ? posterOf({ ...row, reviewed: null }).size : null,
  created_at: row.created_at.toISOString(),
})

export const listResources: Handler<typeof calls.listResources> = async (ctx, { type, page = 1 }) => {
  const rows = await shownIn(ctx)
    .where(and(eq(resources.type, RESOURCE_TYPES[type]), isPublic(ctx)))
    .orderBy(desc(resources.id))
    .limit(RESOURCES_A_PAGE)
    .offset((page - 1) * RESOURCES_A_PAGE)
  return rows.map((row) => withFile(ctx, row))
}

export async function listAllResources(ctx: Db): Promise<Resource[]> {
  const rows = await shownIn(ctx).where(isThere).orderBy(desc(resources.id))
  return rows.map((row) => withFile(ctx, row))
}

export async function listUnreviewed(ctx: Db): Promise<Resource[]> {
  const rows = await shownIn(ctx)
    .where(and(isThere, isNull(resources.reviewedAt)))
    .orderBy(asc(resources.id))
    .limit(50)
  return rows.map((row) => withFile(ctx, row))
}

export const getResource: Handler<typeof calls.getResource> = (ctx, { resource }) =>
  resourceNamed(ctx, resource, isPublic(ctx))

/** A resource by its slug or its id. Admins can get it before a vet has reviewed it. */
export async function resourceNamed(
  ctx: Db,
  resource: string,
  holds: SQL | undefined = isThere,
): Promise<Resource> {
  // Slugs never consist of digits alone.
  const byId = /^\d{1,10}$/.test(resource) && Number(resource) <= LARGEST_INTEGER
  const named = byId ? eq(resources.id, Number(resource)) : eq(resources.slug, resource)
  const [row] = await shownIn(ctx).where(and(named, holds))
  return row ? withFile(ctx, row) : fail('NOT_FOUND')
}

export const listTestimonials: Handler<typeof calls.listTestimonials> = async (ctx) =>
  saidByCarers(await testimonialRows(ctx))

export const listClinicTestimonials: Handler<typeof calls.listClinicTestimonials> = async (ctx) =>
  saidByClinics(await testimonialRows(ctx))

export const listPartners: Handler<typeof calls.listPartners> = ({ db }) =>
  db
    .select(columnsOf(partners, 'name', 'blurb', 'url'))
    .from(partners)
    .orderBy(asc(partners.id))

/** The text for a region, or for all. An empty text switches off the one from the configuration. */
export const getAnnouncement: Handler<typeof calls.getAnnouncement> = async ({ db, env, region }) => {
  const keys = [bannerKey(region), bannerKey('all')]
  const rows = await db.select().from(settings).where(inArray(settings.key, keys))
  const row = keys.map((key) => rows.find((one) => one.key === key)).find(Boolean)
  const said = announced.safeParse(row ? row.value : { text: env.announcement ?? '' })
  if (!said.success || said.data.text === '') return null
  const { text, href = null } = said.data
  const id = hashOf(text).slice(0, 8)
  return { id, text, href }
}

/** Addresses of the articles, for search engines. */
export async function readingAddresses(world: Db): Promise<string[]> {
  const rows = await world.db
    .select({ type: resources.type, slug: resources.slug })
    .from(resources)
    .where(and(inArray(resources.type, [1, 2]), isPublic(world)))
    .orderBy(desc(resources.id))
  return rows.map(({ type, slug }) => `/resource/${type === 1 ? 'ebook' : 'infographic'}/${slug}`)
}

/** A library file by name: an uploaded one, or one made from a resource's text. */
export async function libraryFile(world: Db & Pick<World, 'files'>, name: string) {
  const [, slug = '', ending = ''] = /^([a-z0-9-]{1,200})\.(pdf|svg|html)$/.exec(name) ?? []
  const type = ENDINGS.findIndex((one) => one === ending) + 1
  if (type > 0) {
    const [row] = await shownIn(world).where(
      and(eq(resources.slug, slug), eq(resources.file, ''), eq(resources.type, type as 1), isPublic(world)),
    )
    if (row) return made(withFile(world, row))
  }
  return world.files.get(`library/${name}`)
}

const MADE = {
  1: { type: 'application/pdf', make: (book: Resource) => bookPdf(book, new Date(book.created_at)) },
  2: { type: 'image/svg+xml', make: (resource: Resource) => posterOf(resource).drawing },
  3: { type: 'text/html; charset=utf-8', make: filmOf },
}

async function made(resource: Resource) {
  const { type, make } = MADE[resource.type]
  const content = await make(resource)
  return { stream: content, size: content.length, type }
}
