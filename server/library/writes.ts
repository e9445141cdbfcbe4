import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { and, eq, isNull, like, or, sql } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import { fail, failAt } from '#contract/errors.ts'
import { Upload } from '#contract/fields.ts'
import { type Resource, VIDEO_HOSTS } from '#contract/library.ts'
import type * as calls from '#contract/library.ts'
import type { Handler } from '../http/serve.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { libraryFiles, resources } from '../db/schema.ts'
import { wasThere } from '../db/was-there.ts'
import { kindOf } from '../documents/content-types.ts'
import { record } from '../identity/audit.ts'
import { remakePage } from '../providers/pictures.ts'
import { isRegistered } from '../vets/reads.ts'
import { resourceNamed } from './reads.ts'
import { nameOf, slugOf } from './rules.ts'

type AdminCtx = Ctx<typeof calls.saveResource.access>
type Sent = Parsed<typeof calls.updateResource>
type Row = typeof resources.$inferSelect

/** Sharp on a wide screen, small enough for a phone. */
const PICTURE_LONGEST = 1600
const AT = '/media/library/'

export const saveResource: Handler<typeof calls.saveResource> = async (ctx, { id, ...sent }) => {
  return id ? updateResource(ctx, { id, ...sent }) : addResource(ctx, sent)
}

async function addResource(ctx: AdminCtx, sent: Omit<Parsed<typeof calls.saveResource>, 'id'>) {
  const { title, type, description = '' } = sent
  const files = await storeFiles(ctx, sent)
  return transaction(ctx, async (ctx) => {
    const id = await insert(ctx, { title, type, description, ...files, createdAt: ctx.now() })
    await note(ctx, 'resource added', id, { title, type, ...files })
    return resourceNamed(ctx, String(id))
  })
}

export async function updateResource(ctx: AdminCtx, sent: Sent): Promise<Resource> {
  const { id, title, type, description, version } = sent
  const before = await resourceAt(ctx, id)
  if (version !== undefined && version !== before.version) await changedMeanwhile(ctx, id)
  const files = await storeFiles(ctx, sent, before)
  return transaction(ctx, async (ctx) => {
    const changed = {
      ...(title !== undefined && { title }),
      ...(type !== undefined && { type }),
      ...(description !== undefined && { description }),
      ...files,
    }
    // A vet reviews the text, not the picture.
    const reads = [title, type, description, files.file] as const
    const stays = [before.title, before.type, before.description, before.file] as const
    const isReviewed = reads.every((one, n) => one === undefined || one === stays[n])
    const [saved] = await ctx.db
      .update(resources)
      .set({
        ...changed,
        version: sql`${resources.version} + 1`,
        ...(!isReviewed && { reviewedBy: null, reviewedAt: null }),
      })
      .where(
        and(
          eq(resources.id, id),
          isNull(resources.deletedAt),
          version === undefined ? undefined : eq(resources.version, version),
        ),
      )
      .returning({ id: resources.id })
    if (!saved) return changedMeanwhile(ctx, id)
    await note(ctx, 'resource changed', id, { title, type, ...files })
    return resourceNamed(ctx, String(id))
  })
}

/** Another admin was faster, so the answer has the current resource. */
async function changedMeanwhile(ctx: Pick<World, 'db' | 'env'>, id: number): Promise<never> {
  await resourceAt(ctx, id)
  return fail('CHANGED_UNDER_YOU', { body: { current: await resourceNamed(ctx, String(id)) } })
}

/** A vet reviews the words of one version. */
export const reviewResource: Handler<typeof calls.reviewResource> = (ctx, { resource, version }) =>
  transaction(ctx, async (ctx) => {
    const { db, actor, now } = ctx
    if (!(await isRegistered(ctx, actor.userId))) fail('CONTENT_NOT_A_VET')
    const [reviewed] = await db
      .update(resources)
      .set({ reviewedBy: actor.userId, reviewedAt: now() })
      .where(and(eq(resources.id, resource), isNull(resources.deletedAt), eq(resources.version, version)))
      .returning({ id: resources.id })
    if (!reviewed) return changedMeanwhile(ctx, resource)
    await note(ctx, 'resource reviewed', resource, { version })
    return resourceNamed(ctx, String(resource))
  })

export const deleteResource: Handler<typeof calls.deleteResource> = (ctx, { resource }) =>
  transaction(ctx, async (ctx) => {
    const [gone] = await ctx.db
      .update(resources)
      .set({ deletedAt: ctx.now() })
      .where(and(eq(resources.id, resource), isNull(resources.deletedAt)))
      .returning({ title: resources.title })
    if (gone) await note(ctx, 'resource deleted', resource, gone)
    else await wasThere(ctx, resources, resource)
    return {}
  })

const note = (
  ctx: Pick<AdminCtx, 'db' | 'now'> & { actor: { userId: number } },
  action: string,
  subjectId: number,
  details: Record<string, unknown>,
) => record(ctx, ctx.actor.userId, action, ['resource', subjectId], { details })

async function resourceAt({ db }: Pick<World, 'db'>, id: number): Promise<Row> {
  const [row] = await db
    .select()
    .from(resources)
    .where(and(eq(resources.id, id), isNull(resources.deletedAt)))
  return row ?? fail('RESOURCE_REMOVED')
}

/** The addresses to store: of new files, of players, or empty ones. What wasn't sent isn't among them. */
async function storeFiles(ctx: AdminCtx, sent: Partial<Sent>, before?: Row) {
  const { featured_image, featured_image2, file } = sent
  const stored: Partial<Pick<Row, 'featuredImage' | 'featuredImage2' | 'file'>> = {}
  for (const [field, column, one] of [
    ['featured_image', 'featuredImage', featured_image],
    ['featured_image2', 'featuredImage2', featured_image2],
  ] as const)
    if (one instanceof Upload)
      stored[column] = (await storePicture(ctx, one)) ?? failAt(field, 'RESOURCE_PICTURE_WRONG')
    else if (one === '') stored[column] = ''
    else if (one !== undefined && one !== before?.[column]) failAt(field, 'RESOURCE_PICTURE_WRONG')
  if (file instanceof Upload) stored.file = await storeFile(ctx, file)
  else if (file === '' || (file && isPlayer(file))) stored.file = file
  else if (file !== undefined && file !== addressOf(before)) failAt('file', 'RESOURCE_FILE_WRONG')
  return stored
}

/** The file's address in answers. A resource without a file has one made from its text. */
const addressOf = (row: Row | undefined) => row && (row.file || AT + nameOf(row))

const isPlayer = (address: string) => VIDEO_HOSTS.some((host) => address.startsWith(`${host}/`))

async function storePicture(ctx: AdminCtx, { path, truncated }: Upload): Promise<string | undefined> {
  if (truncated) fail('BODY_TOO_LARGE')
  const made = await remakePage(ctx.actor.userId, path, PICTURE_LONGEST)
  return made ? put(ctx, 'jpg', made.content) : undefined
}

async function storeFile(ctx: AdminCtx, sent: Upload): Promise<string> {
  if (sent.truncated) fail('BODY_TOO_LARGE')
  const kind = await kindOf(sent.path)
  if (kind) return put(ctx, kind, await readFile(sent.path))
  return (await storePicture(ctx, sent)) ?? failAt('file', 'RESOURCE_FILE_WRONG')
}

async function put({ db, files, now }: AdminCtx, ending: string, content: Buffer): Promise<string> {
  const name = `${randomBytes(16).toString('hex')}.${ending}`
  // The row is stored first, so that the sweep finds a file whose resource is never saved.
  await db.insert(libraryFiles).values({ name, storedAt: now() })
  await files.put(`library/${name}`, content)
  return AT + name
}

/** Another admin may take the slug a moment before; then we look again. */
async function insert(ctx: AdminCtx, values: Omit<typeof resources.$inferInsert, 'slug'>): Promise<number> {
  const slug = await freeSlug(ctx, values.title)
  const [row] = await ctx.db
    .insert(resources)
    .values({ ...values, slug })
    .onConflictDoNothing()
    .returning({ id: resources.id })
  return row ? row.id : insert(ctx, values)
}

/** The title's slug, with a number behind it if another resource has it. */
async function freeSlug({ db }: Pick<World, 'db'>, title: string): Promise<string> {
  const slug = slugOf(title)
  const taken = await db
    .select({ slug: resources.slug })
    .from(resources)
    .where(and(or(eq(resources.slug, slug), like(resources.slug, `${slug}-%`)), isNull(resources.deletedAt)))
  const slugs = new Set(taken.map((row) => row.slug))
  for (let n = 1; ; n++) {
    const free = n === 1 ? slug : `${slug}-${n}`
    if (!slugs.has(free)) return free
  }
}
