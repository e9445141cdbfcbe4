import { expect, it } from 'vitest'
import { listReplies } from '#contract/clinical.ts'
import {
  addContent,
  type Content,
  discardDraft,
  getContent,
  listContent,
  listQuestions,
  listReviews,
  publishContent,
  reviewContent,
  saveDraft,
  takeContentDown,
} from '#contract/content.ts'
import { getAnnouncement, listClinicTestimonials, listPartners, listTestimonials } from '#contract/library.ts'
import { auditLog, users } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'
import { previewed } from './reads.ts'

const world = await createWorld()
const admin = await world.admin()
const sam = await world.admin()
await world.change(users, sam.id, { firstName: 'Sam', lastName: 'Demo' })

const LONG = { kind: 'question', item: 'how-long-does-a-consult-take' } as const
const asked = async (item: string) =>
  (await world.nobody.call(listQuestions, {}))
    .flatMap((group) => group.asked)
    .find((one) => one.item === item)

/** Writes a draft over what is live and publishes it. */
async function change(by: typeof admin, named: Pick<Content, 'kind' | 'item'>, words: object) {
  const { live, version } = await by.call(getContent, named)
  await by.call(saveDraft, { ...named, words: { ...live, ...words }, based_on: version })
  return by.call(publishContent, { ...named, based_on: version })
}

it('a question begins with the words that VetChat comes with, in three topics, with placeholders [PUB-12]', async () => {
  const topics = await world.nobody.call(listQuestions, {})
  expect(topics.map(({ about, asked }) => [about, asked.length])).toEqual([
    ['The consult', 9],
    ['Price and membership', 5],
    ['Phone, data and privacy', 4],
  ])
  expect(await asked(LONG.item)).toMatchObject({
    question: 'How long does a consult take?',
    answer: 'A session takes about 20 minutes. The vet doesn’t watch the clock; the price stays the same.',
    reviewed: null,
  })
})

it('a question sends nobody to another site by an address that only looks like a page of ours [ADM-2]', async () => {
  const banner = { kind: 'announcement', item: 'za' } as const
  const publishes = async (href: string) => {
    await admin.call(saveDraft, { ...banner, words: { text: 'Closed on Monday', href }, based_on: 0 })
    return (await admin.send(publishContent, { ...banner, based_on: 0 })).status
  }
  for (const href of [
    '//evil.example',
    String.raw`/\evil.example`,
    'http://evil.example',
    'https://',
    'javascript:alert(1)',
  ])
    expect(await publishes(href), href).toBe(400)
  await admin.call(discardDraft, banner)
})

it('a question keeps a draft that another tab saved, unless the caller has seen it [ADM-2]', async () => {
  const named = { kind: 'question', item: 'who-can-read-what-i-write' } as const
  const { live, version } = await admin.call(getContent, named)
  const save = (answer: string, saved_at?: string | null) =>
    admin.send(saveDraft, { ...named, words: { ...live!, answer }, based_on: version, saved_at })
  const stored = async () => (await admin.call(getContent, named)).draft
  expect((await save('One', null)).status).toBe(200)
  const first = (await stored())!.saved_at
  world.advance({ seconds: 1 })
  expect((await save('Two', first)).status).toBe(200)
  const late = await Promise.all([save('Three', null), save('Three', first)])
  expect(late.map(({ body }) => body.code)).toEqual(['CONTENT_DRAFT_ELSEWHERE', 'CONTENT_DRAFT_ELSEWHERE'])
  expect((await stored())!.words['answer']).toBe('Two')
  expect((await save('Two', null)).status).toBe(200)
  expect((await save('Four')).status).toBe(200)
  await admin.call(discardDraft, named)
  expect((await save('Five', first)).status).toBe(200)
  await admin.call(discardDraft, named)
})

it('a question changes for visitors when its draft is published, and not before [ADM-2]', async () => {
  let heard = 0
  await world.hear('content', () => void heard++)
  const { live, version } = await admin.call(getContent, LONG)
  const words = { ...live!, answer: 'About 20 minutes.' }
  const drafted = await admin.call(saveDraft, { ...LONG, words, based_on: version })
  expect(drafted).toMatchObject({ version: 0, draft: { words, based_on: 0 } })
  expect((await asked(LONG.item))!.answer).toContain('the clock')
  expect((await sam.call(getContent, LONG)).draft).toBeNull()
  expect((await sam.call(getContent, LONG)).others).toHaveLength(1)

  const after = await admin.call(publishContent, { ...LONG, based_on: 0, what: 'Shorter' })
  expect(after).toMatchObject({ version: 1, live: words, draft: null })
  expect(after.versions.map(({ number, what, mark }) => [number, what, mark.is_mine])).toEqual([
    [1, 'Shorter', true],
    [0, 'As it was', false],
  ])
  expect((await asked(LONG.item))!.answer).toBe('About 20 minutes.')
  await expect.poll(() => heard).toBeGreaterThan(0)
  expect(await world.rows(auditLog, { subject: 'content question', action: 'published' })).toMatchObject([
    { userId: admin.id, subjectId: LONG.item, details: { version: 1 } },
  ])
})

it('a question tells the later of two admins about the newer version, and lets them publish over it [ADM-2]', async () => {
  const WHO = { kind: 'question', item: 'who-are-the-vets' } as const
  const { live } = await admin.call(getContent, WHO)
  await admin.call(saveDraft, { ...WHO, words: { ...live!, answer: 'Mine.' }, based_on: 0 })
  await change(sam, WHO, { answer: 'Theirs.' })
  const late = await admin.send(publishContent, { ...WHO, based_on: 0 })
  expect([late.status, late.body.errors]).toEqual([
    409,
    ['Sam Demo published a newer version. Look at both first.'],
  ])
  expect(await admin.call(getContent, WHO)).toMatchObject({
    version: 1,
    live: { answer: 'Theirs.' },
    draft: { words: { answer: 'Mine.' }, based_on: 0 },
    versions: [{ mark: { by: 'Sam Demo', is_mine: false } }, { words: live }],
  })
  expect((await admin.call(publishContent, { ...WHO, based_on: 1 })).version).toBe(2)
  expect((await asked(WHO.item))!.answer).toBe('Mine.')
})

it('a question with clinical advice waits for a vet, again after each change of its words [ADM-2]', async () => {
  const { item } = await admin.call(addContent, { kind: 'question' })
  const named = { kind: 'question', item } as const
  const words = {
    topic: 'The consult',
    question: 'My dog ate chocolate?',
    answer: 'Ask us.',
    clinical: true,
  }
  const { draft } = await admin.call(saveDraft, { ...named, words, based_on: 0 })
  expect(await asked(item)).toBeUndefined()
  expect(await admin.refusal(publishContent, { ...named, based_on: 0 })).toBe('CONTENT_NEEDS_VET')

  const waits = { ...named, draft_of: admin.id, saved_at: draft!.saved_at }
  expect((await admin.send(reviewContent, waits)).status).toBe(403)
  const vet = await world.vet()
  expect((await vet.call(listReviews, {})).find((one) => one.item === item)).toMatchObject({
    draft_of: admin.id,
    words,
  })
  await vet.call(reviewContent, waits)
  world.advance({ seconds: 1 })
  const other = { ...words, answer: 'Ask a vet.' }
  const changed = await admin.call(saveDraft, { ...named, words: other, based_on: 0 })
  expect(changed.draft!.reviewed).toBeNull()
  expect(await vet.refusal(reviewContent, waits)).toBe('CHANGED_UNDER_YOU')
  await vet.call(reviewContent, { ...waits, saved_at: changed.draft!.saved_at })
  await admin.call(publishContent, { ...named, based_on: 0 })
  expect(await asked(item)).toMatchObject({
    answer: 'Ask a vet.',
    reviewed: { by: expect.stringMatching(/^Dr Thandi /) as string },
  })
  expect((await vet.call(listReviews, {})).map((one) => one.item)).not.toContain(item)
})

it('a question that VetChat came with can be reviewed as it is [ADM-2]', async () => {
  const item = 'can-the-vet-prescribe-medicine'
  const vet = await world.vet()
  await vet.call(reviewContent, { kind: 'question', item, version: 0 })
  expect((await asked(item))!.reviewed).toMatchObject({ by: expect.stringMatching(/^Dr /) as string })
})

it("a question is refused if it's empty or has words in braces that no page can fill in [ADM-2]", async () => {
  const { live, version } = await sam.call(getContent, LONG)
  const send = async (answer: string) => {
    await sam.call(saveDraft, { ...LONG, words: { ...live!, answer }, based_on: version })
    return sam.send(publishContent, { ...LONG, based_on: version })
  }
  for (const answer of ['', 'It costs {price}.']) {
    const { status, body } = await send(answer)
    expect([status, Object.keys(body.fields!)]).toEqual([400, ['answer']])
  }
  await sam.call(discardDraft, LONG)
  expect(await sam.refusal(publishContent, { ...LONG, based_on: version })).toBe('CONTENT_NO_DRAFT')
})

it('the content editor shows partners and testimonials, takes them down, and brings them back under their number [ADM-2]', async () => {
  const partner = await admin.call(addContent, { kind: 'partner' })
  const words = { name: 'Demo Insurance', blurb: 'Covers pets', url: 'https://insurer.example' }
  await admin.call(saveDraft, { ...partner, words, based_on: 0 })
  await admin.call(publishContent, { ...partner, based_on: 0 })
  expect(await world.nobody.call(listPartners, {})).toEqual([words])
  await sam.call(saveDraft, { ...partner, words, based_on: 1 })
  await admin.call(takeContentDown, { ...partner, based_on: 1 })
  await sam.call(takeContentDown, { ...partner, based_on: 1 })
  expect((await sam.send(publishContent, { ...partner, based_on: 1 })).body.errors![0]).toMatch(
    / took this down\. Look at it first\.$/,
  )
  await sam.call(discardDraft, partner)
  expect(await world.nobody.call(listPartners, {})).toEqual([])
  const down = await admin.call(getContent, partner)
  expect(down).toMatchObject({ live: null, version: 2, versions: [{ words: null }, { words }] })
  await admin.call(saveDraft, { ...partner, words, based_on: 2 })
  await admin.call(publishContent, { ...partner, based_on: 2 })
  expect(await world.nobody.call(listPartners, {})).toEqual([words])

  const clinic = await admin.call(addContent, { kind: 'testimonial' })
  const said = { kind: 'clinic', name: 'Two Oaks', text: 'We sleep.', image: '', rating: 5 }
  await admin.call(saveDraft, { ...clinic, words: said, based_on: 0 })
  await admin.call(publishContent, { ...clinic, based_on: 0 })
  expect(await world.nobody.call(listClinicTestimonials, {})).toEqual([
    { name: 'Two Oaks', rating: 5, details: 'We sleep.' },
  ])
  expect(await world.nobody.call(listTestimonials, {})).toEqual([])
})

it('a draft that a colleague discarded can’t be written any more, and says so [ADM-2]', async () => {
  const made = await admin.call(addContent, { kind: 'question' })
  await sam.call(getContent, made)
  for (const _ of [1, 2]) await admin.call(discardDraft, made)
  expect(await sam.refusal(saveDraft, { ...made, words: {}, based_on: 0 })).toBe('CONTENT_REMOVED')
})

it("the content editor refuses a second partner with the same name, and an address that isn't safe [ADM-2]", async () => {
  const { item } = await admin.call(addContent, { kind: 'partner' })
  const send = async (words: { name: string; blurb: string; url: string }) => {
    await admin.call(saveDraft, { kind: 'partner', item, words, based_on: 0 })
    return admin.send(publishContent, { kind: 'partner', item, based_on: 0 })
  }
  const twin = { name: 'Demo Insurance', blurb: '', url: 'https://other.example' }
  expect((await send(twin)).body.code).toBe('CONTENT_NAME_TAKEN')
  const unsafe = await send({ ...twin, name: 'Other', url: 'javascript:alert(1)' })
  expect(Object.keys(unsafe.body.fields!)).toEqual(['url'])
})

it('the content editor switches the banner on and off, for one region or for all [SHL-4]', async () => {
  const banner = (item: string) => ({ kind: 'announcement' as const, item })
  const said = async () => (await world.nobody.call(getAnnouncement, {}))?.text
  await change(admin, banner('all'), { text: 'Open on Sunday', href: '/faq' })
  expect(await said()).toBe('Open on Sunday')
  await change(admin, banner('za'), { text: 'Open in Durban', href: '' })
  expect(await said()).toBe('Open in Durban')
  await admin.call(takeContentDown, { ...banner('za'), based_on: 1 })
  expect(await said()).toBe('Open on Sunday')
  await admin.call(takeContentDown, { ...banner('all'), based_on: 1 })
  expect(await said()).toBeUndefined()
})

it('the content editor gives vets the canned replies [ADM-2]', async () => {
  const reply = await admin.call(addContent, { kind: 'reply' })
  await admin.call(saveDraft, { ...reply, words: { title: 'Hello', body: 'Hello there.' }, based_on: 0 })
  await admin.call(publishContent, { ...reply, based_on: 0 })
  expect(await (await world.vet()).call(listReplies, {})).toMatchObject([
    { title: 'Hello', body: 'Hello there.' },
  ])
})

it('the content editor lists everything with its state, and whose draft it is [ADM-2]', async () => {
  const { item } = await admin.call(addContent, { kind: 'reply' })
  const all = await sam.call(listContent, {})
  expect(all.filter(({ kind }) => kind === 'question').length).toBeGreaterThanOrEqual(18)
  expect(all.find((one) => one.item === item && one.kind === 'reply')).toMatchObject({
    title: 'Untitled',
    is_live: false,
    has_draft: true,
    changed: { is_mine: false },
  })
})

it('a draft shows only in its preview, to people who have the signed address [ADM-2]', async () => {
  const { live, version } = await admin.call(getContent, LONG)
  const drafted = await admin.call(saveDraft, {
    ...LONG,
    words: { ...live!, answer: 'Only a draft.' },
    based_on: version,
  })
  const code = new URL(drafted.preview!, 'http://site').searchParams.get('draft')!
  const see = (code: string) =>
    previewed({ ...world.world, now: world.now }, code, listQuestions, () =>
      world.nobody.call(listQuestions, {}),
    )
  expect(JSON.stringify(await see(code))).toContain('Only a draft.')
  expect(JSON.stringify(await see(code.replace(`.${admin.id}.`, `.${sam.id}.`)))).not.toContain(
    'Only a draft.',
  )
  expect(JSON.stringify(await see('nonsense'))).not.toContain('Only a draft.')
  world.advance({ days: 3 })
  expect(JSON.stringify(await see(code))).not.toContain('Only a draft.')
})
