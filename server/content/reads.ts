import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Call, Output } from '#contract/call.ts'
import {
  type Content,
  type Advice,
  type AdviceName,
  areSame,
  CONTENT_KINDS,
  type ContentKind,
  isClinical,
  TOPICS,
  type WaitingReview,
  type Words,
} from '#contract/content.ts'
import type * as calls from '#contract/content.ts'
import { fail } from '#contract/errors.ts'
import { listClinicTestimonials, listPartners, listTestimonials, getAnnouncement } from '#contract/library.ts'
import type { Handler } from '../http/serve.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { adminName, doctorName } from '../db/names.ts'
import {
  cannedReplies,
  contentDrafts,
  contentVersions,
  partners,
  settings,
  testimonials,
  users,
} from '../db/schema.ts'
import { BUILT_IN_ADVICE } from '../db/built-in-advice.ts'
import { BUILT_IN_QUESTIONS } from '../db/built-in-questions.ts'
import { iso } from '../http/answers.ts'
import { isRegistered } from '../vets/reads.ts'
import {
  bannerKey,
  BANNERS,
  draftCode,
  emptyWords,
  isFixed,
  LEGAL,
  type Named,
  pageOf,
  readDraftCode,
  textOf,
  titleOf,
} from './rules.ts'

type Db = Pick<World, 'db' | 'env'>
type AdminCtx = Ctx<typeof calls.getContent.access>
type Live = Map<string, Words>

/* What is live. Kinds that other slices read have their own table; for the other kinds, the latest version is live. */

export async function latestVersions(
  { db }: Db,
  kind: ContentKind,
  builtIn: Record<string, Words> = {},
): Promise<Live> {
  const rows = await db
    .selectDistinctOn([contentVersions.item], { item: contentVersions.item, words: contentVersions.words })
    .from(contentVersions)
    .where(eq(contentVersions.kind, kind))
    .orderBy(contentVersions.item, desc(contentVersions.number))
  const live = new Map(Object.entries(builtIn))
  for (const { item, words } of rows.toSorted((a, b) => (a.item < b.item ? -1 : 1)))
    if (words) live.set(item, words)
    else live.delete(item)
  return live
}

const liveQuestions = (world: Db) => latestVersions(world, 'question', BUILT_IN_QUESTIONS)
const liveAdvice = (world: Db) => latestVersions(world, 'advice', BUILT_IN_ADVICE)

const byId = (rows: ({ id: number } & Words)[]): Live =>
  new Map(rows.map(({ id, ...words }) => [String(id), words]))

async function liveBanners({ db, env }: Db): Promise<Live> {
  const rows = await db
    .select()
    .from(settings)
    .where(sql`${settings.key} like 'announcement%'`)
  const live: Live = new Map()
  for (const item of BANNERS) {
    const row = rows.find(({ key }) => key === bannerKey(item))
    const { text = '', href = '' } = row
      ? (row.value as { text?: string; href?: string })
      : { text: item === 'all' ? (env.announcement ?? '') : '' }
    if (text) live.set(item, { text, href })
  }
  return live
}

export const testimonialRows = ({ db }: Pick<World, 'db'>) =>
  db
    .select(columnsOf(testimonials, 'id', 'kind', 'name', 'text', 'image', 'rating'))
    .from(testimonials)
    .orderBy(asc(testimonials.id))

const LIVE: Record<ContentKind, (world: Db) => Promise<Live>> = {
  question: liveQuestions,
  advice: liveAdvice,
  legal: (world) => latestVersions(world, 'legal'),
  emergency_clinic: (world) => latestVersions(world, 'emergency_clinic'),
  announcement: liveBanners,
  partner: async ({ db }) =>
    byId(
      await db
        .select(columnsOf(partners, 'id', 'name', 'blurb', 'url'))
        .from(partners)
        .orderBy(asc(partners.id)),
    ),
  testimonial: async (world) => byId(await testimonialRows(world)),
  reply: async ({ db }) =>
    byId(
      await db
        .select(columnsOf(cannedReplies, 'id', 'title', 'body'))
        .from(cannedReplies)
        .orderBy(asc(cannedReplies.id)),
    ),
}

export const liveWords = async (world: Db, { kind, item }: Named): Promise<Words | null> =>
  (await LIVE[kind](world)).get(item) ?? null

/* Names and times. */

const author = alias(users, 'author')
const vet = alias(users, 'reviewer')

const reviewOf = (by: string | null, at: Date | null) => (by && at ? { by, at: iso(at) } : null)

export const isOf = ({ kind, item }: Named) =>
  and(eq(contentVersions.kind, kind), eq(contentVersions.item, item))

export const isDraftOf = (named: Named, userId: number) =>
  and(isDrafted(named), eq(contentDrafts.userId, userId))
const isDrafted = ({ kind, item }: Named) => and(eq(contentDrafts.kind, kind), eq(contentDrafts.item, item))

const versionRows = ({ db }: Pick<World, 'db'>) =>
  db
    .select({
      ...columnsOf(contentVersions, 'kind', 'item', 'number', 'words', 'what', 'byUserId', 'at'),
      by: adminName<string | null>(author),
      vet: doctorName<string | null>(vet),
      reviewedAt: contentVersions.reviewedAt,
    })
    .from(contentVersions)
    .leftJoin(author, eq(author.id, contentVersions.byUserId))
    .leftJoin(vet, eq(vet.id, contentVersions.reviewedBy))
    .orderBy(desc(contentVersions.number))

/** An item's versions, latest first. */
export const versionsOf = (ctx: Pick<World, 'db'>, named: Named) => versionRows(ctx).where(isOf(named))

const draftRows = ({ db }: Pick<World, 'db'>) =>
  db
    .select({
      ...columnsOf(contentDrafts, 'kind', 'item', 'userId', 'words', 'basedOn', 'savedAt', 'reviewedAt'),
      by: adminName(author),
      vet: doctorName<string | null>(vet),
    })
    .from(contentDrafts)
    .innerJoin(author, eq(author.id, contentDrafts.userId))
    .leftJoin(vet, eq(vet.id, contentDrafts.reviewedBy))
    .orderBy(desc(contentDrafts.savedAt))

/* What admins see. */

const keyOf = ({ kind, item }: Named) => `${kind} ${item}`

export const listContent: Handler<typeof calls.listContent> = async (ctx) => {
  const { userId } = ctx.actor
  const versions = await versionRows(ctx)
  const drafts = await draftRows(ctx)
  const lives = await Promise.all(
    CONTENT_KINDS.map(async (kind) =>
      [...(await LIVE[kind](ctx))].map(([item, words]) => ({ kind, item, words })),
    ),
  )
  const live = new Map(lives.flat().map((one) => [keyOf(one), one.words]))
  const fixed: Named[] = [
    ...BANNERS.map((item) => ({ kind: 'announcement' as const, item })),
    { kind: 'legal', item: LEGAL },
  ]
  const all = new Map([...lives.flat(), ...versions, ...drafts, ...fixed].map((one) => [keyOf(one), one]))
  const isShown = (key: string) => {
    const words = live.get(key)
    const { kind } = all.get(key)!
    const isReviewed = versions.find((one) => keyOf(one) === key)?.reviewedAt != null
    return words !== undefined && (ctx.env.demo || isReviewed || !isClinical(kind, words))
  }
  const listed = [...all.values()].map(({ kind, item }) => {
    const key = keyOf({ kind, item })
    const latest = versions.find((one) => keyOf(one) === key)
    const theirs = drafts.filter((one) => keyOf(one) === key)
    const draft = theirs.find((one) => one.userId === userId) ?? theirs[0]
    const shown = live.get(key) ?? draft?.words ?? lastWords(versions.filter((one) => keyOf(one) === key))
    const last = draft && (!latest || draft.savedAt > latest.at) ? draft : latest
    const by = last && ('userId' in last ? last.userId : last.byUserId)
    const at = last && ('savedAt' in last ? last.savedAt : last.at)
    const reviewed = draft ?? latest
    return {
      kind,
      item,
      title: titleOf({ kind, item }, shown),
      text: textOf(shown),
      is_live: isShown(key),
      has_draft: draft !== undefined,
      is_clinical: isClinical(kind, draft?.words ?? shown),
      reviewed: reviewed ? reviewOf(reviewed.vet, reviewed.reviewedAt) : null,
      changed: { by: last?.by ?? null, is_mine: by === userId, at: at ? iso(at) : null },
    }
  })
  return listed.toSorted((a, b) => (b.changed.at ?? '').localeCompare(a.changed.at ?? ''))
}

/** An item's words before it was taken down. */
const lastWords = (versions: { words: Words | null }[]) => versions.find(({ words }) => words)?.words ?? null

export async function getContent(ctx: AdminCtx, { kind, item }: Named): Promise<Content> {
  const { userId } = ctx.actor
  const versions = await versionsOf(ctx, { kind, item })
  const drafts = await draftRows(ctx).where(isDrafted({ kind, item }))
  const live = await liveWords(ctx, { kind, item })
  if (!live && !isFixed({ kind, item }) && versions.length === 0 && drafts.length === 0)
    return fail('CONTENT_REMOVED')
  const mine = drafts.find((one) => one.userId === userId)
  const page = pageOf({ kind, item }, mine?.words ?? live)
  const code = draftCode(ctx.secrets, ctx.now(), { kind, item }, userId)
  const [latest] = versions
  return {
    kind,
    item,
    title: titleOf({ kind, item }, live ?? mine?.words ?? lastWords(versions)),
    version: latest?.number ?? 0,
    live,
    live_reviewed: latest ? reviewOf(latest.vet, latest.reviewedAt) : null,
    versions: versions.map((one) => ({
      number: one.number,
      mark: {
        by: one.by,
        is_mine: one.byUserId === userId,
        at: one.number === 0 ? null : iso(one.at),
      },
      what: one.what,
      words: one.words,
      reviewed: reviewOf(one.vet, one.reviewedAt),
    })),
    draft: mine
      ? {
          author: userId,
          words: mine.words,
          based_on: mine.basedOn,
          saved_at: iso(mine.savedAt),
          reviewed: reviewOf(mine.vet, mine.reviewedAt),
        }
      : null,
    others: drafts.filter((one) => one.userId !== userId).map(({ by }) => by),
    preview: page && `${page.path}?draft=${code}${page.place}`,
    may_review: await isRegistered(ctx, userId),
  }
}

/** Clinical words that no vet has reviewed: drafts, and what is live. */
export const listReviews: Handler<typeof calls.listReviews> = async (ctx) => {
  const drafts = await draftRows(ctx)
  const versions = await versionRows(ctx).where(inArray(contentVersions.kind, ['question', 'advice']))
  const waiting = drafts
    .filter(({ kind, words, reviewedAt }) => isClinical(kind, words) && !reviewedAt)
    .map(({ kind, item, words, userId, by, savedAt, basedOn }): WaitingReview => ({
      kind,
      item,
      title: titleOf({ kind, item }, words),
      words,
      draft_of: userId,
      author: by,
      saved_at: iso(savedAt),
      version: basedOn,
    }))
  for (const kind of ['advice', 'question'] as const)
    for (const [item, words] of await LIVE[kind](ctx)) {
      const latest = versions.find((one) => one.kind === kind && one.item === item)
      if (isClinical(kind, words) && !latest?.reviewedAt)
        waiting.push({
          kind,
          item,
          title: titleOf({ kind, item }, words),
          words,
          draft_of: null,
          author: latest?.by ?? null,
          saved_at: null,
          version: latest?.number ?? 0,
        })
    }
  return waiting
}

/* What visitors see. */

/** Live words, with the vet who reviewed exactly these. Outside the demo, clinical words without a review are left out. */
async function reviewedWords(world: Db, kind: ContentKind, live: Live) {
  const versions = await versionRows(world).where(eq(contentVersions.kind, kind))
  return [...live].flatMap(([item, words]) => {
    const clinical = isClinical(kind, words)
    const latest = versions.find((one) => one.item === item)
    const holds = clinical && latest && areSame(latest.words, words)
    const reviewed = holds ? reviewOf(latest.vet, latest.reviewedAt) : null
    return clinical && !reviewed && !world.env.demo ? [] : [{ item, words, clinical, reviewed }]
  })
}

type Questions = Output<typeof calls.listQuestions>

async function questionsOf(world: Db, live: Live): Promise<Questions> {
  const asked = (await reviewedWords(world, 'question', live)).map(({ item, words, clinical, reviewed }) => {
    const question = {
      item,
      question: String(words['question']),
      answer: String(words['answer']),
      is_clinical: clinical,
      reviewed,
    }
    return { about: words['topic'], question }
  })
  return TOPICS.map((about) => ({
    about,
    asked: asked.filter((one) => one.about === about).map(({ question }) => question),
  })).filter((group) => group.asked.length > 0)
}

export const listQuestions: Handler<typeof calls.listQuestions> = async (ctx) =>
  questionsOf(ctx, await liveQuestions(ctx))

async function adviceOf(world: Db, live: Live): Promise<Advice[]> {
  const all = await reviewedWords(world, 'advice', live)
  return all.map(({ item, words, reviewed }) => ({
    item: item as AdviceName,
    lines: String(words['lines'])
      .split(/\n+/)
      .map((line) => line.trim())
      .filter(Boolean),
    reviewed,
  }))
}

export const listAdvice: Handler<typeof calls.listAdvice> = async (ctx) =>
  adviceOf(ctx, await liveAdvice(ctx))

const legalOf = (live: Live) => {
  const { by, on, version } = live.values().next().value ?? {}
  return by ? { by: String(by), on: String(on), version: String(version) } : null
}

export const legalReview: Handler<typeof calls.legalReview> = async (ctx) => legalOf(await LIVE.legal(ctx))

type Testimonial = Omit<Awaited<ReturnType<typeof testimonialRows>>[number], 'id'>

export const saidByCarers = (all: Testimonial[]) =>
  all
    .filter(({ kind }) => kind !== 'clinic')
    .map(({ name, text, image }) => ({ petCarer: name, text, image }))
export const saidByClinics = (all: Testimonial[]) =>
  all
    .filter(({ kind }) => kind === 'clinic')
    .map(({ name, rating, text }) => ({ name, rating, details: text }))

/** What the calls behind public pages would answer if this draft were live. */
const WOULD_ANSWER: Record<string, { kind: ContentKind; answer: (world: Db, live: Live) => unknown }> = {
  '/questions': { kind: 'question', answer: questionsOf },
  '/advice': { kind: 'advice', answer: adviceOf },
  '/legal-review': { kind: 'legal', answer: (_, live) => legalOf(live) },
  [listPartners.path]: { kind: 'partner', answer: (_, live) => [...live.values()] },
  [listTestimonials.path]: {
    kind: 'testimonial',
    answer: (_, live) => saidByCarers([...live.values()] as Testimonial[]),
  },
  [listClinicTestimonials.path]: {
    kind: 'testimonial',
    answer: (_, live) => saidByClinics([...live.values()] as Testimonial[]),
  },
  [getAnnouncement.path]: {
    kind: 'announcement',
    answer: (_, live) => {
      const { text = '', href = '' } = live.get('draft') ?? {}
      return text === '' ? null : { id: 'draft', text, href: href || null }
    },
  },
}

/** Puts an author's draft into the answer of a call that a page makes for its preview. */
export async function previewed(
  world: Db & Pick<World, 'secrets' | 'now'>,
  code: string,
  definition: Pick<Call, 'path'>,
  ask: () => Promise<unknown>,
): Promise<unknown> {
  const would = WOULD_ANSWER[definition.path]
  const asked = would && readDraftCode(world.secrets, world.now(), code)
  if (!asked || asked.kind !== would.kind) return ask()
  const [draft] = await world.db
    .select({ words: contentDrafts.words })
    .from(contentDrafts)
    .where(isDraftOf(asked, asked.userId))
  if (!draft) return ask()
  const live = await LIVE[asked.kind](world)
  live.set(asked.kind === 'announcement' ? 'draft' : asked.item, {
    ...emptyWords(asked.kind),
    ...draft.words,
  })
  return would.answer(world, live)
}
