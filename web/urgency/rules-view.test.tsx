import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { visit } from '../test/visit.tsx'
import UrgencyRules from './rules-view.tsx'

const AT = '2026-11-20T10:00:00Z'
const [OLD, NEW] = ['2026-11-1', '2026-11-2']
const of = (version: string, change: object = {}) => ({
  version,
  made_by: 'VetChat',
  made_on: '2026-11-01',
  notes: 'First set.',
  signs: 45,
  phrases: 900,
  added: 12,
  removed: 3,
  live: false,
  was_live: false,
  live_since: null,
  reviewed: null,
  asked: null,
  ...change,
})
const replay = (version: string, missed: number) => ({
  version,
  from: AT,
  to: AT,
  consults: 40,
  cut: false,
  caught: 10,
  missed,
  false_alarms: 2,
  changed: 1,
  signs: [{ sign: 'no-urine', says: 'Straining to pee', caught: 10, missed, false_alarms: 2, cases: [] }],
})
const vets = [{ id: 3, name: 'Dr Anika Naidoo', registration: 'DEMO-0001' }]

function show(versions: object[]) {
  const sent: [path: string, body: unknown][] = []
  let isWithdrawn = false
  visit('*', `/admin/urgency?version=${OLD}`, UrgencyRules, (path, body) => {
    if (body) {
      sent.push([path, body])
      isWithdrawn ||= path.endsWith('/withdraw')
      return path.endsWith('/live') ? { live: false } : {}
    }
    if (path.endsWith('/versions'))
      return { versions: isWithdrawn ? [live, of(OLD)] : versions, takes_two: true, vets }
    return /\/replay\b/.test(path) ? replay(NEW, path.includes(OLD) ? 4 : 1) : []
  })
  return sent
}
const button = (name: string | RegExp) => page.getByRole('button', { name })
const live = of(NEW, { live: true })

it('making a version live says first what gets worse, asks why, and leaves it to a second admin [TRI-5]', async () => {
  const reviewed = { name: 'Dr Anika Naidoo', registration: 'DEMO-0001', at: AT, noted_by: 'Demo Admin' }
  const sent = show([live, of(OLD, { reviewed })])
  await button(`Make version ${OLD} live`).click()
  const dialog = page.getByRole('dialog', { name: `Ask for version ${OLD}?` })
  await expect.element(dialog.getByRole('listitem')).toHaveTextContent('Straining to pee: 3 more missed')
  await dialog.getByRole('button', { name: 'Ask a second admin' }).click()
  await expect.element(dialog.getByText('Say why, in a few words.')).toBeVisible()
  expect(sent).toEqual([])
  await dialog.getByLabelText('Why now?').fill('Fewer alarms')
  await dialog.getByRole('button', { name: 'Ask a second admin' }).click()
  await expect.poll(() => sent).toEqual([[`/urgency/versions/${OLD}/live`, { reason: 'Fewer alarms' }]])
})

it('what another admin asked for is confirmed or refused, with the reason in sight [TRI-5]', async () => {
  const reviewed = { name: 'Dr Anika Naidoo', registration: 'DEMO-0001', at: AT, noted_by: 'Demo Admin' }
  const asked = { name: 'Demo Admin', at: AT, reason: 'Fewer alarms', mine: false }
  const sent = show([live, of(OLD, { reviewed, asked })])
  await expect.element(page.getByText('Demo Admin asked to make this version live')).toBeVisible()
  await expect.element(page.getByText('“Fewer alarms”', { exact: false })).toBeVisible()
  await expect.element(button(`Confirm version ${OLD}`)).toBeVisible()
  await button('Refuse').click()
  await expect.poll(() => sent).toEqual([[`/urgency/versions/${OLD}/withdraw`, {}]])
  await expect.element(page.getByRole('heading', { name: `Version ${OLD}` })).toHaveFocus()
})
