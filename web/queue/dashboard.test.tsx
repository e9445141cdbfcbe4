import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { User } from '#contract/accounts.ts'
import type { Consultation } from '#contract/consultations.ts'
import { MINUTE } from '#contract/time.ts'
import { minutesAgo, sampleConsultation } from '#test/samples.ts'
import { PlaceLink } from '../lib/page-address.tsx'
import { visit } from '../test/visit.tsx'
import { LinkContext } from '../ui/link.tsx'
import { StaffDashboard } from './dashboard.tsx'
import { LiveTools } from './staff-news.tsx'

const one = (id: number, name: string, change: Partial<Consultation> = {}) =>
  sampleConsultation(id, name, { start: minutesAgo(20), ...change })
const VET = 'Dr Naledi Demo'
const LIST = [
  one(1, 'Otis'),
  one(2, 'Kiwi', { start: minutesAgo(5), type: 2 }),
  one(3, 'Nala', { vet_start: minutesAgo(17), vet_name: VET }),
  one(4, 'Rex', { vet_start: minutesAgo(17), vet_name: VET, end: minutesAgo(2), outcome: 'Home care' }),
  one(5, 'Pip', { end: minutesAgo(18) }),
]
const vet = { id: 3, type: 2, firstName: 'Naledi', lastName: 'Demo' } as User

let leave = () => {}
let client: QueryClient
function show(list: (path: string) => Response, user = vet, address = '/myaccount') {
  const asked: string[] = []
  const answer = (path: string, body: unknown) => {
    if (/follow-ups|escalations/.test(path)) return []
    asked.push(body ? `${path} ${JSON.stringify(body)}` : path)
    if (path !== '/duty') return list(path)
    return body ? { since: null } : [{ id: 3, name: VET, since: minutesAgo(130), cases: 1 }]
  }
  function Page() {
    client = useQueryClient()
    return (
      <LinkContext value={PlaceLink}>
        <LiveTools user={user} address={address} />
        <main>
          <StaffDashboard />
        </main>
      </LinkContext>
    )
  }
  history.replaceState(history.state, '', address)
  leave = visit('*', address, Page, answer).leave
  return asked
}
beforeEach(() => history.replaceState(null, ''))

const counts = { needs_help: 2, in_progress: 1, completed: 1000 }
const listed = (consultations = LIST, next: string | null = null) =>
  Response.json({ consultations, next, counts })
const says = (words: string | RegExp) => expect.element(page.getByText(words).first()).toBeVisible()

it('a wait follows the server, whose clock the sandbox can move, and not this device [VET-3]', async () => {
  // The server is 40 minutes ahead, and the consult began there 16 minutes ago.
  const ahead = { date: new Date(Date.now() + 40 * MINUTE).toUTCString() }
  const otis = one(1, 'Otis', { start: minutesAgo(-24) })
  show(() => Response.json({ consultations: [otis], next: null, counts }, { headers: ahead }))
  await expect.element(page.getByText(/^Waiting 1[56] minutes, overdue$/).first()).toBeVisible()
})

it('a row shows its people, type and status, and the one action that its status allows [VET-1] [VET-2] [VET-3]', async () => {
  show(() => listed())
  await says('Waiting 20 minutes, overdue')
  const links = [...document.querySelectorAll('td a')].map((link) => [
    link.getAttribute('aria-label'),
    link.getAttribute('href'),
  ])
  expect(links).toEqual([
    ['Needs Help: Otis, 1', '/text-chat/1'],
    ['Needs Help: Kiwi, 2', '/video-chat/2'],
    ['In Progress: Nala, 3', '/text-chat/3'],
    ['View Details: Rex, 4', '/text-chat/4'],
    ['View Details: Pip, 5', '/text-chat/5'],
  ])
  for (const words of ['Thabo Sample', 'No vet yet', '15 minutes, home care', 'Cancelled']) await says(words)
  await expect.element(page.getByRole('cell', { name: VET }).first()).toBeVisible()
  await expect.poll(() => document.title).toBe('(2) Consultations · VetChat')
  expect(document.querySelectorAll('[data-hot]').length, 'only the overdue one stands out').toBe(1)
})

it('an emergency that waits stands out with its reason in the list too, and one that ended does not [TRI-3]', async () => {
  const urgency = { level: 'emergency', why: 'no urine' } as const
  show(() => listed([one(1, 'Kiwi', { start: minutesAgo(2), urgency }), { ...LIST[3]!, urgency }]))
  await says('Emergency: no urine')
  expect(document.querySelectorAll('[data-hot]').length).toBe(1)
  expect(page.getByText('Emergency: no urine').elements().length).toBe(1)
})

it('a case that a colleague closed says who did, and that opening it needs a reason [SAF-8]', async () => {
  const theirs = { ...LIST[3]!, outcome: '', pet_issue: '', ended_by_another: true }
  show(() => listed([theirs]))
  await expect.element(page.getByRole('cell', { name: `Closed by ${VET} Open with a reason` })).toBeVisible()
  await says('15 minutes')
})

it('the server filters and searches, and the page never loads subscriptions [VET-1] [VET-4] [VET-5]', async () => {
  const asked = show(() => listed([], null), vet, '/myaccount?filter=available#q=ot')
  await says('Nothing starts with “ot”')
  expect(asked.filter((url) => url.includes('q='))).toEqual(['/consultation?filter=available&limit=50&q=ot'])
  await userEvent.keyboard('/')
  await expect.element(page.getByRole('searchbox')).toHaveFocus()
  await page.getByRole('searchbox').fill('')
  await says('Nobody is waiting')
  expect(asked.some((url) => url.includes('subscription'))).toBe(false)
})

it('each column sorts, from either end, and the order is in the address [VET-1]', async () => {
  const asked = show(() => listed())
  const head = (name: string) => page.getByRole('columnheader', { name })
  // On a narrow page rows are cards, and the links of the table's head aren't shown.
  const sortBy = (name: string) => head(name).element().querySelector('a')!.click()
  await expect.element(head('Owner and pet')).toBeInTheDocument()
  sortBy('Owner and pet')
  await expect.element(head('Owner and pet')).toHaveAttribute('aria-sort', 'ascending')
  sortBy('Owner and pet')
  await expect.element(head('Owner and pet')).toHaveAttribute('aria-sort', 'descending')
  await expect
    .poll(() => asked.flatMap((url) => /[?&]sort=([^&]+)/.exec(url)?.[1] ?? []))
    .toEqual(['pet', '-pet'])
  sortBy('Status')
  await expect.element(head('Owner and pet')).not.toHaveAttribute('aria-sort')
})

it('more rows load by cursor, 50 a page, and a row that moves down between two pages appears once [VET-1] [VET-5]', async () => {
  const asked = show((url) =>
    url.includes('cursor=') ? listed([one(4, 'Rex', { end: minutesAgo(2) })]) : listed(LIST, '2.1.4'),
  )
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
  expect(asked.some((url) => url.endsWith('limit=50&cursor=2.1.4'))).toBe(true)
  expect(page.getByRole('link', { name: 'View Details: Rex, 4' }).elements()).toHaveLength(1)
})

it('Back from a case shows as many rows as there were, at the same place [VET-1]', async () => {
  await page.viewport(1024, 400)
  const rows = (from: number) => Array.from({ length: 20 }, (_, n) => one(from + n, `Pet ${from + n}`))
  const answer = (url: string) => {
    const from = Number(/cursor=(\d+)/.exec(url)?.[1] ?? 100)
    return listed(rows(from), from < 140 ? String(from + 20) : null)
  }
  show(answer)
  await page.getByRole('button', { name: 'Show more' }).click()
  await says('Pet 139')
  scrollTo(0, 900)
  dispatchEvent(new Event('pagehide'))
  leave()
  show(answer)
  await expect.element(page.getByText('Pet 139')).toBeInTheDocument()
  await expect.poll(() => scrollY).toBe(900)
  expect(page.getByText('Pet 140').elements()).toEqual([])
})

it('a list that fails to refresh stays and says so; one that never loaded can be retried [VET-3]', async () => {
  let up = true
  const answer = () => (up ? listed() : Response.json({ errors: ['no'] }, { status: 500 }))
  show(answer)
  await says('Live')
  up = false
  await client.refetchQueries({ queryKey: ['/consultation'] })
  await says(/The list isn’t refreshing. This is how it was at \d\d:\d\d. It will update automatically./)
  await says('Otis')
  leave()
  show(answer)
  await says('We couldn’t load the consultations')
  up = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('Otis')).toBeVisible()
})

it('a vet goes off duty by one switch, sees who is here, and turns the sound on [VET-3] [VET-7]', async () => {
  const asked = show(() => listed())
  const duty = page.getByRole('switch', { name: /On duty/ })
  await expect.element(duty).toHaveAttribute('aria-checked', 'true')
  await page.getByText('1 on duty').click()
  await says(/^1 case, since/)
  await duty.click()
  await expect.poll(() => asked.some((url) => url === '/duty {"on":false}')).toBe(true)
  const sound = page.getByRole('button', { name: 'Arrival sound' })
  await expect.element(sound).toHaveAttribute('aria-pressed', 'false')
  await sound.click()
  await expect.element(sound).toHaveAttribute('aria-pressed', 'true')
  expect(localStorage.getItem('vetchat')).toContain('"sound":true')
  leave()
  show(() => listed(), { ...vet, type: 3 })
  await says('Live')
  expect(page.getByRole('switch').elements()).toEqual([])
})
