import { and, count, eq, gt, inArray, isNull, lt, min, notExists, sql, type SQL } from 'drizzle-orm'
import { fail, Failure } from '#contract/errors.ts'
import { QUOTAS } from '#contract/limits.ts'
import { addDays, DAY } from '#contract/time.ts'
import type { World } from '../context.ts'
import { attachments, pets, uploads, vetCards } from '../db/schema.ts'
import type { Job } from '../jobs/clock.ts'

type Place = Pick<World, 'db' | 'now'>

interface Amount {
  files: number
  bytes: number
}
interface NewFile {
  userId: number
  bytes: number
  /** The consultation that it is sent in. */
  consultation?: number
}

/**
 * Throws if this file is one too many, or too large. Call it inside the transaction that inserts the file's row, before
 * the file is stored. Uploads of the same person or consultation wait here for each other.
 */
export async function takeQuota(ctx: Place, file: NewFile): Promise<void> {
  if (file.consultation !== undefined) await waitFor(ctx, `files of consultation ${file.consultation}`)
  await waitFor(ctx, `files of person ${file.userId}`)
  await checkQuota(ctx, file)
}

const waitFor = ({ db }: Place, what: string) =>
  db.execute(sql`select pg_advisory_xact_lock(hashtext(${what}))`)

/** The same without waiting for others, so that no work is done for a file that can't be stored. */
export async function checkQuota({ db, now }: Place, { userId, bytes, consultation }: NewFile) {
  if (consultation !== undefined) {
    const stored = await tally(db, attachments, eq(attachments.consultationId, consultation))
    if (isOver(stored, bytes, QUOTAS.consultation)) fail('CONSULT_FILES_FULL')
  }
  const since = addDays(now(), -1)
  const today = (table: typeof attachments | typeof uploads) =>
    tally(db, table, and(eq(table.userId, userId), gt(table.createdAt, since)))
  const [sent, uploaded] = [await today(attachments), await today(uploads)]
  const stored = { files: sent.files + uploaded.files, bytes: sent.bytes + uploaded.bytes }
  if (!isOver(stored, bytes, QUOTAS.personADay)) return
  const oldest = Math.min(...[sent.oldest, uploaded.oldest].flatMap((at) => at?.getTime() ?? []))
  fail('FILES_FULL_TODAY', { retryAfter: Math.ceil((oldest + DAY - now().getTime()) / 1000) })
}

async function tally(db: World['db'], table: typeof attachments | typeof uploads, which: SQL | undefined) {
  const [row] = await db
    .select({
      files: count(),
      bytes: sql<number>`coalesce(sum(${table.bytes}), 0)`.mapWith(Number),
      oldest: min(table.createdAt),
    })
    .from(table)
    .where(which)
  return row!
}

const isOver = (stored: Amount, bytes: number, most: Amount) =>
  stored.files + 1 > most.files || stored.bytes + bytes > most.bytes

/** Counts a file against its owner's quota before it is stored. The sweep deletes files that nothing refers to. */
export const addUpload = (
  world: Pick<World, 'db' | 'now'>,
  file: Omit<typeof uploads.$inferInsert, 'userId'> & { userId: number },
): Promise<number> =>
  world.db.transaction(async (tx) => {
    const place = { db: tx as unknown as World['db'], now: world.now }
    await takeQuota(place, file)
    const [row] = await place.db
      .insert(uploads)
      .values({ ...file, createdAt: world.now() })
      .returning({ id: uploads.id })
    return row!.id
  })

/** Something such as a claim now refers to this file. */
export async function nameUpload({ db, now }: Place, id: number): Promise<void> {
  await db.update(uploads).set({ namedAt: now() }).where(eq(uploads.id, id))
}

export async function forgetUpload({ db }: Pick<World, 'db'>, id: number): Promise<void> {
  await db.delete(uploads).where(eq(uploads.id, id))
}

/** A picture that was replaced is swept after a day, unless something else shows it too. */
export async function letPictureGo({ db, now }: Pick<World, 'db' | 'now'>, uploadId: number) {
  await db
    .update(uploads)
    .set({ namedAt: null, createdAt: now() })
    .where(
      and(
        eq(uploads.id, uploadId),
        // Only its own person's pets can show it.
        notExists(
          db
            .select({ id: pets.id })
            .from(pets)
            .where(and(eq(pets.ownerId, uploads.userId), eq(pets.uploadId, uploadId))),
        ),
        notExists(db.select({ id: vetCards.userId }).from(vetCards).where(eq(vetCards.uploadId, uploadId))),
      ),
    )
}

/** No claim refers to these any more, so the sweep deletes them. */
export const letInvoicesGo = ({ db, now }: Place, ids: number[]) =>
  db.update(uploads).set({ namedAt: null, createdAt: now() }).where(inArray(uploads.id, ids))

/**
 * Stores a file, then the row that refers to it. A refusal leaves no file behind. After any other error the row may be
 * stored and need its file, so the file stays. If there is no row, the sweep deletes the file.
 */
export async function storeNamed<Named>(
  put: () => Promise<unknown>,
  name: () => Promise<Named>,
  forget: () => Promise<unknown>,
): Promise<Named> {
  let isPut = false
  try {
    await put()
    isPut = true
    return await name()
  } catch (error) {
    // If the file store is away, the sweep forgets it.
    if (!isPut || error instanceof Failure) await forget().catch(() => {})
    throw error
  }
}

interface Sweep {
  name: string
  type: 'image' | 'invoice'
  /** How long they may stand unused, in milliseconds. */
  keptUnnamed: number
  keysOf: (name: string) => string[]
}

/**
 * Deletes files that nothing refers to. They lose their person first, so that nobody can use one while the file store
 * works, and their rows last, so that a crash in between is repaired.
 */
export const sweepUploads = ({ name, type, keptUnnamed, keysOf }: Sweep): Job => ({
  name,
  lane: 'files',
  everyMinutes: 10,
  async run(world) {
    const { db, now, files } = world
    const before = new Date(now().getTime() - keptUnnamed)
    const unused = db
      .select({ id: uploads.id })
      .from(uploads)
      .where(and(eq(uploads.type, type), isNull(uploads.namedAt), lt(uploads.createdAt, before)))
      .limit(20)
      .for('update', { skipLocked: true })
    const old = await db
      .update(uploads)
      .set({ userId: null })
      .where(inArray(uploads.id, unused))
      .returning({ id: uploads.id, name: uploads.name })
    for (const { id, name } of old) {
      await Promise.all(keysOf(name).map((key) => files.remove(key)))
      await forgetUpload(world, id)
    }
    return old.length
  },
})
