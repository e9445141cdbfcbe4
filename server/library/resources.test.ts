import { expect, it } from 'vitest'
import type { Resource } from '#contract/library.ts'
import {
  deleteResource,
  getResource,
  listAllResources,
  listResources,
  listUnreviewed,
  reviewResource,
  saveResource,
  updateResource,
} from '#contract/library.ts'
import { auditLog, libraryFiles } from '#server/db/schema.ts'
import { sendForm } from '#test/forms.ts'
import { pdf } from '#test/documents.ts'
import { photo } from '#test/pictures.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()
const admin = await world.admin()

const form = (method: 'POST' | 'PUT', fields: Record<string, string | Blob>, token = admin.token) =>
  sendForm<Resource>(world.app, '/resources', token, fields, method)
const picture = async () => new Blob([new Uint8Array(await photo())])
const fetched = async (address: string) => (await world.app.inject({ url: address })).statusCode

it('the resources that an admin manages are added with pictures and a file, read by anyone, and listed [ADM-2]', async () => {
  const made = await form('POST', {
    title: 'Tick season’s checklist',
    type: 'eBooks',
    description: '# Look\n- ears',
    featured_image: await picture(),
    file: new Blob([new Uint8Array(pdf())]),
  })
  expect([made.status, made.body.slug, made.body.type]).toEqual([200, 'tick-seasons-checklist', 1])
  expect(made.body.featured_image).toMatch(/^\/media\/library\/[0-9a-f]{32}\.jpg$/)
  expect(made.body.file).toMatch(/^\/media\/library\/[0-9a-f]{32}\.pdf$/)
  expect([await fetched(made.body.featured_image), await fetched(made.body.file)]).toEqual([200, 200])
  const list = await world.nobody.call(listResources, { type: 'eBooks' })
  expect(list[0]).toEqual(made.body)
  expect((await admin.call(listAllResources, {}))[0]).toEqual(made.body)
})

it('the resources that an admin manages need a title and a type, and say so beside the field [ADM-2]', async () => {
  expect((await form('POST', { type: '1' })).body.errors).toContain('Title is required')
  for (const type of ['', '4', 'Books'])
    expect((await form('POST', { title: 'No type', type })).body).toMatchObject({
      errors: ['Type is required'],
      fields: { type: 'Type is required' },
    })
})

it('the resources that an admin manages keep what a change does not name, and lose what it empties [ADM-2]', async () => {
  const { body: made } = await form('POST', {
    title: 'Breathing',
    type: '3',
    description: 'Count for a minute.',
    featured_image: await picture(),
    file: 'https://www.youtube-nocookie.com/embed/abc',
  })
  const changed = await form('PUT', { id: String(made.id), title: 'How to count breaths' })
  expect(changed.body).toEqual({ ...made, version: 2, title: 'How to count breaths' })
  const byPost = await form('POST', {
    id: String(made.id),
    title: changed.body.title,
    type: '3',
    featured_image: '',
    file: made.file,
  })
  expect(byPost.body).toMatchObject({ id: made.id, featured_image: '', file: made.file })
})

it('the resources that an admin manages take one slug each, even if two admins add the same title at the same time [ADM-2]', async () => {
  const both = await Promise.all([1, 2, 3].map(() => form('POST', { title: 'Puppies', type: '2' })))
  expect(both.map(({ body }) => body.slug).toSorted()).toEqual(['puppies', 'puppies-2', 'puppies-3'])
  expect((await form('POST', { title: '2026', type: '2' })).body.slug).toBe('resource-2026')
})

it('the resources that an admin manages refuse foreign players, other addresses and files of the wrong kind [ADM-2]', async () => {
  for (const file of ['https://evil.example/embed', 'javascript:alert(1)', '/media/library/x.pdf'])
    expect((await form('POST', { title: 'Odd', type: '3', file })).body.fields).toHaveProperty('file')
  const script = new Blob(['<script>alert(1)</script>'])
  expect((await form('POST', { title: 'Odd', type: '1', file: script })).status).toBe(400)
  expect(
    (await form('POST', { title: 'Odd', type: '1', featured_image: script })).body.fields,
  ).toHaveProperty('featured_image')
})

it('the resources that an admin manages are gone for everyone once deleted, and every change is in the log [ADM-2]', async () => {
  const { body: made } = await form('POST', { title: 'Short lived', type: '1' })
  await admin.call(deleteResource, { resource: made.id })
  expect((await world.nobody.send(getResource, { resource: made.slug })).status).toBe(404)
  await admin.call(deleteResource, { resource: made.id })
  for (const version of [undefined, made.version])
    expect(await admin.refusal(updateResource, { id: made.id, title: 'Back', version })).toBe(
      'RESOURCE_REMOVED',
    )
  const log = await world.db.select().from(auditLog)
  expect(
    log.filter(({ subject, subjectId }) => subject === 'resource' && subjectId === String(made.id)),
  ).toMatchObject([
    { userId: admin.id, action: 'resource added' },
    { userId: admin.id, action: 'resource deleted' },
  ])
  expect((await form('POST', { title: 'Mine', type: '1' }, (await world.owner()).token)).status).toBe(403)
  expect((await admin.send(saveResource, { title: 'As JSON', type: 1 })).status).toBe(200)
})

it('two admins who save over each other are told what is there now, and a call without a version still saves [ADM-2]', async () => {
  const { body: made } = await form('POST', { title: 'Shared', type: '1', description: 'First.' })
  const other = await world.admin()
  await other.call(updateResource, { id: made.id, description: 'Theirs.', version: made.version })
  const late = await admin.send(updateResource, {
    id: made.id,
    description: 'Mine.',
    version: made.version,
  })
  expect([late.status, late.body]).toMatchObject([
    409,
    { code: 'CHANGED_UNDER_YOU', current: { description: 'Theirs.', version: 2 } },
  ])
  expect((await admin.call(updateResource, { id: made.id, description: 'Mine.' })).version).toBe(3)
})

it('a review is for one version only: it ends when the words change, not when the picture does [ADM-2]', async () => {
  const { body: made } = await form('POST', { title: 'Clinical', type: '1', description: 'Rest.\nSleep.' })
  expect(made.description).toBe('Rest.\nSleep.')
  const read = async () => world.nobody.call(getResource, { resource: made.slug })
  const vet = await world.vet()
  expect((await vet.call(listUnreviewed, {})).map(({ id }) => id)).toContain(made.id)
  const review = { resource: made.id, version: made.version }
  expect(await admin.refusal(reviewResource, review)).toBe('CONTENT_NOT_A_VET')
  await vet.call(reviewResource, review)
  expect((await read()).reviewed!.by).toMatch(/^Dr /)
  await form('PUT', {
    id: String(made.id),
    description: 'Rest.\nSleep.',
    featured_image: await picture(),
  })
  expect((await read()).reviewed).not.toBeNull()
  await admin.call(updateResource, { id: made.id, description: 'Rest for a day.' })
  expect((await read()).reviewed).toBeNull()
  expect((await vet.send(reviewResource, review)).status).toBe(409)
})

it('files that were replaced, deleted or never saved are swept a day later [ADM-2]', async () => {
  const sent = async () => ({ title: 'Files', type: '1', file: new Blob([new Uint8Array(pdf())]) })
  const { body: kept } = await form('POST', await sent())
  const { body: replaced } = await form('POST', await sent())
  const { body: gone } = await form('POST', await sent())
  await admin.call(updateResource, { id: replaced.id, file: '' })
  await admin.call(deleteResource, { resource: gone.id })
  // Its picture is refused after its file was stored.
  await form('POST', { ...(await sent()), featured_image: 'https://elsewhere.example/x.jpg' })
  await world.runDue()
  expect(await fetched(replaced.file)).toBe(200)
  await world.pass({ days: 2 })
  expect([await fetched(kept.file), await fetched(replaced.file), await fetched(gone.file)]).toEqual([
    200, 404, 404,
  ])
  const stored = await world.db.select().from(libraryFiles)
  const later = await world.admin()
  const named = (await later.call(listAllResources, {})).flatMap((one) => [one.file, one.featured_image])
  expect(stored.every(({ name }) => named.some((address) => address.endsWith(name)))).toBe(true)
})
