import type { ComponentType } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { vi } from 'vitest'
import { AlertProvider } from '../ui/alert-bar.tsx'
import { LinkContext } from '../ui/link.tsx'
import { Link } from '../lib/link.tsx'
import { type Around, mount } from './mount.tsx'

/** The server's answer to a call, by the call's path, body and idempotency key: a response, or what's in it. */
export type Answer = (path: string, body: unknown, key: string | null) => unknown

/** Answers every call of a component test. Returns what was sent. */
export function answerCalls(answer: Answer) {
  const sent: [path: string, body: unknown][] = []
  vi.stubGlobal('fetch', async (url: string, { body, headers }: RequestInit = {}) => {
    const said: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
    const called = url.replace(/^.*\/api/, '')
    sent.push([called, said])
    const answered = await answer(called, said, new Headers(headers).get('idempotency-key'))
    return answered instanceof Response ? answered : Response.json(answered)
  })
  return sent
}

/** A page at this address in a component test, with answers to its calls. Returns what it sent and its router. */
export function visit(
  path: string,
  address: string,
  Component: ComponentType,
  answer: Answer,
  around?: Around,
) {
  const sent = answerCalls(answer)
  const router = createMemoryRouter([{ path, Component }], { initialEntries: [address] })
  const leave = mount(
    <LinkContext value={Link}>
      <AlertProvider>
        <RouterProvider router={router} />
      </AlertProvider>
    </LinkContext>,
    around,
  )
  return { sent, router, leave }
}

export const refused = (status: number, code: string, message: string) =>
  Response.json({ code, errors: [message] }, { status })
