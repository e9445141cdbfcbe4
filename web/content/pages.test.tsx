import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { ListedContent } from '#contract/content.ts'
import { sentenceOf } from '#contract/errors.ts'
import { refused, visit } from '../test/visit.tsx'
import Pages from './pages.tsx'

const question = (n: number): ListedContent => ({
  kind: 'question',
  item: `question-${n}`,
  title: `Question ${n}`,
  text: n === 7 ? 'tick' : '',
  is_live: true,
  has_draft: false,
  is_clinical: false,
  reviewed: null,
  changed: { by: null, is_mine: false, at: new Date(Date.UTC(2026, 0, n + 1)).toISOString() },
})
const reply = { ...question(8), kind: 'reply' as const, text: 'tick' }

function open(address: string) {
  const questions = Array.from({ length: 25 }, (_, n) => question(n))
  return visit('/admin/pages', address, Pages, (path) =>
    path.startsWith('/content/')
      ? refused(404, 'NOT_FOUND', sentenceOf('NOT_FOUND'))
      : Response.json(path === '/content' ? [...questions, reply] : []),
  )
}
const counted = (says: string) =>
  expect.element(page.getByRole('status').filter({ hasText: 'found' })).toHaveTextContent(says)

it('an address beyond the last page of the list shows the last one [ADM-2]', async () => {
  open('/admin/pages?page=99')
  await counted('26 found')
  await expect.element(page.getByText('Page 2 of 2')).toBeVisible()
  await expect.element(page.getByRole('link', { name: /^Edit: / })).toHaveLength(6)
})

it('opening an item and going back to the list keep the focus on the page [ADM-2]', async () => {
  const main = document.createElement('main')
  main.id = 'main'
  main.tabIndex = -1
  document.body.append(main)
  open('/admin/pages')
  await page.getByRole('link', { name: 'Edit: Question 24' }).click()
  await expect.element(page.getByRole('link', { name: 'Pages' })).toBeVisible()
  await expect.poll(() => document.activeElement).toBe(main)
  await page.getByRole('link', { name: 'Pages' }).click()
  await expect.element(page.getByRole('link', { name: 'Edit: Question 24' })).toBeVisible()
  await expect.poll(() => document.activeElement).toBe(main)
  main.remove()
})

it('on the last page of the list the focus is on the link back [ADM-2]', async () => {
  open('/admin/pages')
  await page.getByRole('link', { name: 'Next' }).click()
  await expect.element(page.getByRole('link', { name: 'Previous' })).toHaveFocus()
})

it('the search box shows what is searched for, even after going back [ADM-2]', async () => {
  const { router } = open('/admin/pages')
  const box = page.getByLabelText('Title or text')
  await counted('26 found')
  await box.fill('tick')
  await counted('2 found')
  await page.getByRole('link', { name: 'Replies' }).click()
  await counted('1 found')
  await page.getByRole('link', { name: 'Questions' }).click()
  await box.fill('')
  await counted('25 found')
  void router.navigate(-1)
  await counted('1 found')
  await expect.element(box).toHaveValue('tick')
})
