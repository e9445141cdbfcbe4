import { createMemoryRouter, Link, RouterProvider, useNavigation } from 'react-router'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { useLeaving } from './leaving.ts'
import { useTypedSearch } from './typed-search.ts'

const searched: string[] = []

function List() {
  const { words, type } = useTypedSearch('', (next) => void searched.push(next), useLeaving())
  return (
    <>
      <input type="search" value={words} onChange={({ target }) => type(target.value)} />
      <Link to="/other">Other</Link>
      <p>{useNavigation().state}</p>
    </>
  )
}

function typeInto(box: HTMLInputElement, words: string) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(box, words)
  box.dispatchEvent(new Event('input', { bubbles: true }))
}

it('a link pressed right after typing is followed, however long its page takes to load [VET-1]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let arrive = () => {}
  const arrived = new Promise<null>((resolve) => (arrive = () => resolve(null)))
  const router = createMemoryRouter([
    { path: '/', Component: List },
    { path: '/other', loader: () => arrived, element: <p>Arrived</p> },
  ])
  mount(<RouterProvider router={router} />)
  const link = page.getByRole('link', { name: 'Other' })
  await expect.element(link).toBeVisible()
  // In one turn, because a slow machine takes longer between two steps than the pause after the last key.
  typeInto(page.getByRole('searchbox').element() as HTMLInputElement, 'pixel')
  ;(link.element() as HTMLAnchorElement).click()
  await expect.element(page.getByText('loading')).toBeVisible()
  vi.advanceTimersByTime(1000)
  expect(searched).toEqual([])
  arrive()
  await expect.element(page.getByText('Arrived')).toBeVisible()
})
