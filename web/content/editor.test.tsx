import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Content, Words } from '#contract/content.ts'
import { sentenceOf } from '#contract/errors.ts'
import { refused, visit } from '../test/visit.tsx'
import { Editor } from './editor.tsx'

const View = () => <Editor kind="reply" item="9" />
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
    body ? refused(404, 'CONTENT_REMOVED', sentenceOf('CONTENT_REMOVED')) : Response.json(content),
  )
  await page.getByRole('textbox').first().fill('Gums')
  await expect.element(page.getByText(sentenceOf('CONTENT_REMOVED'))).toBeVisible()
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await expect.element(page.getByText(sentenceOf('CONTENT_REMOVED'))).toHaveLength(2)
  expect(page.getByText('We’ll try again').elements()).toEqual([])
})

it('the error of a time zone goes when the country is right, and all errors when it’s published [ADM-2]', async () => {
  const said = sentenceOf('CONTENT_ZONE_WRONG')
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
  const Clinic = () => <Editor kind="emergency_clinic" item="9" />
  const refusal = { errors: [said], fields: { zone: said, phone: sentenceOf('CONTENT_PHONE_WRONG') } }
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
  await expect.element(page.getByText(sentenceOf('CONTENT_PHONE_WRONG'))).toBeVisible()
  refuses = false
  await publish()
  await expect.element(page.getByText('It’s on the public pages.')).toBeVisible()
  await expect.element(page.getByText(sentenceOf('CONTENT_PHONE_WRONG'))).not.toBeInTheDocument()
})

/** The server's side of a draft that another tab of the same admin may save too. */
function sharedDraft() {
  const first: Words = { title: 'Gums', body: 'Please look at the gums.' }
  let saves = 0
  const saved = (words: Words) => ({
    author: 4,
    words,
    based_on: 0,
    saved_at: `2026-11-01T08:00:0${++saves}.000Z`,
    reviewed: null,
  })
  let draft = saved(first)
  let live: Words | null = null
  visit('/admin/pages', '/admin/pages', View, (path, body) => {
    if (path.endsWith('/publish')) live = draft.words
    else if (body) {
      const sent = body as { words: Words; saved_at: string | null }
      if (sent.saved_at !== draft.saved_at)
        return refused(409, 'CONTENT_DRAFT_ELSEWHERE', sentenceOf('CONTENT_DRAFT_ELSEWHERE'))
      draft = saved(sent.words)
    }
    return Response.json({ ...content, live, version: live ? 1 : 0, draft: live ? null : draft })
  })
  return {
    elsewhere: (body: string) => void (draft = saved({ title: 'Gums', body })),
    live: () => live,
    draft: () => draft.words,
  }
}
const body = () => page.getByRole('textbox').nth(1)

it('the editor shows what a second tab of the same admin wrote, if this one has nothing unsaved [ADM-2]', async () => {
  const shared = sharedDraft()
  await expect.element(body()).toHaveValue('Please look at the gums.')
  shared.elsewhere('From the second tab.')
  await expect.element(body()).toHaveValue('From the second tab.')
  await body().fill('From the first tab again.')
  await expect.poll(() => shared.draft()['body']).toBe('From the first tab again.')
})

it('the editor asks which words stay, before it saves or publishes over those of a second tab [ADM-2]', async () => {
  const shared = sharedDraft()
  await expect.element(body()).toHaveValue('Please look at the gums.')
  shared.elsewhere('From the second tab.')
  await body().fill('From this tab.')
  await expect.element(page.getByText(/^You changed this draft in another tab at/)).toBeVisible()
  await page.getByRole('button', { name: 'Publish version 1' }).click({ force: true })
  expect([shared.draft()['body'], shared.live()]).toEqual(['From the second tab.', null])
  await expect.element(body()).toHaveValue('From this tab.')
  await page.getByRole('button', { name: 'Keep what’s here' }).click()
  await expect.poll(() => shared.draft()['body']).toBe('From this tab.')
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await expect.poll(() => shared.live()?.['body']).toBe('From this tab.')
})

it('the editor takes the words of a second tab over its own [ADM-2]', async () => {
  const shared = sharedDraft()
  await expect.element(body()).toHaveValue('Please look at the gums.')
  shared.elsewhere('From the second tab.')
  await body().fill('From this tab.')
  await page.getByRole('button', { name: 'Use the other version' }).click()
  await expect.element(body()).toHaveValue('From the second tab.')
  await expect.element(page.getByText(/^You changed this draft in another tab at/)).not.toBeInTheDocument()
  expect(shared.draft()['body']).toBe('From the second tab.')
})

it('the editor says whose words are newer, also of an admin who has no name yet [ADM-2]', async () => {
  const theirs = (by: string): Content => ({
    ...content,
    version: 1,
    live: { title: 'Gums', body: 'Theirs.' },
    versions: [
      {
        number: 1,
        mark: { by, is_mine: false, at: '2026-11-01T08:00:00.000Z' },
        what: 'Shorter',
        words: { title: 'Gums', body: 'Theirs.' },
        reviewed: null,
      },
    ],
    draft: {
      author: 4,
      words: { title: 'Gums', body: 'Mine.' },
      based_on: 0,
      saved_at: '2026-11-01T07:00:00.000Z',
      reviewed: null,
    },
  })
  let by = 'Sam Demo'
  visit('/admin/pages', '/admin/pages', View, () => Response.json(theirs(by)))
  await expect.element(page.getByRole('button', { name: 'Take Sam’s' })).toBeVisible()
  by = 'An admin'
  await expect.element(page.getByRole('button', { name: 'Take the published one' })).toBeVisible()
})
