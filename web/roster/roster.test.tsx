import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { sentenceOf } from '#contract/errors.ts'
import { BANDS, type Roster as Week } from '#contract/roster.ts'
import { MINUTE } from '#contract/time.ts'
import { refused, visit } from '../test/visit.tsx'
import Roster from './roster.tsx'

const shift: Week['shifts'][number] = {
  id: 7,
  vet_id: 2,
  name: 'Dr Busi',
  day: '2099-11-24',
  band: 0,
  from: '06:00',
  to: '14:00',
  begin: '2099-11-24T04:00:00.000Z',
  end: '2099-11-24T12:00:00.000Z',
  offered: false,
  short_rest: null,
}
const week = (shifts: Week['shifts']): Week => ({
  today: '2099-11-24',
  days: [{ day: '2099-11-24', holiday: null, clocks: null }],
  bands: [...BANDS.za],
  shifts,
  gaps: [],
  vets: [{ id: 2, name: 'Dr Busi', hours: 8 }],
  now: [],
  next_holiday: { day: '2099-12-16', name: 'Day of Reconciliation' },
})
const down = () => refused(500, 'UNEXPECTED', 'Something went wrong on our side.')

it('an admin reads why a shift wasn’t removed, and why it wasn’t put back [VET-7]', async () => {
  let fails = true
  let shifts = [shift]
  visit('/admin/roster', '/admin/roster', Roster, (path) => {
    if (path === '/user/me') return Response.json({ id: 1, type: 3, region: 'za' })
    if (path === '/roster') return Response.json(week(shifts))
    if (path.startsWith('/roster/free')) return Response.json([])
    if (fails || path === '/roster/shift') return down()
    shifts = []
    return Response.json({})
  })
  await page.getByRole('button', { name: /^Dr Busi/ }).click()
  await page.getByRole('button', { name: 'Remove shift' }).click()
  await expect.element(page.getByRole('dialog').getByText('Something went wrong on our side.')).toBeVisible()
  fails = false
  await page.getByRole('button', { name: 'Remove shift' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByText('Something went wrong on our side.')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Duty roster' })).toHaveFocus()
})

it('an admin reads that another one has changed the shift meanwhile [VET-7]', async () => {
  visit('/admin/roster', '/admin/roster', Roster, (path, body) => {
    if (path === '/user/me') return Response.json({ id: 1, type: 3, region: 'za' })
    if (path === '/roster') return Response.json(week([shift]))
    if (path.startsWith('/roster/free')) return Response.json([])
    const { was } = body as { was: typeof shift }
    const isKnown = was.vet_id === shift.vet_id && was.begin === shift.begin && was.end === shift.end
    return isKnown ? refused(409, 'SHIFT_CHANGED', sentenceOf('SHIFT_CHANGED')) : down()
  })
  await page.getByRole('button', { name: /^Dr Busi/ }).click()
  await page.getByRole('button', { name: 'Save shift' }).click()
  await expect.element(page.getByRole('dialog').getByText(sentenceOf('SHIFT_CHANGED'))).toBeVisible()
})

it('an admin who removes a shift sends how they saw it, and reads that it changed meanwhile [VET-7]', async () => {
  let shifts = [shift]
  const { sent } = visit('/admin/roster', '/admin/roster', Roster, (path) => {
    if (path === '/user/me') return Response.json({ id: 1, type: 3, region: 'za' })
    if (path === '/roster') return Response.json(week(shifts))
    if (path.startsWith('/roster/free')) return Response.json([])
    shifts = [{ ...shift, vet_id: 3, name: 'Dr Karabo' }]
    return refused(409, 'SHIFT_CHANGED', sentenceOf('SHIFT_CHANGED'))
  })
  await page.getByRole('button', { name: /^Dr Busi/ }).click()
  await page.getByRole('button', { name: 'Remove shift' }).click()
  await expect.element(page.getByRole('dialog').getByText(sentenceOf('SHIFT_CHANGED'))).toHaveLength(1)
  const removed = sent.find(([path]) => path.startsWith('/roster/shift'))![0]
  const asked = new URL(removed, location.origin)
  expect([asked.pathname, Object.fromEntries(asked.searchParams)]).toEqual([
    '/roster/shift/7',
    { vet_id: '2', begin: shift.begin, end: shift.end },
  ])
  await page.getByRole('button', { name: 'Leave as it is' }).click()
  await expect.element(page.getByRole('button', { name: /^Dr Karabo/ })).toBeVisible()
})

it('an admin can’t remove a shift that another one gave to a colleague meanwhile [VET-7]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  let shifts = [shift]
  const { sent } = visit('/admin/roster', '/admin/roster', Roster, (path) => {
    if (path === '/user/me') return Response.json({ id: 1, type: 3, region: 'za' })
    return Response.json(path === '/roster' ? week(shifts) : [])
  })
  await page.getByRole('button', { name: /^Dr Busi/ }).click()
  await expect.element(page.getByRole('button', { name: 'Remove shift' })).toBeEnabled()
  shifts = [{ ...shift, vet_id: 3, name: 'Dr Karabo' }]
  vi.advanceTimersByTime(MINUTE)
  await expect.element(page.getByRole('dialog').getByText(sentenceOf('SHIFT_CHANGED'))).toBeVisible()
  ;(page.getByRole('button', { name: 'Remove shift' }).element() as HTMLElement).click()
  expect(sent.filter(([path]) => path.startsWith('/roster/shift'))).toEqual([])
})

it('an admin who cleared a shift’s time reads that beside it, not that a vet is missing [VET-7]', async () => {
  visit('/admin/roster', '/admin/roster', Roster, (path) => {
    if (path === '/user/me') return Response.json({ id: 1, type: 3, region: 'za' })
    return Response.json(path === '/roster' ? week([]) : [])
  })
  await page.getByRole('button', { name: 'Add shift' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabelText('To').fill('')
  await expect.element(dialog.getByText('Choose a vet.')).not.toBeInTheDocument()
  await dialog.getByRole('button', { name: 'Add shift' }).click()
  await expect.element(dialog.getByLabelText('To')).toHaveAccessibleDescription('Enter a time.')
})

it('an admin who adds a shift today is offered a band that isn’t over [VET-7]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2099-11-24T16:00:00Z') })
  visit('/admin/roster', '/admin/roster', Roster, (path) => {
    if (path === '/user/me') return Response.json({ id: 1, type: 3, region: 'za' })
    return Response.json(path === '/roster' ? week([]) : [])
  })
  await page.getByRole('button', { name: 'Add shift' }).click()
  await expect
    .element(page.getByRole('button', { name: 'Evening', exact: true }))
    .toHaveAttribute('aria-pressed', 'true')
})

it('an admin reads what repeating a week would add before it does, and a double click adds nothing [VET-7]', async () => {
  const sent: boolean[] = []
  const plan = { shifts: [{ name: 'Dr Busi', day: '2099-12-01', from: '06:00', to: '14:00' }], left_out: [] }
  visit('/admin/roster', '/admin/roster', Roster, (path, body) => {
    if (path === '/user/me') return Response.json({ id: 1, type: 3, region: 'za' })
    if (path === '/roster') return Response.json(week([shift]))
    sent.push((body as { write: boolean }).write)
    return Response.json(plan)
  })
  await page.getByRole('button', { name: 'Repeat a week' }).click()
  await page.getByRole('button', { name: 'Show what it would add' }).click()
  await expect.element(page.getByRole('dialog').getByRole('status')).toHaveFocus()
  const add = page.getByRole('button', { name: 'Add 1 shift' })
  const button = add.element() as HTMLElement
  button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))
  expect(sent).toEqual([false])
  // The button takes no second press for half a second, unless the focus left it meanwhile.
  button.focus()
  button.blur()
  await add.click()
  await expect.poll(() => sent).toEqual([false, true])
})

it('a roster says in which town’s time it is, where a region has several [VET-7]', async () => {
  visit('/roster', '/roster', Roster, (path) =>
    Response.json(path === '/user/me' ? { id: 1, type: 2, region: 'au' } : week([])),
  )
  await expect.element(page.getByText('Times in Sydney')).toBeVisible()
})

it('a vet reads before taking a shift that they would have too little rest [VET-7]', async () => {
  const before = {
    ...shift,
    id: 8,
    vet_id: 1,
    begin: '2099-11-23T20:00:00.000Z',
    end: '2099-11-24T00:00:00.000Z',
  }
  const after = {
    ...before,
    id: 9,
    day: '2099-11-25',
    begin: '2099-11-24T18:00:00.000Z',
    end: '2099-11-25T00:00:00.000Z',
  }
  const asked: string[] = []
  visit('/myaccount/roster', '/myaccount/roster', Roster, (path) => {
    if (path === '/user/me') return Response.json({ id: 1, type: 2, region: 'za' })
    asked.push(path)
    const offered = { ...shift, offered: true }
    return Response.json(week(path === '/roster' ? [offered] : [before, offered, after]))
  })
  await page.getByRole('button', { name: /^See shift: Dr Busi/ }).click()
  await expect.element(page.getByText('You would have only 4 hours of rest before it.')).toBeVisible()
  await expect
    .element(
      page.getByText('You would have only 6 hours of rest before your shift on Wednesday 25 November.'),
    )
    .toBeVisible()
  expect(asked).toContain('/roster?from=2099-11-23')
})

it('a vet who takes a shift sends how they saw it, and reads that it changed meanwhile [VET-7]', async () => {
  const offered = { ...shift, offered: true }
  const { sent } = visit('/myaccount/roster', '/myaccount/roster', Roster, (path) => {
    if (path === '/user/me') return Response.json({ id: 1, type: 2, region: 'za' })
    if (path.startsWith('/roster/shift')) return refused(409, 'SHIFT_CHANGED', sentenceOf('SHIFT_CHANGED'))
    return Response.json(week([offered]))
  })
  await page.getByRole('button', { name: /^See shift: Dr Busi/ }).click()
  await page.getByRole('button', { name: 'Take the shift' }).click()
  await expect.element(page.getByRole('dialog').getByText(sentenceOf('SHIFT_CHANGED'))).toBeVisible()
  expect(sent.find(([path]) => path === '/roster/shift/7/take')![1]).toEqual({
    vet_id: 2,
    begin: shift.begin,
    end: shift.end,
  })
})

it('a colleague’s shift that has begun is named as theirs [VET-7]', async () => {
  const begun = { ...shift, offered: true, begin: '2020-11-24T04:00:00.000Z' }
  visit('/myaccount/roster', '/myaccount/roster', Roster, (path) =>
    Response.json(path === '/user/me' ? { id: 1, type: 2, region: 'za' } : week([begun])),
  )
  await page.getByRole('button', { name: /^See shift: Dr Busi/ }).click()
  await expect.element(page.getByRole('heading', { name: 'Dr Busi’s shift' })).toBeVisible()
})
