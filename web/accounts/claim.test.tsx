import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import Claim from './claim.page.tsx'

let leave: () => void
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})
afterEach(() => leave())

async function visit(address: string) {
  const router = createMemoryRouter([{ path: '/claim/:code?', Component: Claim }], {
    initialEntries: [address],
  })
  const root = document.body.appendChild(document.createElement('div'))
  const react = createRoot(root)
  await act(() =>
    react.render(
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    ),
  )
  leave = () => {
    act(() => react.unmount())
    root.remove()
  }
  return router
}

const password = () => page.getByLabelText('Password', { exact: true })

it('takes the code out of the address and asks for a password [LOG-14]', async () => {
  const router = await visit('/claim/abcdef')
  await expect.poll(() => router.state.location.pathname).toBe('/claim')
  await expect.element(password()).toBeVisible()
})

it('asks the visitor to open the link again when its code is gone [LOG-14]', async () => {
  await visit('/claim')
  await expect.element(page.getByText('Please open the link in our email again.')).toBeVisible()
  await expect.element(password()).not.toBeInTheDocument()
})
