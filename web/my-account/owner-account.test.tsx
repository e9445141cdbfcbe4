import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { sampleUser } from '#test/samples.ts'
import { mount, sampleSite } from '../test/mount.tsx'
import { OwnerAccount } from './owner-account.tsx'

it('a new owner reads the prices of their own region, whatever host shows them [SHL-13]', async () => {
  const user = { ...sampleUser, region: 'au' as const }
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/user/me')) return Response.json(user)
    return Response.json(url.includes('/pet') ? [] : { consultations: [], next: null, counts: {} })
  })
  const element = <OwnerAccount user={user} />
  mount(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />, { site: sampleSite })
  await expect.element(page.getByText('$200 a year or $20 a month', { exact: false })).toBeVisible()
})
