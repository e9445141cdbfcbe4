import { randomBytes } from 'node:crypto'
import { and, desc, eq, getTableName, isNotNull, sql } from 'drizzle-orm'
import { areSame, CONTENT_WORDS, type ContentKind, isClinical, type Words } from '#contract/content.ts'
import type * as calls from '#contract/content.ts'
import { fail } from '#contract/errors.ts'
import type { Handler } from '../http/serve.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { violates } from '../db/errors.ts'
import {
  cannedReplies,
  contentDrafts,
  contentVersions,
  partners,
  settings,
  testimonials,
} from '../db/schema.ts'
import { record } from '../identity/audit.ts'
import { isRegistered } from '../vets/reads.ts'
import { getContent, isDraftOf, isOf, liveWords, versionsOf } from './reads.ts'
import { bannerKey, changeSaid, emptyWords, type Named } from './rules.ts'

type AdminCtx = Ctx<typeof calls.publishContent.access>

const TABLES = { partner: partners, testimonial: testimonials, reply: cannedReplies }
const hasTable = (kind: ContentKind): kind is keyof typeof TABLES => kind in TABLES

/** Begins an item under a number that its table won't give to another. */
export const addContent: Handler<typeof calls.addContent> = async (ctx, { kind }) => {
  const item = hasTable(kind) ? await nextId(ctx, TABLES[kind]) : randomBytes(6).toString('hex')
  await ctx.db.insert(contentDrafts).values({
    kind,
    item,
    userId: ctx.actor.userId,
    words: emptyWords(kind),
    basedOn: 0,
    savedAt: ctx.now(),
  })
  return { kind, item }
}

async function nextId({ db }: Pick<World, 'db'>, table: (typeof TABLES)[keyof typeof TABLES]) {
  const [next] = await db
    .select({ id: sql<string>`nextval(pg_get_serial_sequence(${getTableName(table)}, 'id'))` })
    .from(sql`(values (1)) as once`)
  return String(next!.id)
}

/** Keeps only the fields of the item's kind, so that words can be compared. */
const fieldsOf = ({ kind }: Named, words: Words): Words =>
  Object.fromEntries(Object.entries(emptyWords(kind)).map(([name, empty]) => [name, words[name] ?? empty]))

export const saveDraft: Handler<typeof calls.saveDraft> = async (
  ctx,
  { kind, item, words, based_on, saved_at: follows },
) => {
  const { userId } = ctx.actor
  await transaction(ctx, async (ctx) => {
    const named = { kind, item }
    const kept = fieldsOf(named, words)
    await getContent(ctx, named)
    const [before] = await ctx.db
      .select()
      .from(contentDrafts)
      .where(isDraftOf(named, userId))
      .for('no key update')
    const stays = before && areSame(before.words, kept)
    const values = {
      words: kept,
      basedOn: based_on,
      savedAt: stays ? before.savedAt : ctx.now(),
      ...(!stays && (await reviewOfWords(ctx, named, kept))),
    }
    const [saved] = await ctx.db
      .insert(contentDrafts)
      .values({ kind, item, userId, ...values })
      .onConflictDoUpdate({
        target: [contentDrafts.kind, contentDrafts.item, contentDrafts.userId],
        set: values,
        setWhere:
          stays || follows === undefined
            ? undefined
            : follows === null
              ? sql`false`
              : eq(contentDrafts.savedAt, new Date(follows)),
      })
      .returning({ item: contentDrafts.item })
    if (!saved) fail('CONTENT_DRAFT_ELSEWHERE')
  })
  return getContent(ctx, { kind, item })
}

/** A review is for certain words, so it holds when a draft returns to them. Other words need a new one. */
async function reviewOfWords({ db }: Pick<World, 'db'>, named: Named, words: Words) {
  const reviewed = await db
    .select(columnsOf(contentVersions, 'words', 'reviewedBy', 'reviewedAt'))
    .from(contentVersions)
    .where(and(isOf(named), isNotNull(contentVersions.reviewedAt)))
    .orderBy(desc(contentVersions.number))
  const same = reviewed.find((one) => areSame(one.words && fieldsOf(named, one.words), words))
  return { reviewedBy: same?.reviewedBy ?? null, reviewedAt: same?.reviewedAt ?? null }
}

export const discardDraft: Handler<typeof calls.discardDraft> = async (ctx, named) => {
  await ctx.db.delete(contentDrafts).where(isDraftOf(named, ctx.actor.userId))
  return {}
}

/** Publishes the admin's own draft. If two admins publish the same next version, the second is refused. */
export const publishContent: Handler<typeof calls.publishContent> = (ctx, { kind, item, based_on, what }) =>
  transaction(ctx, async (ctx) => {
    const named = { kind, item }
    const [draft] = await ctx.db
      .select()
      .from(contentDrafts)
      .where(isDraftOf(named, ctx.actor.userId))
      .for('no key update')
    if (!draft) return fail('CONTENT_NO_DRAFT')
    const words = checked(named, draft.words)
    if (isClinical(kind, words) && !draft.reviewedAt) fail('CONTENT_NEEDS_VET')
    await addVersion(ctx, named, based_on, {
      words,
      what,
      reviewedBy: draft.reviewedBy,
      reviewedAt: draft.reviewedAt,
    })
    await ctx.db.delete(contentDrafts).where(isDraftOf(named, ctx.actor.userId))
    return getContent(ctx, named)
  })

export const takeContentDown: Handler<typeof calls.takeContentDown> = (ctx, { kind, item, based_on }) =>
  transaction(ctx, async (ctx) => {
    if (await liveWords(ctx, { kind, item }))
      await addVersion(ctx, { kind, item }, based_on, {
        words: null,
        what: kind === 'reply' ? 'Withdrawn' : 'Taken off the pages',
      })
    return getContent(ctx, { kind, item })
  })

/** The words if they can be published; else fails with what each field lacks. */
function checked({ kind }: Named, words: Words): Words {
  const found = CONTENT_WORDS[kind].safeParse(words)
  if (found.success) return found.data
  const fields = Object.fromEntries(
    found.error.issues.map(({ path, message }) => [String(path[0]), message] as const).toReversed(),
  )
  return fail('INVALID_INPUT', { fields, errors: Object.values(fields) })
}

interface Version {
  words: Words | null
  what?: string | undefined
  reviewedBy?: number | null
  reviewedAt?: Date | null
}

/** If two admins add the same version, the table's key lets only one do it. */
async function addVersion(ctx: AdminCtx, named: Named, seen: number, { words, what, ...review }: Version) {
  const { db, actor, now } = ctx
  const before = await liveWords(ctx, named)
  const [latest] = await versionsOf(ctx, named)
  if ((latest?.number ?? 0) !== seen) return publishedMeanwhile(ctx, named)
  if (!latest && before) await keepAsItWas(ctx, named, before)
  const [added] = await db
    .insert(contentVersions)
    .values({
      ...named,
      ...review,
      number: seen + 1,
      words,
      what: what || changeSaid(before, words ?? {}),
      byUserId: actor.userId,
      at: now(),
    })
    .onConflictDoNothing()
    .returning({ number: contentVersions.number })
  if (!added) return publishedMeanwhile(ctx, named)
  await show(ctx, named, words)
  await record(ctx, actor.userId, words ? 'published' : 'taken down', [`content ${named.kind}`, named.item], {
    details: { version: added.number },
  })
}

/** Stores what VetChat came with, which has no version yet. */
const keepAsItWas = ({ db, now }: Pick<World, 'db' | 'now'>, named: Named, words: Words) =>
  db
    .insert(contentVersions)
    .values({ ...named, number: 0, words, what: 'As it was', at: now() })
    .onConflictDoNothing()

async function publishedMeanwhile(ctx: AdminCtx, named: Named): Promise<never> {
  const [latest] = await versionsOf(ctx, named)
  const who = latest?.by ?? 'Another admin'
  const code = latest?.words === null ? 'CONTENT_TAKEN_DOWN' : 'CONTENT_PUBLISHED'
  return fail(code, { values: { who }, body: { version: latest?.number ?? 0 } })
}

/** Puts the words where pages and vets read them; null removes them. Kinds without a table are read from their latest version. */
async function show(ctx: AdminCtx, { kind, item }: Named, words: Words | null): Promise<void> {
  if (kind === 'announcement') return showBanner(ctx, item, words)
  if (!hasTable(kind)) return
  const { db } = ctx
  const table = TABLES[kind]
  const id = Number(item)
  if (!words) return void (await db.delete(table).where(eq(table.id, id)))
  try {
    // The fields of each kind are the columns of its table.
    await db
      .insert(table)
      .overridingSystemValue()
      .values({ ...(words as never as typeof table.$inferInsert), id })
      .onConflictDoUpdate({ target: table.id, set: words })
  } catch (error) {
    if (violates(error, 'partners_name_unique') || violates(error, 'canned_replies_title_unique'))
      fail('CONTENT_NAME_TAKEN')
    throw error
  }
}

/** A region without a banner shows the one for all regions. An empty banner for all hides the configured one. */
async function showBanner({ db, now }: AdminCtx, item: string, words: Words | null) {
  const key = bannerKey(item)
  if (!words && item !== 'all') return void (await db.delete(settings).where(eq(settings.key, key)))
  const { text = '', href } = words ?? {}
  const value = { text, ...(href && { href }) }
  await db
    .insert(settings)
    .values({ key, value, changedAt: now() })
    .onConflictDoUpdate({ target: settings.key, set: { value, changedAt: now() } })
}

/** A vet marks exactly the words that they saw. */
export const reviewContent: Handler<typeof calls.reviewContent> = (
  ctx,
  { kind, item, draft_of, saved_at, version },
) =>
  transaction(ctx, async (ctx) => {
    const { db, actor, now } = ctx
    if (!(await isRegistered(ctx, actor.userId))) fail('CONTENT_NOT_A_VET')
    const review = { reviewedBy: actor.userId, reviewedAt: now() }
    const marked =
      draft_of != null
        ? await db
            .update(contentDrafts)
            .set(review)
            .where(
              and(isDraftOf({ kind, item }, draft_of), eq(contentDrafts.savedAt, new Date(saved_at ?? 0))),
            )
            .returning({ item: contentDrafts.item })
        : await reviewVersion(ctx, { kind, item }, version ?? 0, review)
    if (marked.length === 0) fail('CHANGED_UNDER_YOU')
    await record(ctx, actor.userId, 'reviewed', [`content ${kind}`, item], { details: { draft_of, version } })
    return {}
  })

async function reviewVersion(
  ctx: Pick<World, 'db' | 'env' | 'now'>,
  named: Named,
  number: number,
  review: { reviewedBy: number; reviewedAt: Date },
) {
  const words = await liveWords(ctx, named)
  if (number === 0 && words) await keepAsItWas(ctx, named, words)
  return ctx.db
    .update(contentVersions)
    .set(review)
    .where(and(isOf(named), eq(contentVersions.number, number)))
    .returning({ item: contentVersions.item })
}
