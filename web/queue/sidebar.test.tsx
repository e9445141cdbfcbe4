import { MemoryRouter } from 'react-router'
import { expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import { MINUTE } from '#contract/time.ts'
import { sampleConsultation } from '#test/samples.ts'
import { LinkContext } from '../ui/link.tsx'
import { mounted, placeFor } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { Link } from '../lib/link.tsx'
import { Sidebar } from './sidebar.tsx'
import { type Cases, inOrder, inParts, lastOf } from './cases.ts'
import { isOverdue, timeSaid } from '../consultations/case-words.ts'

const NOW = Date.parse('2026-11-21T02:20:00Z')
const ago = (minutes: number) => new Date(NOW - minutes * MINUTE).toISOString()
const one = (id: number, name: string, minutes: number) =>
  sampleConsultation(id, name, { start: ago(minutes), pet_issue: `${name} is flat` })
const otis = one(1, 'Otis', PROMISED_MINUTES + 2)
const kiwi = one(2, 'Kiwi', 6)
const luna = one(3, 'Luna', 2)
const nala = { ...one(4, 'Nala', 20), vet_start: ago(17), vet_name: 'Dr Naledi Demo' }
const cases: Cases = {
  first: [otis],
  own: [{ one: nala, last: { body: 'She drank', at: ago(4), mine: false }, unread: 2 }],
  waiting: [kiwi],
  askedFirst: [],
  followUps: [],
  here: new Set([kiwi.id, nala.id]),
}

it('a row says that a wait beyond the promise is overdue, and how long each consult waited or took [VET-1] [VET-3]', () => {
  expect([otis, kiwi, nala].map((each) => isOverdue(each, NOW))).toEqual([true, false, false])
  const ended = { ...nala, end: ago(1), outcome: 'Sent in now' }
  expect(
    [
      otis,
      kiwi,
      nala,
      { ...nala, vet_start: nala.start },
      ended,
      { ...kiwi, end: ago(5) },
      { ...ended, outcome: 'A caller’s words' },
    ].map((each) => timeSaid(each, NOW)),
  ).toEqual([
    `Waiting ${PROMISED_MINUTES + 2} minutes, overdue`,
    'Waiting 6 minutes',
    'Answered after 3 minutes',
    'Answered straight away',
    '16 minutes, sent in now',
    'Left after 1 minute',
    '16 minutes',
  ])
})

it('J and K step through overdue consults, the vet’s own and the queue [CON-6]', () => {
  expect(inOrder(cases, 'all')).toEqual([1, 4, 2])
  expect(inOrder(cases, 'mine')).toEqual([4])
  expect(inOrder(cases, 'waiting')).toEqual([1, 2])
})

it('an owner who writes a second time keeps their place among those whom the vet hasn’t answered [CON-6]', () => {
  const said = (user_id: number | null, minutes: number) => ({
    seq: 10 - minutes,
    client_id: `${minutes}`,
    user_id,
    body: `${minutes} minutes ago`,
    attachment: null,
    at: ago(minutes),
  })
  const [me, owner] = [3, 1]
  const asked = [said(owner, 9), said(me, 8), said(owner, 7), said(null, 6), said(owner, 1)]
  expect(lastOf(asked, me)).toEqual({ body: '1 minutes ago', at: ago(7), mine: false })
  expect(lastOf(asked.slice(0, 2), me)).toEqual({ body: '8 minutes ago', at: ago(8), mine: true })
  expect(lastOf([said(null, 6)], me)).toBeUndefined()
})

it('in a rush the vet’s own cases stand below at most five overdue consults [CON-6] [TRI-3]', () => {
  const urgent = { ...one(9, 'Mango', 1), urgency: { level: 'urgent' as const, why: 'Chocolate eaten' } }
  const late = Array.from({ length: 8 }, (_, at) => one(20 + at, 'Otis', 40 - at))
  const { first, waiting } = inParts([urgent, ...late, kiwi], NOW)
  expect(first.map(({ id }) => id)).toEqual([9, 20, 21, 22, 23, 24])
  expect(waiting.map(({ id }) => id)).toEqual([25, 26, 27, 2])
})

function show(first: Partial<Parameters<typeof Sidebar>[0]> = {}) {
  answerCalls(() => [])
  const place = placeFor()
  const moved: number[] = []
  const draw = (change: Partial<Parameters<typeof Sidebar>[0]>) =>
    place.draw(
      <MemoryRouter initialEntries={['/text-chat/4']}>
        <LinkContext value={Link}>
          <Sidebar
            inCall={undefined}
            cases={cases}
            state="here"
            onRetry={() => {}}
            now={NOW}
            shown={4}
            show="all"
            singleKeys
            takes
            onMove={(by) => moved.push(by)}
            {...first}
            {...change}
          />
        </LinkContext>
      </MemoryRouter>,
    )
  draw({})
  return { draw, moved }
}
const names = () =>
  [...document.querySelectorAll('#queue a')].map((link) => /Otis|Kiwi|Luna|Nala/.exec(link.textContent)?.[0])

it('the sidebar lists overdue consults first, the vet’s own with unread counts, and the queue [CON-6] [VET-3]', async () => {
  const { moved } = show()
  await expect.element(page.getByRole('heading', { name: /^Take these first/ })).toBeVisible()
  await expect.element(page.getByText('Overdue')).toBeVisible()
  await expect.element(page.getByText('2 unread')).toBeVisible()
  expect(names()).toEqual(['Otis', 'Nala', 'Kiwi'])
  expect(document.querySelectorAll('#queue a[tabindex="0"]').length, 'one stop').toBe(1)
  document.querySelector<HTMLElement>('#queue [aria-current]')!.focus()
  await userEvent.keyboard('{ArrowDown}{ArrowUp}')
  expect(moved).toEqual([1, -1])
})

it('a row shows whether its owner has the page open, until the consult has ended [CON-14]', async () => {
  show({
    cases: {
      ...cases,
      own: [...cases.own, { one: { ...luna, end: ago(60) }, last: undefined, unread: 1, asks: ago(3) }],
    },
  })
  await expect.element(page.getByRole('link', { name: /^Owner here. Nala/ })).toBeVisible()
  await expect.element(page.getByRole('link', { name: /^Owner away. Otis.*Overdue by 2 min/ })).toBeVisible()
  await expect.element(page.getByRole('link', { name: /^Luna/ })).toBeVisible()
})

it('at twice the text size a row still shows the whole name of a pet [CON-6]', async () => {
  document.documentElement.style.fontSize = '200%'
  show()
  const name = page.getByText('Nala')
  await expect.element(name).toBeVisible()
  expect(name.element().scrollWidth).toBe(name.element().clientWidth)
})

it('a question after the end is listed with the vet’s own, or below the consults that wait [CON-12]', async () => {
  const ended = { ...luna, vet_name: 'Dr Pieter Sample', end: ago(90), ended_by_another: true }
  const own = { one: { ...nala, end: ago(60) }, last: undefined, unread: 1, asks: ago(3) }
  const all = { ...cases, own: [own], followUps: [{ consultation: ended, asked_at: ago(20), vet_id: null }] }
  expect(inOrder(all, 'all')).toEqual([1, 4, 2, 3])
  show({ cases: all })
  await expect.element(page.getByRole('link', { name: /Nala.*3 min.*Asks again/ })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: /Luna.*20 min.*Follow-up after Dr Pieter Sample/ }))
    .toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Waiting 3' })).toBeVisible()
})

it('an emergency that is asked after the end comes first of all [CON-12] [TRI-3]', async () => {
  const urgency = { level: 'emergency' as const, why: 'Can’t breathe' }
  const ended = { ...luna, vet_name: 'Dr Pieter Sample', end: ago(90), urgency }
  const all = { ...cases, askedFirst: [{ consultation: ended, asked_at: ago(1), vet_id: null }] }
  expect(inOrder(all, 'all')).toEqual([3, 1, 4, 2])
  show({ cases: all })
  await expect
    .element(
      page.getByRole('link', {
        name: /Luna.*1 min.*Emergency: Can’t breathe.*Follow-up after Dr Pieter Sample/,
      }),
    )
    .toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Take these first 2' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Waiting 3' })).toBeVisible()
})

it("a consult that arrives is marked as new, and the list doesn't move under the focus [VET-3]", async () => {
  const { draw } = show()
  await expect.element(page.getByText('She drank')).toBeVisible()
  draw({ cases: { ...cases, waiting: [kiwi, luna] } })
  await expect.element(page.getByText('New')).toBeVisible()
  document.querySelector<HTMLElement>('#queue [aria-current]')!.focus()
  draw({ cases: { ...cases, first: [], waiting: [luna] } })
  expect(names()).toEqual(['Otis', 'Nala', 'Kiwi', 'Luna'])
  ;(document.activeElement as HTMLElement).blur()
  await expect.poll(names).toEqual(['Nala', 'Luna'])
})

it('a press counts, even if the list has changed since and the focus was on another row [CON-6]', async () => {
  const { draw } = show()
  await expect.element(page.getByText('She drank')).toBeVisible()
  document.querySelector<HTMLElement>('#queue [aria-current]')!.focus()
  const row = page.getByRole('link', { name: /Kiwi/ })
  await row.hover()
  draw({ cases: { ...cases, first: [], waiting: [luna, otis, kiwi] } })
  await expect.element(page.getByRole('link', { name: 'Waiting 3' })).toBeVisible()
  const pressed: unknown[] = []
  const press = (event: Event) => {
    event.preventDefault()
    pressed.push((event.target as HTMLElement).closest('a')?.pathname)
  }
  document.addEventListener('click', press, { capture: true })
  onTestFinished(() => document.removeEventListener('click', press, { capture: true }))
  await row.click()
  expect(pressed).toEqual(['/text-chat/2'])
  await page.getByRole('link', { name: /^All/ }).hover()
})

it('a case that was handed over stands out and says by whom, until it is looked at [CON-6] [VET-3]', async () => {
  const { draw } = show()
  await expect.element(page.getByText('She drank')).toBeVisible()
  const from = (id: number, name: string, at: number) => ({
    one: { ...one(id, name, 20), vet_start: ago(at), handed_over_by: 'Dr Pieter Sample' },
    last: { body: 'He limps', at: ago(4), mine: false },
    unread: 1,
  })
  const emergency = from(5, 'Rex', 0)
  emergency.one.urgency = { level: 'emergency', why: 'no urine' }
  draw({ cases: { ...cases, own: [...cases.own, from(3, 'Luna', 0), emergency] } })
  await expect
    .element(page.getByRole('link', { name: /Luna.*From Dr Pieter Sample.*1 unread/ }))
    .toBeVisible()
  await expect
    .element(page.getByRole('link', { name: /Rex.*Emergency: no urine.*From Dr Pieter Sample/ }))
    .toBeVisible()
  await page.getByText('Luna').hover()
  await expect.element(page.getByRole('link', { name: /Luna.*He limps/ })).toBeVisible()
  draw({ cases: { ...cases, own: [...cases.own, emergency] }, shown: 5 })
  await expect.element(page.getByRole('link', { name: /Rex.*He limps/ })).toBeVisible()
  const again = { cases: { ...cases, own: [...cases.own, from(3, 'Luna', -1)] } }
  draw(again)
  await expect.element(page.getByText('From Dr Pieter Sample')).toBeVisible()
  // After a reload it still does.
  for (const unmount of mounted) unmount()
  show(again)
  await expect.element(page.getByText('From Dr Pieter Sample')).toBeVisible()
})

it('an empty sidebar, one that fails to load and an outdated one say so [VET-3]', async () => {
  const { draw } = show({
    cases: { first: [], own: [], waiting: [], askedFirst: [], followUps: [], here: new Set() },
  })
  await expect.element(page.getByText('Nobody is waiting.')).toBeVisible()
  await expect.element(page.getByText('You have no open cases.')).toBeVisible()
  await expect.element(page.getByText('Nobody is on duty')).toBeVisible()
  draw({ state: 'failed' })
  await expect.element(page.getByText('We couldn’t load the queue.')).toBeVisible()
  draw({ state: 'old' })
  await expect
    .element(page.getByText('The queue isn’t refreshing. It will update automatically.'))
    .toBeVisible()
})

it('what was refused because the consult had ended isn’t called a draft [CON-6]', async () => {
  sessionStorage.setItem('draft:room:3', 'Give her water')
  const own = { one: { ...luna, vet_start: ago(1) }, last: undefined, unread: 0 }
  const { draw } = show({ cases: { ...cases, own: [own] } })
  await expect.element(page.getByRole('link', { name: /Luna.*Draft.*Give her water/ })).toBeVisible()
  draw({ cases: { ...cases, own: [{ ...own, refused: true }] } })
  await expect.element(page.getByRole('link', { name: /Luna.*Not sent/ })).toBeVisible()
})
