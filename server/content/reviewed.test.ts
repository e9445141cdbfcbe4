import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import {
  getContent,
  legalReview,
  listAdvice,
  listContent,
  listQuestions,
  listReviews,
  publishContent,
  reviewContent,
  saveDraft,
} from '#contract/content.ts'
import { getResource, listResources, reviewResource } from '#contract/library.ts'
import { contentVersions, resources, users } from '#server/db/schema.ts'
import { readingAddresses } from '#server/library/reads.ts'
import { createWorld } from '#test/world.ts'

/** Without demo data, as it is for real visitors. */
const world = await createWorld({ env: { DEMO: 'off' } })
const admin = await world.admin()
const vet = await world.vet()
await world.change(users, vet.id, { firstName: 'Anika', lastName: 'Naidoo', registration: 'D99/1' })

const SIGNS = { kind: 'advice', item: 'signs' } as const

it('clinical words outside the demo are left out until a vet has reviewed them, and then name the vet [PUB-12]', async () => {
  expect(await world.nobody.call(listAdvice, {})).toEqual([])
  const listed = (await admin.call(listContent, {})).find(({ item }) => item === 'signs')
  expect(listed).toMatchObject({ title: 'Signs that can’t wait', is_live: false, is_clinical: true })

  const waiting = await vet.call(listReviews, {})
  expect(waiting.find(({ item }) => item === 'signs')).toMatchObject({ draft_of: null, version: 0 })
  await vet.call(reviewContent, { ...SIGNS, version: 0 })
  const [signs] = await world.nobody.call(listAdvice, {})
  expect(signs).toMatchObject({ item: 'signs', reviewed: { by: 'Dr Anika Naidoo' } })
  expect(signs!.lines).toContain('Collapsed, or can’t stand up')
  expect((await admin.call(getContent, SIGNS)).title).toBe('Signs that can’t wait')
})

it('clinical words outside the demo disappear after a change until the new words are reviewed too [PUB-12]', async () => {
  const words = { lines: 'Struggling to breathe\n\nCollapsed' }
  await admin.call(saveDraft, { ...SIGNS, words, based_on: 0 })
  expect((await admin.send(publishContent, { ...SIGNS, based_on: 0 })).status).toBe(409)
  const { draft } = await admin.call(getContent, SIGNS)
  await vet.call(reviewContent, { ...SIGNS, draft_of: draft!.author, saved_at: draft!.saved_at })
  await admin.call(publishContent, { ...SIGNS, based_on: 0 })
  const [signs] = await world.nobody.call(listAdvice, {})
  expect(signs!.lines).toEqual(['Struggling to breathe', 'Collapsed'])
})

it('clinical words outside the demo that were reviewed once are published again without a new review [ADM-2]', async () => {
  const { versions, version } = await admin.call(getContent, SIGNS)
  const first = versions.find(({ number }) => number === 0)!
  const { draft } = await admin.call(saveDraft, { ...SIGNS, words: first.words!, based_on: version })
  expect(draft!.reviewed).toEqual(first.reviewed)
  await admin.call(publishContent, { ...SIGNS, based_on: version })
  const [signs] = await world.nobody.call(listAdvice, {})
  expect([signs!.reviewed, signs!.lines[0]]).toEqual([
    first.reviewed,
    'Struggling to breathe, or pale or blue gums',
  ])
})

it('an answer with clinical words and without a review is left out outside the demo, and the others stay [PUB-12]', async () => {
  const asked = (await world.nobody.call(listQuestions, {})).flatMap((topic) => topic.asked)
  expect(asked.length).toBeGreaterThan(5)
  expect(asked.filter(({ is_clinical }) => is_clinical)).toEqual([])
})

it('a resource and its file are left out outside the demo until its review [PUB-5]', async () => {
  const [row] = await world.db
    .insert(resources)
    .values({ type: 1, title: 'Ticks', slug: 'ticks', description: 'Look.\n# Where\n- ears' })
    .returning({ id: resources.id })
  const file = async () => (await world.app.inject({ url: '/media/library/ticks.pdf' })).statusCode
  expect(await world.nobody.call(listResources, { type: 'eBooks' })).toEqual([])
  expect((await world.nobody.send(getResource, { resource: 'ticks' })).status).toBe(404)
  expect(await file()).toBe(404)
  expect(await readingAddresses(world)).toEqual([])
  await vet.call(reviewResource, { resource: row!.id, version: 1 })
  expect((await world.nobody.call(getResource, { resource: 'ticks' })).reviewed?.by).toBe('Dr Anika Naidoo')
  expect(await file()).toBe(200)
  expect(await readingAddresses(world)).toEqual(['/resource/ebook/ticks'])
})

it('the terms and the privacy policy say who reviewed which version [PUB-3]', async () => {
  const LEGAL = { kind: 'legal', item: 'terms-and-privacy' } as const
  expect(await world.nobody.call(legalReview, {})).toBeNull()
  const words = { by: 'N. Dube, Dube Attorneys', on: 'soon', version: '2' }
  await admin.call(saveDraft, { ...LEGAL, words, based_on: 0 })
  expect((await admin.send(publishContent, { ...LEGAL, based_on: 0 })).status).toBe(400)
  await admin.call(saveDraft, { ...LEGAL, words: { ...words, on: '2026-11-20' }, based_on: 0 })
  await admin.call(publishContent, { ...LEGAL, based_on: 0 })
  expect(await world.nobody.call(legalReview, {})).toEqual({ ...words, on: '2026-11-20' })
  const [kept] = await world.db
    .select({ number: contentVersions.number })
    .from(contentVersions)
    .where(and(eq(contentVersions.kind, 'legal'), eq(contentVersions.item, 'terms-and-privacy')))
  expect(kept).toEqual({ number: 1 })
})
