import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Found, Person } from '#contract/people.ts'
import { MINUTE } from '#contract/time.ts'
import { sampleClaim } from '#test/samples.ts'
import { choose } from '../lib/session.ts'
import { visit } from '../test/visit.tsx'
import Members from './members.tsx'

let leave = () => {}

const AT = '2026-11-21T07:00:00.000Z'
const zanele: Found = {
  id: 7,
  firstName: 'Zanele',
  lastName: 'Demo',
  email: 'zanele@example.com',
  mobile: '082 555 0199',
  pets: ['Biscuit'],
  standing: { is: 'member', at: AT },
  last_here: null,
  found: { by: 'name', text: 'Zanele Demo' },
}
const lindiwe: Found = {
  ...zanele,
  id: 8,
  firstName: 'Lindiwe',
  standing: { is: 'guest', at: AT },
  found: { by: 'pet', text: 'Zanzi' },
}
const consult: Person['consults']['latest'][number] = {
  id: 41,
  type: 2,
  pet: { name: 'Biscuit', species_id: 1 },
  vet_name: 'Dr Naledi Demo',
  start: AT,
  end: AT,
  cancelled: false,
  follow_up_until: AT,
  extended: false,
  opened: null,
}
const whole: Person = {
  id: 7,
  firstName: 'Zanele',
  lastName: 'Demo',
  email: 'zanele@example.com',
  email_confirmed: true,
  mobile: '',
  region: 'za',
  since: AT,
  standing: { is: 'member', at: AT },
  looked_at: AT,
  consults: { latest: [consult], count: 1 },
  purchases: [],
  claims: [],
  mails: { latest: [], count: 0 },
  memberships: [],
  card: null,
  pets: [],
  sessions: [],
  looks: [{ name: 'Sam Demo', action: 'opened the person', reason: '', at: AT, about: null, mine: true }],
}

type Answer = (path: string, body: Record<string, unknown>) => Response | undefined

/** The view at an address, with what the server answers. */
function show(address: string, answer: Answer) {
  const shown = visit(
    '/admin/members/:id?',
    address,
    Members,
    (path, body = {}) =>
      answer(path, body as Record<string, unknown>) ??
      Response.json({ people: [], more: false, only: null, total: 12 }),
  )
  ;({ leave } = shown)
  return { asked: shown.sent as [string, Record<string, unknown>][], router: shown.router }
}
const box = () => page.getByRole('searchbox')

it('the slash key leads to the search, unless single keys are turned off [ADM-8]', async () => {
  show('/admin/members', () => undefined)
  await expect.element(page.getByText('12 people')).toBeVisible()
  choose({ keys: false })
  await userEvent.keyboard('/')
  expect(box().element()).not.toBe(document.activeElement)
  choose({ keys: undefined })
  await userEvent.keyboard('/')
  await expect.element(box()).toHaveFocus()
})

it('people are found while typing, with the matches marked, and the search is only behind the # of the address [ADM-8]', async () => {
  const { asked, router } = show('/admin/members', (path, { q }) =>
    path === '/people/search' && q === 'zan'
      ? Response.json({ people: [zanele, lindiwe], more: false, only: null, total: null })
      : undefined,
  )
  await expect.element(page.getByText('12 people')).toBeVisible()
  await userEvent.keyboard('/')
  await expect.element(box()).toHaveFocus()
  await userEvent.keyboard('zan')
  await expect.element(page.getByRole('status').first()).toHaveTextContent('2 people. Best match first')
  expect([...document.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual([
    'Zan',
    'Zan',
    'Zan',
  ])
  expect(asked.filter(([, { q }]) => q !== '')).toEqual([['/people/search', { q: 'zan' }]])
  expect(router.state.location).toMatchObject({ pathname: '/admin/members', hash: '#q=zan', search: '' })
  await page.getByRole('link', { name: 'No account 1' }).click()
  await expect.element(page.getByRole('status').first()).toHaveTextContent('1 person')
  await expect
    .element(page.getByRole('link', { name: 'Open Lindiwe Demo' }))
    .toHaveAttribute('href', '/admin/members/8#q=zan')
})

it('Enter opens the person of a whole receipt, a pause in typing opens nobody, and coming back shows the search [ADM-8]', async () => {
  const { asked, router } = show('/admin/members', (path, { q }) =>
    path === '/people/7'
      ? Response.json(whole)
      : q === 'VC-1'
        ? Response.json({ people: [lindiwe], more: false, only: 8, total: null })
        : q === 'VC-12'
          ? Response.json({ people: [zanele], more: false, only: 7, total: null })
          : undefined,
  )
  await box().fill('VC-1')
  await expect.element(page.getByRole('link', { name: 'Open Lindiwe Demo' })).toBeVisible()
  await userEvent.type(box(), '2')
  await expect.element(page.getByRole('link', { name: 'Open Zanele Demo' })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('heading', { name: 'Zanele Demo' })).toBeVisible()
  expect(asked.map(([path]) => path)).not.toContain('/people/8')
  await page.getByRole('link', { name: 'People for “VC-12”' }).click()
  await expect.element(page.getByRole('link', { name: 'Open Zanele Demo' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/admin/members')
})

it('a search that finds nobody, or fails, says so [ADM-8]', async () => {
  let works = false
  show('/admin/members#q=nobody', (_, { q }) =>
    q === 'nobody' && !works ? Response.json({ errors: [] }, { status: 500 }) : undefined,
  )
  await expect.element(page.getByText('We couldn’t load people')).toBeVisible()
  works = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('Nobody found for “nobody”')).toBeVisible()
})

it('a summary opens after a kind and a few words, and is shown with that reason [ADM-8, SAF-8]', async () => {
  const until = new Date(Date.now() + 30 * MINUTE).toISOString()
  let opened: (typeof consult)['opened'] = null
  const { asked } = show('/admin/members/7', (path, { words }) => {
    if (path === '/people/7')
      return Response.json({ ...whole, consults: { latest: [{ ...consult, opened }], count: 1 } })
    if (path !== '/people/consultation/41/open') return undefined
    opened = {
      until,
      reason: `Complaint: ${String(words)}`,
      outcome: 'Home care',
      summary: 'The sock passes.',
      plan: '',
    }
    return Response.json(opened)
  })
  await expect.element(page.getByText(/It’s in the audit log, and Zanele can see it/)).toBeVisible()
  expect(document.body.textContent).not.toContain('The sock passes.')
  await page.getByRole('button', { name: 'Say why to open 41' }).click()
  await page.getByRole('button', { name: 'Open summary for 30 minutes' }).click()
  await expect.element(page.getByText('Say why, in a few words.')).toBeVisible()
  await page.getByRole('combobox').selectOptions('Complaint')
  await page.getByRole('textbox', { name: /In a few words/ }).fill('Wrote on Monday')
  await page.getByRole('button', { name: 'Open summary for 30 minutes' }).click()
  await expect.element(page.getByText('The sock passes.')).toBeVisible()
  await expect.element(page.getByText(/Your reason: Complaint: Wrote on Monday/)).toBeVisible()
  await expect.poll(() => document.activeElement?.textContent).toContain('The sock passes.')
  expect(asked).toContainEqual([
    '/people/consultation/41/open',
    { kind: 'complaint', words: 'Wrote on Monday' },
  ])
})

it('a person who is gone, or didn’t load, has a page that says so [ADM-8]', async () => {
  show('/admin/members/9', () => Response.json({ errors: ['None'], code: 'NOT_FOUND' }, { status: 404 }))
  await expect.element(page.getByText('Nobody has this number')).toBeVisible()
  leave()
  show('/admin/members/9', () => Response.json({ errors: [] }, { status: 500 }))
  await expect.element(page.getByText('We couldn’t load this person')).toBeVisible()
})

it('what a person paid is added up for each currency [ADM-8]', async () => {
  const rand: Person['purchases'][number] = {
    id: 12,
    at: AT,
    kind: 'charge',
    amount: 450_00,
    currency: 'zar',
    region: 'za',
    email: 'zanele@example.com',
    what: 'Text consult about Biscuit',
    consultation_id: 41,
    subscription_id: null,
    refunded: 50_00,
    disputed: 100_00,
    refunds: [],
  }
  const dollars = { ...rand, id: 13, amount: 45_00, currency: 'aud' as const, refunded: 0, disputed: 0 }
  show('/admin/members/7', () => Response.json({ ...whole, purchases: [rand, dollars] }))
  await expect.element(page.getByText('R300 kept, R50 refunded, R100 disputed; $45 kept')).toBeVisible()
})

it('what a person claimed is listed with its state, and leads to its invoices [ADM-8] [PET-10]', async () => {
  const made = [sampleClaim({ state: 'sent' }), sampleClaim({ id: 4, state: 'decided', paid: 0 })]
  show('/admin/members/7', () => Response.json({ ...whole, claims: made }))
  const claims = page.getByRole('region', { name: 'PawCare claims' })
  await expect.element(claims.getByText('With the insurer')).toBeVisible()
  await expect.element(claims.getByText('Declined')).toBeVisible()
  await expect
    .element(claims.getByRole('link', { name: 'Invoices and decisions' }))
    .toHaveAttribute('href', '/admin/claims#q=zanele%40example.com')
})
