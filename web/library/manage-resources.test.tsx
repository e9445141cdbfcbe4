import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { sentenceOf } from '#contract/errors.ts'
import type { Resource } from '#contract/library.ts'
import { visit } from '../test/visit.tsx'
import ManageResources from './manage-resources.tsx'

const resource: Resource = {
  id: 7,
  type: 1,
  title: 'Ticks',
  slug: 'ticks',
  description: '',
  featured_image: '',
  featured_image2: '',
  file: '',
  size: null,
  is_public: true,
  reviewed: null,
  version: 1,
  created_at: '2026-11-01T08:00:00.000Z',
}
const save = () => page.getByRole('button', { name: 'Save changes' }).click()

it('a picture that the server refuses says so beside its own field, which gets the focus [ADM-2]', async () => {
  const said = sentenceOf('RESOURCE_PICTURE_WRONG')
  let listed = false
  visit('/admin/resources', '/admin/resources', ManageResources, () => {
    if (!listed) return ((listed = true), Response.json([resource]))
    const body = { code: 'RESOURCE_PICTURE_WRONG', errors: [said], fields: { featured_image2: said } }
    return Response.json(body, { status: 400 })
  })
  await page.getByRole('button', { name: 'Edit Ticks' }).click()
  const second = page.getByRole('group', { name: 'Second picture (optional)' })
  const chosen = new File(['not a picture'], 'a.png', { type: 'image/png' })
  await userEvent.upload(second.getByLabelText('Add a picture'), chosen)
  await save()
  await expect.element(second.getByText(said)).toBeInViewport({ ratio: 1 })
  await expect.element(second.getByLabelText('Change picture')).toHaveFocus()
  expect(page.getByRole('alert').getByText(said).elements()).toEqual([])
})

it('what a colleague saved meanwhile can be taken over, and then it is the same [ADM-2]', async () => {
  let listed = false
  visit('/admin/resources', '/admin/resources', ManageResources, () => {
    if (!listed) return ((listed = true), Response.json([resource]))
    const body = { code: 'CHANGED_UNDER_YOU', errors: [sentenceOf('CHANGED_UNDER_YOU')] }
    return Response.json(
      { ...body, current: { ...resource, title: 'Tick bites', version: 2 } },
      { status: 409 },
    )
  })
  await page.getByRole('button', { name: 'Edit Ticks' }).click()
  const title = page.getByRole('textbox', { name: 'Title' })
  await title.fill('Ticks in spring')
  await save()
  const told = page.getByRole('alert').filter({ hasText: 'Somebody else saved this' })
  await expect.element(told.getByText('Tick bites')).toBeVisible()
  await told.getByRole('button', { name: 'Take theirs' }).click()
  await expect.element(title).toHaveValue('Tick bites')
  await expect.element(told.getByText('This form now says the same.')).toBeVisible()
  expect(told.getByRole('button').elements()).toEqual([])
  await expect.poll(() => document.activeElement?.contains(told.element())).toBe(true)
})
