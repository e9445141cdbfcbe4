import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Content, Words } from '#contract/content.ts'
import { words } from '#contract/errors.ts'
import { refused, visit } from '../test/visit.tsx'
import { AlertProvider } from '../ui/alert-bar.tsx'
import { Editor } from './editor.tsx'

const View = () => (
  <AlertProvider>
    <Editor kind="reply" item="9" />
  </AlertProvider>
)
const content: Content = {
  kind: 'reply',
  item: '9',
  title: 'New reply',
  version: 0,
  live: null,
  live_reviewed: null,
  versions: [],
  draft: null,
  others: ['Sam Demo'],
  preview: null,
  may_review: false,
}

it('what a colleague discarded says so while it is written, and can’t be published [ADM-2]', async () => {
  visit('/admin/pages', '/admin/pages', View, (_path, body) =>
    body ? refused(404, 'CONTENT_REMOVED', words('CONTENT_REMOVED')) : Response.json(content),
  )
  await page.getByRole('textbox').first().fill('Gums')
  await expect.element(page.getByText(words('CONTENT_REMOVED'))).toBeVisible()
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await expect.element(page.getByText(words('CONTENT_REMOVED'))).toHaveLength(2)
  expect(page.getByText('We’ll try again').elements()).toEqual([])
})

it('the error of a time zone goes when the country is right, and all errors when it’s published [ADM-2]', async () => {
  const said = words('CONTENT_ZONE_WRONG')
  let now: Content = {
    ...content,
    kind: 'emergency_clinic',
    others: [],
    draft: {
      author: 4,
      words: { name: 'West', region: 'za', zone: 'Perth', phone: 'ask Joe' },
      based_on: 0,
      saved_at: '2026-11-01T08:00:00.000Z',
      reviewed: null,
    },
  }
  const Clinic = () => (
    <AlertProvider>
      <Editor kind="emergency_clinic" item="9" />
    </AlertProvider>
  )
  const refusal = { errors: [said], fields: { zone: said, phone: words('CONTENT_PHONE_WRONG') } }
  let refuses = true
  visit('/admin/pages', '/admin/pages', Clinic, (path, body) => {
    if (path.endsWith('/publish')) {
      if (refuses) return Response.json({ code: 'INVALID_INPUT', ...refusal }, { status: 400 })
      now = { ...now, version: 1, live: now.draft!.words, draft: null }
    } else if (body) now = { ...now, draft: { ...now.draft!, words: (body as { words: Words }).words } }
    return Response.json(now)
  })
  const publish = () => page.getByRole('button', { name: 'Publish version 1' }).click()
  await publish()
  await expect.element(page.getByText(said)).toBeVisible()
  await page.getByLabelText('Country').selectOptions('au')
  await expect.element(page.getByText(said)).not.toBeInTheDocument()
  await expect.element(page.getByText(words('CONTENT_PHONE_WRONG'))).toBeVisible()
  refuses = false
  await publish()
  await expect.element(page.getByText('It’s on the public pages.')).toBeVisible()
  await expect.element(page.getByText(words('CONTENT_PHONE_WRONG'))).not.toBeInTheDocument()
})

it('publishes the words on the screen, although a second window of the same admin has saved others [ADM-2]', async () => {
  const shown = { title: 'Gums', body: 'Please look at the gums.' }
  let draft = {
    author: 4,
    words: shown as Words,
    based_on: 0,
    saved_at: '2026-11-01T08:00:00.000Z',
    reviewed: null,
  }
  let live: Words | null = null
  visit('/admin/pages', '/admin/pages', View, (path, body) => {
    if (path.endsWith('/publish')) live = draft.words
    else if (body) draft = { ...draft, words: (body as { words: Words }).words }
    return Response.json({ ...content, live, version: live ? 1 : 0, draft: live ? null : draft })
  })
  const publish = page.getByRole('button', { name: 'Publish version 1' })
  await expect.element(publish).toBeVisible()
  draft = { ...draft, words: { title: 'Gums', body: 'From the second window.' } }
  await publish.click()
  await expect.poll(() => live).toEqual(shown)
})
