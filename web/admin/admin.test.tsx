import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { USER_TYPES } from '#contract/accounts.ts'
import { sampleToken } from '#test/samples.ts'
import { visit } from '../test/visit.tsx'
import { signIn } from '../lib/session.ts'
import Admin, { meta } from './admin.page.tsx'

/** The page as a person of this type, or a visitor, sees it. */
function show(type: number | undefined, address = '/admin') {
  if (type !== undefined) signIn(sampleToken(), true)
  const answer = (path: string) =>
    path === '/user/me' ? { id: 4, type, firstName: 'Sam', lastName: 'Demo' } : []
  return visit('/admin/:view?', address, Admin, answer).sent
}
const heading = (name: string) => expect.element(page.getByRole('heading', { name, level: 1 })).toBeVisible()
const link = (name: string) => page.getByRole('link', { name })

it('/admin shows an admin the first view, and the header links to it from then on [VET-4]', async () => {
  const asked = show(USER_TYPES.admin)
  await expect.element(page.getByText('No resources yet')).toBeVisible()
  const menu = document.querySelector('details')!
  menu.querySelector('summary')!.click()
  await expect.element(link('Resources')).toHaveAttribute('aria-current', 'page')
  await userEvent.keyboard('{Escape}')
  expect(menu.open).toBe(false)
  menu.querySelector('summary')!.click()
  await expect.element(link('My Account')).toHaveAttribute('href', '/myaccount')
  // It would hide the page behind it, where the focus goes next.
  document.getElementById('main')!.focus()
  expect(menu.open).toBe(false)
  expect(asked.some(([path]) => path.includes('subscription'))).toBe(false)
  expect(document.documentElement.hasAttribute('data-admin')).toBe(true)
  expect(localStorage.getItem('user')).toBe('{"type":3,"firstName":"Sam","id":4}')
  // The next person counts as somebody else until we know who it is.
  signIn(sampleToken(), true)
  expect(document.documentElement.hasAttribute('data-admin')).toBe(false)
  expect(localStorage.getItem('user')).toBe(null)
})

it('a signed-out visitor is turned away with a link to the login, which leads back', async () => {
  const asked = show(undefined, '/admin/coupons')
  await heading('Unauthorized access!')
  await expect.element(link('Login')).toHaveAttribute('href', '/login?from=%2Fadmin%2Fcoupons')
  expect(asked).toEqual([])
})

it('the title names the view, so that several tabs can be told apart [ADM-1]', () => {
  const title = (view?: string) => meta({ params: { ...(view && { view }) } })[0]
  expect([title(), title('jobs')]).toEqual([{ title: 'Resources · VetChat' }, { title: 'Jobs · VetChat' }])
})
