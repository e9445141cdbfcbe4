import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { User } from '#contract/accounts.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { AlertProvider } from '../ui/alert-bar.tsx'
import { StaffBar, Waits } from './staff-bar.tsx'
import { BarSearch, StaffTools } from './staff-tools.tsx'

const root = document.documentElement

const anika = { id: 7, type: 2, firstName: 'Anika', lastName: 'Naidoo' } as User

it.each([
  ['vet', 2, ['Queue', 'All consults', 'Phone', 'Roster', 'Profile', 'Reviews', 'Logout']],
  ['admin', 3, ['Queue', 'All consults', 'Phone', 'Roster', 'Admin Manager', 'Profile', 'Reviews', 'Logout']],
] as const)('on a phone the links of a %s are in the account menu [VET-4]', async (_, type, places) => {
  answerCalls(() => [])
  root.toggleAttribute('data-admin', type === 3)
  mount(
    <AlertProvider>
      <StaffBar address="/roster" tools={<StaffTools user={{ ...anika, type }} />} />
    </AlertProvider>,
  )
  await page.getByRole('button', { name: /Anika Naidoo: account menu/ }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Queue' })).toHaveFocus()
  const seen = page.getByRole('menuitem').elements()
  expect(seen.filter((item) => item.checkVisibility()).map((item) => item.textContent)).toEqual(places)
  await userEvent.keyboard('{End}')
  await expect.element(page.getByRole('menuitem', { name: 'Logout' })).toHaveFocus()
})

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
    answerCalls(() => [{ id: 7, name: 'Dr Naidoo', since: new Date().toISOString(), cases: 1 }])
    root.style.fontSize = size
    await page.viewport(width, 800)
    mount(
      <AlertProvider>
        <StaffBar
          address="/text-chat/1"

          waits={<Waits count={2} />}
          tools={
            <>
              <BarSearch />
              <StaffTools user={anika} onKeys={() => {}} />
            </>
          }
        />
      </AlertProvider>,
    )
    await expect.element(page.getByRole('switch')).toHaveAttribute('aria-checked', 'true')
    expect(troubles()).toEqual({ seen: width > 1000 ? 9 : 4, out: [], over: [], sideways: 0, rows })
  },
)
