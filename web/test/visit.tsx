import type { ComponentType } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { vi } from 'vitest'
import { LinkContext } from '../ui/link.tsx'
import { Link } from '../lib/link.tsx'
import { mount } from './mount.tsx'

/** The server's answer to a call, by the call's path and body. */
export type Answer = (path: string, body: unknown) => Response | Promise<Response>

/** A page at this address in a component test, with answers to its calls. Returns what it sent and its router. */
export function visit(path: string, address: string, Component: ComponentType, answer: Answer) {
  const sent: [path: string, body: unknown][] = []
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
    const said: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
    const called = url.replace(/^.*\/api/, '')
    sent.push([called, said])
    return answer(called, said)
  })
  const router = createMemoryRouter([{ path, Component }], { initialEntries: [address] })
  const leave = mount(
    <LinkContext value={Link}>
      <RouterProvider router={router} />
    </LinkContext>,
  )
  return { sent, router, leave }
}

/** A refusal as the server sends it. */
export const refused = (status: number, code: string, message: string) =>
  Response.json({ code, errors: [message] }, { status })
