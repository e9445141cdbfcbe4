import { createRef } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { User } from '#contract/accounts.ts'
import { mount } from '../lib/mount.tsx'
import { AlertProvider } from '../ui/alert-bar.tsx'
import { ConsoleBar } from './console-bar.tsx'

const root = document.documentElement
let leave = () => {}
afterEach(async () => {
  leave()
  root.style.fontSize = ''
  vi.unstubAllGlobals()
  await page.viewport(390, 844)
})

const anika = { id: 7, type: 2, firstName: 'Anika', lastName: 'Naidoo' } as User

/** Elements that stick out of the bar or overlap their neighbour. */
function troubles() {
  const bar = document.querySelector('header')!
  const edge = bar.getBoundingClientRect()
  const parts = [...bar.querySelectorAll('a, button:not([role]), [role=switch], input, [aria-current]')]
    .map((part) => ({ name: part.textContent || part.ariaLabel, at: part.getBoundingClientRect() }))
    .filter(({ at }) => at.width > 0)
  const out = parts.filter(
    ({ at }) =>
      at.left < edge.left || at.right > edge.right + 0.5 || at.top < edge.top || at.bottom > edge.bottom,
  )
  const over = parts.filter(({ at }, n) =>
    parts.some(
      ({ at: other }, m) =>
        m > n &&
        at.left < other.right - 0.5 &&
        other.left < at.right - 0.5 &&
        at.top < other.bottom - 0.5 &&
        other.top < at.bottom - 0.5,
    ),
  )
  return {
    seen: parts.length,
    out: out.map(({ name }) => name),
    over: over.map(({ name }) => name),
    sideways: root.scrollWidth - root.clientWidth,
    rows: edge.height > 60 ? 'more' : 'one',
  }
}

it.each([
  [360, '100%', 'one'],
  [360, '200%', 'more'],
  [320, '200%', 'more'],
  [1024, '200%', 'more'],
  [1440, '100%', 'one'],
])(
  'at %i px and %s text size nothing in the bar is cut off or overlaps [VET-1]',
  async (width, size, rows) => {
    vi.stubGlobal('fetch', async () =>
      Response.json([{ id: 7, name: 'Dr Naidoo', since: new Date().toISOString(), cases: 1 }]),
    )
    root.style.fontSize = size
    await page.viewport(width, 800)
    leave = mount(
      <AlertProvider>
        <ConsoleBar user={anika} waits={2} search={createRef()} onSearch={() => {}} onKeys={() => {}} />
      </AlertProvider>,
    )
    await expect.element(page.getByRole('switch')).toHaveAttribute('aria-checked', 'true')
    expect(troubles()).toEqual({ seen: width > 1000 ? 7 : 4, out: [], over: [], sideways: 0, rows })
  },
)
