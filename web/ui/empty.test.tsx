import { useState } from 'react'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { Failed } from './empty.tsx'

function Part() {
  const [isLoading, load] = useState(false)
  return (
    <main id="main" tabIndex={-1}>
      {isLoading ? 'Loading' : <Failed what="the list" onRetry={() => load(true)} />}
    </main>
  )
}

it('the focus stays in the page when something that failed is loaded again', async () => {
  mount(<Part />)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('main')).toHaveFocus()
  await expect.element(page.getByText('Loading')).toBeVisible()
})
