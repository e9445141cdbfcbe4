import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Content } from '#contract/content.ts'
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
