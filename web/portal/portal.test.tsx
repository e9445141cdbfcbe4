import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { sentenceOf } from '#contract/errors.ts'
import type { ClinicConsultation, Deferred, SignedInClinic } from '#contract/portal.ts'
import { daysAfter } from '#contract/regions.ts'
import { DAY } from '#contract/time.ts'
import { minutesAgo, sampleClinic, sampleConsultation } from '#test/samples.ts'
import { refused, visit } from '../test/visit.tsx'
import ClinicPortal from './clinic-portal.page.tsx'

beforeEach(() => sessionStorage.setItem('clinicToken', 'token-of-a-clinic'))

const oaks: SignedInClinic = { ...sampleClinic, clinic: 'Two Oaks', person: null }

function sample(id: number, pet: string, change: Partial<ClinicConsultation> = {}): ClinicConsultation {
  const consult = sampleConsultation(id, pet, { type: 3, end: minutesAgo(60), outcome: 'Contact called' })
  return {
    ...consult,
    pet: { ...consult.pet, breed: null, dob: null, sex: null, age: '' },
    portalDetail: { clinic_notified_at: minutesAgo(55), clinic_accepted_at: null },
    mobile: '083 555 0142',
    decision: null,
    urgency: null,
    ended_as: null,
    advice: { summary: 'Keep her quiet', plan: '', watch_for: '', go_if: '' },
    pictures: [],
    accepted_by: null,
    steps: [],
    ...change,
  }
}
const accepted = (one: ClinicConsultation): ClinicConsultation => ({
  ...one,
  portalDetail: { ...one.portalDetail, clinic_accepted_at: minutesAgo(1) },
  accepted_by: 'Nomsa Example',
})
const NONE = { deferred: 0, contact: 0, emergency: 0 }
const DEFERRED: Deferred = {
  from: '2026-09-01',
  to: '2026-11-21',
  weeks: [],
  total: NONE,
  month: { from: '2026-11-01', deferred: 14, contact: 4, emergency: 1 },
  answers: { called: 0, answered: 0, median_minutes: null },
}

function show(
  list: () => Response,
  accept: (id: number) => Response = () => Response.json({}),
  {
    at = '/clinic-portal',
    deferred = DEFERRED,
    removedFrom = null,
  }: { at?: string; deferred?: Deferred; removedFrom?: string | null } = {},
) {
  return visit('/clinic-portal/:view?', at, ClinicPortal, (path) => {
    if (path === '/clinics/me') return Response.json(oaks)
    if (path.startsWith('/clinics/deferred')) return Response.json(deferred)
    if (path === '/login/clinic/ended') return Response.json({ removed_from: removedFrom })
    const confirmed = /^\/roster\/clinic\/accept\/(\d+)\/VETCHAT/.exec(path)
    return confirmed ? accept(Number(confirmed[1])) : list()
  })
}
const card = (pet: string) => page.getByRole('listitem').filter({ hasText: pet })

it('the list decides by the outcome of a call what to do first [CLI-2]', async () => {
  show(() =>
    Response.json([
      sample(3, 'Rex', { decision: 'emergency', urgency: 'emergency' }),
      sample(2, 'Luna', { decision: 'hours', urgency: 'soon' }),
    ]),
  )
  await expect
    .element(card('Rex').getByText(/^Call the owner: they were sent to an emergency clinic/))
    .toBeVisible()
  await expect.element(card('Rex').getByText('Emergency')).toBeVisible()
  await expect.element(card('Luna').getByText(/^Expect them: the caller was told to wait/)).toBeVisible()
})

it('the list leaves an unanswered call to the vet until the clinic confirms it [CLI-2] [CLI-5]', async () => {
  const step = { at: minutesAgo(50), name: null, contact: null, by: null }
  // Afterwards a contact says that they can't.
  const steps = [
    { ...step, step: 1, kind: 'nobody' as const },
    { ...step, step: 2, kind: 'declined' as const },
  ]
  show(() => Response.json([sample(2, 'Luna', { steps }), accepted(sample(1, 'Rex', { steps }))]))
  await expect.element(card('Luna').getByText('None of your contacts has it: the vet decides')).toBeVisible()
  await expect.element(card('Rex').getByText('Call the owner: none of your contacts had it')).toBeVisible()
})

it('the list expects nobody who was told to come days ago [CLI-2]', async () => {
  const told = { type: 1 as const, ended_as: 'own_vet' as const }
  const lastWeek = new Date(Date.now() - 7 * DAY).toISOString()
  show(() => Response.json([sample(2, 'Luna', told), sample(1, 'Rex', { ...told, start: lastWeek })]))
  await expect.element(card('Luna').getByText('Expect them: the owner was told to see you')).toBeVisible()
  await expect.element(card('Rex').getByText('Ask how they are: the owner was told to see you')).toBeVisible()
})

it('the list says when a call was taken, or when a vet saw the animal [CLI-2]', async () => {
  show(() => Response.json([sample(2, 'Luna'), sample(1, 'Rex', { type: 1 })]))
  await expect.element(card('Luna').getByText(/Call taken \d/)).toBeVisible()
  await expect.element(card('Rex').getByText(/Seen \d/)).toBeVisible()
})

it('the list can be searched by number, in whatever form it is typed [CLI-2]', async () => {
  show(() => Response.json([sample(2, 'Luna'), sample(1, 'Rex', { mobile: '083 555 0199' })]))
  for (const typed of ['0835550142', '+27 83 555 0142', '083-555-0142', '5550142', '2']) {
    await page.getByRole('searchbox').fill(typed)
    await expect.element(card('Luna')).toBeVisible()
    await expect.element(card('Rex')).not.toBeInTheDocument()
  }
})

it('the list can be searched by pet and owner, and the address keeps the search [CLI-2]', async () => {
  const { router } = show(() => Response.json([sample(2, 'Luna'), sample(1, 'Rex')]))
  await page.getByRole('searchbox').fill('lun')
  await expect.element(card('Rex')).not.toBeInTheDocument()
  await expect.element(card('Luna')).toBeVisible()
  expect(router.state.location.hash).toBe('#q=lun')
  await page.getByRole('searchbox').fill('nobody')
  await expect.element(page.getByText('Nothing matches')).toBeVisible()
  await expect.element(page.getByText('Try fewer letters.')).toBeVisible()
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: 'Accepted' }).click()
  await expect.element(page.getByText('Nothing is confirmed yet.')).toBeVisible()
})

it('the list shows a case that arrives while the page is open, without a reload [CLI-2]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  let list = [sample(1, 'Rex')]
  show(() => Response.json(list))
  await expect.element(card('Rex')).toBeVisible()
  list = [sample(2, 'Luna'), ...list]
  vi.advanceTimersByTime(5000)
  await expect.element(page.getByRole('status').filter({ hasText: 'New: Luna' })).toBeInTheDocument()
  await expect.element(card('Luna')).toBeVisible()
})

it('the list keeps a case in its place, and the focus on it, when a colleague confirms it [CLI-3]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  let list = [sample(2, 'Luna'), sample(1, 'Rex')]
  show(() => Response.json(list))
  await page.getByRole('button', { name: /^To confirm/ }).click()
  const button = page.getByRole('button', { name: 'Confirm Rex' }).element() as HTMLElement
  button.focus()
  list = [accepted(sample(2, 'Luna')), accepted(sample(1, 'Rex'))]
  vi.advanceTimersByTime(5000)
  await expect.element(card('Rex').getByText(/Nomsa Example/)).toBeVisible()
  expect(card('Rex').element().contains(document.activeElement)).toBe(true)
  await expect.element(card('Luna').getByText('Keep her quiet')).toBeVisible()
  await page.getByRole('button', { name: /^To confirm/ }).click()
  await expect.element(card('Rex')).not.toBeInTheDocument()
})

it('the list says why Confirm failed, and leaves the button [CLI-3]', async () => {
  show(
    () => Response.json([sample(2, 'Luna')]),
    () => refused(404, 'NOT_FOUND', sentenceOf('NOT_FOUND')),
  )
  await page.getByRole('button', { name: 'Confirm Luna' }).click()
  await expect.element(page.getByRole('alert').filter({ hasText: sentenceOf('NOT_FOUND') })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Confirm Luna' })).toBeEnabled()
})

it('a 401 from the list signs out, and the page says so [CLI-2]', async () => {
  show(() => refused(401, 'SIGN_IN_AGAIN', 'Sign in again'))
  await expect.element(page.getByText('You were signed out')).toBeVisible()
  expect(sessionStorage.getItem('clinicToken')).toBe(null)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.element(page.getByText(sentenceOf('CLINIC_SIGN_IN_EMPTY')).first()).toBeVisible()
})

it('a 401 from the list tells a person who was removed that they no longer have access [CLI-2]', async () => {
  show(() => refused(401, 'UNAUTHORIZED', 'Unauthorized'), undefined, { removedFrom: 'Two Oaks' })
  await expect.element(page.getByText('You no longer have access to Two Oaks')).toBeVisible()
  await expect.element(page.getByText('You were signed out')).not.toBeInTheDocument()
})

it('the page says that the list couldn’t be loaded, and loads it again [CLI-2]', async () => {
  let works = false
  show(() => {
    if (!works) throw new TypeError('Failed to fetch')
    return Response.json([])
  })
  await expect.element(page.getByText('We couldn’t load your cases')).toBeVisible()
  await expect.element(page.getByText('We couldn’t reach VetChat.', { exact: false })).toBeVisible()
  works = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('No cases yet')).toBeVisible()
})

it('the chart of deferred calls keeps the names of its weeks apart at twice the text size [CLI-2]', async () => {
  document.documentElement.style.fontSize = '200%'
  const weeks = Array.from({ length: 12 }, (_, at) => ({
    week: daysAfter('2026-11-16', -7 * at),
    deferred: 2,
    contact: 1,
    emergency: 0,
  }))
  const total = { deferred: 24, contact: 12, emergency: 0 }
  show(() => Response.json([]), undefined, {
    at: '/clinic-portal/deferred',
    deferred: { ...DEFERRED, weeks, total },
  })
  const chart = page.getByRole('img', { name: /^Calls by week/ })
  await expect.element(chart).toBeVisible()
  const names = [...chart.element().querySelectorAll('text')]
    .filter(({ textContent }) => / (Aug|Sept|Oct|Nov)$/.test(textContent))
    .map((name) => name.getBoundingClientRect())
  expect(names.length).toBeGreaterThan(1)
  for (const [at, { left }] of names.entries()) if (at > 0) expect(left).toBeGreaterThan(names[at - 1]!.right)
})
