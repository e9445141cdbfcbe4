import { useQuery } from '@tanstack/react-query'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Push } from '#contract/call.ts'
import { consultationChanged } from '#contract/consultations.ts'
import { rosterChanged } from '#contract/roster.ts'
import { MINUTE } from '#contract/time.ts'
import { sampleRoom, sampleUser } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls, refused } from '../test/visit.tsx'
import { RecordWindow } from './record-pane.tsx'
import { followUps, onDuty, useStaffChanges, waitingConsultations } from './queries.ts'
import { currentUser } from '../lib/current-user.ts'

const heard = new Map<string, (payload: object) => void>()
vi.mock('../lib/live.ts', () => ({
  on({ push }: Push, listen: (payload: object) => void) {
    heard.set(push, listen)
    return () => heard.delete(push)
  },
  onConnection: () => () => {},
}))

const ME = 3
const VET = { ...sampleUser, id: ME, type: 2 as const }
let asked: string[] = []
beforeEach(() => {
  asked = []
  answerCalls((path) => {
    asked.push(path.replace(/\?.*/, ''))
    return []
  })
})

function Console() {
  useStaffChanges(VET)
  const lists = [useQuery(waitingConsultations), useQuery(followUps), useQuery(onDuty), useQuery(currentUser)]
  return lists.every(({ isSuccess }) => isSuccess) && 'Loaded'
}

const WAITING = '/consultation'
const DUTY = '/duty'
const MINE = '/user/me'
const EVERYTHING = [WAITING, DUTY, '/queue/follow-ups', MINE]

it.each([
  ['a consult that arrives', [{ vets: [] }], [WAITING]],
  ['a colleague’s case', [{ vets: [4] }], [WAITING, DUTY]],
  ['the vet’s own case', [{ vets: [4, ME] }], [WAITING, DUTY, MINE]],
  ['a change that is heard twice', [{ vets: [] }, { vets: [] }], [WAITING]],
  ['several changes', [{ vets: [] }, { vets: [4] }], [WAITING, DUTY]],
  ['anything else', [{ vets: [] }, {}], EVERYTHING],
])(
  'after a push about %s a console makes only the calls that it needs [VET-3] [VET-5]',
  async (_, told, calls) => {
    mount(<Console />)
    await expect.poll(() => document.body.textContent).toContain('Loaded')
    asked = []
    for (const change of told) heard.get(consultationChanged.push)!({ consultation: 7, ...change })
    await expect.poll(() => asked.toSorted()).toEqual(calls)
    // A second round would come after the pause between two fetches.
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(asked.toSorted()).toEqual(calls)
  },
)

it('a console learns straight away that a vet went on or off duty [VET-7]', async () => {
  mount(<Console />)
  await expect.poll(() => document.body.textContent).toContain('Loaded')
  asked = []
  heard.get(rosterChanged.push)!({})
  await expect.poll(() => asked).toEqual([DUTY])
})

it('a record in its own window follows its case [CON-6]', async () => {
  let pet = 'Simba'
  answerCalls((path) => {
    if (path === '/consultation/7') return { consultation: sampleRoom(7, pet) }
    return path.includes('/files') ? [] : refused(404, 'NOT_FOUND', 'No record.')
  })
  mount(<RecordWindow id={7} user={VET} />)
  await expect.element(page.getByText('Simba with Thabo Sample, 7')).toBeVisible()
  pet = 'Simba II'
  heard.get(consultationChanged.push)!({ consultation: 7, vets: [] })
  await expect.element(page.getByText('Simba II with Thabo Sample, 7')).toBeVisible()
})

it('a vet who has only the record’s window open stays on duty [VET-7]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const sent = answerCalls((path) => {
    if (path === DUTY) return [{ id: ME, name: 'Dr Busi', since: '2026-11-20T10:00:00Z', cases: 1 }]
    if (path === '/consultation/7') return { consultation: sampleRoom(7, 'Simba') }
    return path.includes('/files') ? [] : refused(404, 'NOT_FOUND', 'No record.')
  })
  mount(<RecordWindow id={7} user={VET} />)
  const tellsDuty = () => {
    vi.advanceTimersByTime(MINUTE)
    return sent.some(([path, body]) => path === DUTY && body !== undefined)
  }
  await expect.poll(tellsDuty).toBe(true)
})

it('a case that a colleague closes while it is open here opens again only for a reason [SAF-8]', async () => {
  let isClosed = false
  answerCalls((path) => {
    if (path === '/consultation/7' && isClosed) return refused(403, 'CONSULT_SAY_WHY', 'Please say why.')
    if (path.startsWith('/consultation/7?') || path === '/consultation/7')
      return { consultation: sampleRoom(7, 'Simba') }
    return path.includes('/files') ? [] : refused(404, 'NOT_FOUND', 'No record.')
  })
  mount(<RecordWindow id={7} user={VET} />)
  await expect.element(page.getByText('Simba with Thabo Sample, 7')).toBeVisible()
  isClosed = true
  heard.get(consultationChanged.push)!({ consultation: 7, vets: [] })
  await expect.element(page.getByText('Another vet closed this consult')).toBeVisible()
  await expect.element(page.getByText('Simba with Thabo Sample, 7')).not.toBeInTheDocument()
  await page.getByLabelText('Why are you opening it?').fill('I had it before')
  await page.getByRole('button', { name: 'Open it' }).click()
  await expect.element(page.getByText('Simba with Thabo Sample, 7')).toBeVisible()
})
