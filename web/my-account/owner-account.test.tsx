import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { sampleUser } from '#test/samples.ts'
import { sampleSite } from '../test/mount.tsx'
import { visit } from '../test/visit.tsx'
import { OwnerAccount } from './owner-account.tsx'

it('a new owner reads the prices of their own region, whatever host shows them [SHL-13]', async () => {
  const user = { ...sampleUser, region: 'au' as const }
  const answer = (path: string) => {
    if (path === '/user/me') return user
    return path.includes('/pet') ? [] : { consultations: [], next: null, counts: {} }
  }
  visit('/', '/', () => <OwnerAccount user={user} />, answer, { site: sampleSite })
  await expect.element(page.getByText('$200 a year or $20 a month', { exact: false })).toBeVisible()
})
