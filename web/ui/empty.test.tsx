import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { Failed } from './empty.tsx'

let leave = () => {}
afterEach(() => leave())

function Part() {
  const [isLoading, load] = useState(false)
  return (
    <main id="main" tabIndex={-1}>
      {isLoading ? 'Loading' : <Failed what="the list" onRetry={() => load(true)} />}
    </main>
  )
}

it('the focus stays in the page when something that failed is loaded again', async () => {
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(<Part />)
  leave = () => root.unmount()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('main')).toHaveFocus()
  await expect.element(page.getByText('Loading')).toBeVisible()
})
