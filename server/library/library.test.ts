import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import {
  getAnnouncement,
  getResource,
  listClinicTestimonials,
  listPartners,
  listResources,
  listTestimonials,
  readWords,
  teaserOf,
} from '#contract/library.ts'
import { partners, resources, settings, testimonials } from '#server/db/schema.ts'
import { RESOURCES } from '#server/db/demo/library.ts'
import { pagesOf } from '#test/documents.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

const add = (values: Partial<typeof resources.$inferInsert> & { slug: string }) =>
  world.db.insert(resources).values({ type: 1, title: values.slug, ...values })
const slugsOf = async (input: { type: 'eBooks' | 'Infographics' | 'Videos'; page?: number }) =>
  (await world.nobody.call(listResources, input)).map(({ slug }) => slug)

it('the library has 12 resources a page, newest first, by type; a page past the end is empty [PUB-5]', async () => {
  for (let n = 1; n <= 13; n++) await add({ slug: `book-${n}` })
  await add({ slug: 'a-poster', type: 2 })
  await add({ slug: 'removed', deletedAt: world.now() })
  const first = await slugsOf({ type: 'eBooks' })
  expect([first.length, first[0], first.at(-1)]).toEqual([12, 'book-13', 'book-2'])
  expect(await slugsOf({ type: 'eBooks', page: 2 })).toEqual(['book-1'])
  expect(await slugsOf({ type: 'eBooks', page: 3 })).toEqual([])
  expect(await slugsOf({ type: 'Infographics' })).toEqual(['a-poster'])
  expect(await slugsOf({ type: 'Videos' })).toEqual([])
})

it.each([{ type: 'Books' }, { type: 'eBooks', page: '0' }, { type: 'eBooks', page: 'x' }])(
  'the library refuses %o [PUB-5]',
  async (input) => {
    expect((await world.nobody.send(listResources, input)).status).toBe(400)
  },
)

it("the library opens a resource by slug and by id, and doesn't find removed and unknown ones [PUB-5]", async () => {
  const bySlug = await world.nobody.call(getResource, { resource: 'book-3' })
  expect(bySlug).toMatchObject({ type: 1, title: 'book-3', file: '/media/library/book-3.pdf' })
  expect(await world.nobody.call(getResource, { resource: String(bySlug.id) })).toEqual(bySlug)
  for (const resource of ['removed', 'never', '999999', '99999999999', '%00'])
    expect((await world.nobody.send(getResource, { resource })).status, resource).toBeGreaterThanOrEqual(400)
})

it('the library makes a PDF, a poster or slides of a resource that has text and no file, each marked as unreviewed [PUB-5] [D21]', async () => {
  const description = 'About it.\n# Go now\n- <b>Bleeding</b> & more'
  await add({ slug: 'made-book', description })
  await add({ slug: 'made-poster', type: 2, description })
  await add({ slug: 'made-film', type: 3, description })
  for (const [name, type, begins] of [
    ['made-book.pdf', 'application/pdf', '%PDF-1.7'],
    ['made-poster.svg', 'image/svg+xml', '<svg '],
    ['made-film.html', 'text/html; charset=utf-8', '<!doctype html>'],
  ] as const) {
    const reply = await world.app.inject({ url: `/media/library/${name}` })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, type])
    expect(reply.body.slice(0, begins.length)).toBe(begins)
    const words = name.endsWith('.pdf') ? (await pagesOf(reply.rawPayload))[0] : reply.body
    expect(words).toContain('hasn’t been reviewed by a vet')
    expect(reply.body).not.toContain('<b>')
    expect(reply.headers['content-security-policy']).toContain("sandbox; default-src 'none'")
  }
})

it('the library makes a PDF again after its text changed [PUB-5]', async () => {
  await add({ slug: 'changing', description: 'The first words.' })
  const words = async () =>
    (await pagesOf((await world.app.inject({ url: '/media/library/changing.pdf' })).rawPayload))[0]
  expect(await words()).toContain('The first words.')
  await world.db
    .update(resources)
    .set({ description: 'The second words.' })
    .where(eq(resources.slug, 'changing'))
  expect(await words()).toContain('The second words.')
})

it('the library serves uploaded files of the library and no others [PUB-5]', async () => {
  await world.world.files.put('library/one-9f.pdf', Buffer.from('%PDF-1.4 uploaded'))
  await add({ slug: 'uploaded', file: '/media/library/one-9f.pdf' })
  const { file } = await world.nobody.call(getResource, { resource: 'uploaded' })
  expect((await world.app.inject({ url: file })).body).toBe('%PDF-1.4 uploaded')
  for (const name of ['uploaded.pdf', 'made-book.svg', '..%2Fsecret', 'removed.pdf'])
    expect((await world.app.inject({ url: `/media/library/${name}` })).statusCode, name).toBe(404)
})

it('what people say about us is from carers in one list and from clinics in the other [PUB-6] [PUB-8]', async () => {
  await world.db.insert(testimonials).values([
    { kind: 'carer', name: 'Thandi', text: 'We slept.' },
    { kind: 'clinic', name: 'Two Oaks', text: 'So did we.', rating: 4 },
  ])
  expect(await world.nobody.call(listTestimonials, {})).toEqual([
    { petCarer: 'Thandi', text: 'We slept.', image: '' },
  ])
  expect(await world.nobody.call(listClinicTestimonials, {})).toEqual([
    { name: 'Two Oaks', rating: 4, details: 'So did we.' },
  ])
})

it('what people say about us comes with the partners and their websites [PUB-3]', async () => {
  await world.add(partners, { name: 'Bluegum', url: 'https://bluegum.example' })
  expect(await world.nobody.call(listPartners, {})).toEqual([
    { name: 'Bluegum', blurb: '', url: 'https://bluegum.example' },
  ])
})

const say = (key: string, value: unknown) =>
  world.db
    .insert(settings)
    .values({ key, value })
    .onConflictDoUpdate({ target: settings.key, set: { value } })
const said = () => world.nobody.call(getAnnouncement, {})

it('the announcement is off until a setting switches it on, for one region or for all [SHL-4]', async () => {
  expect(await said()).toBeNull()
  await say('announcement', { text: 'We are open on Sunday', href: '/faq' })
  expect(await said()).toMatchObject({ text: 'We are open on Sunday', href: '/faq' })
  await say('announcement:za', { text: 'Here too' })
  expect(await said()).toMatchObject({ text: 'Here too', href: null })
  await say('announcement:za', { text: '' })
  expect(await said()).toBeNull()
  for (const value of ['x', { text: 'x', href: 'javascript:alert(1)' }, { text: 'x', href: '//x.example' }]) {
    await say('announcement:za', value)
    expect(await said()).toBeNull()
  }
})

it.each([
  ['a new resource', () => add({ slug: 'heard' })],
  [
    'a changed one',
    () => world.db.update(resources).set({ title: 'New' }).where(eq(resources.slug, 'heard')),
  ],
  ['a word of a carer', () => world.db.insert(testimonials).values({ kind: 'carer', name: 'S', text: 'T' })],
  ['a partner that goes', () => world.db.delete(partners)],
])('cached pages change with %s [PUB-10]', async (_what, change) => {
  let heard = 0
  await world.hear('content', () => void heard++)
  await change()
  await expect.poll(() => heard).toBeGreaterThan(0)
})

it('text is read as paragraphs, lists and headings', () => {
  expect(readWords('One.\n\n# Two\n- a\n- b\nThree\r\n- c')).toEqual([
    { text: 'One.' },
    { heading: 'Two' },
    { list: ['a', 'b'] },
    { text: 'Three' },
    { list: ['c'] },
  ])
  expect(teaserOf({ title: 'T', description: '# Only a heading' })).toBe('T')
})

it('text of the demo is 12 resources of each kind, and mentions no place [D21]', () => {
  for (const type of [1, 2, 3]) expect(RESOURCES.filter((one) => one.type === type)).toHaveLength(12)
  expect(new Set(RESOURCES.map(({ slug }) => slug)).size).toBe(36)
  expect(JSON.stringify(RESOURCES)).not.toMatch(/South Africa|Australia|Cape Town|SAVC/)
})
