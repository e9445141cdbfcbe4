import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Clinic, DAY_IDS } from '#contract/clinics.ts'
import { sentenceOf } from '#contract/errors.ts'
import { sampleClinic, sampleContact } from '#test/samples.ts'
import { refused, visit } from '../test/visit.tsx'
import Clinics from './clinics.tsx'

let leave = () => {}

const pieter = sampleContact('Dr Pieter', '+27215550171')
const parow: Clinic = {
  ...sampleClinic,
  contact_mon: pieter,
  contact_sat: sampleContact('Dr Thandeka', '+27825550133'),
  today: { ...sampleClinic.today, ...pieter },
}
const oaks: Clinic = { ...parow, id: 2, clinic: 'Two Oaks', address: '' }

/** The page, with what the server has stored and how it answers a save. */
function show(save: (sent: Partial<Clinic>) => Response, stored = () => parow, address = '?clinic=1') {
  const visited = visit('/admin/:view', `/admin/clinics${address}`, Clinics, (path, body) =>
    body ? save(body as Partial<Clinic>) : Response.json(path === '/clinics' ? [stored(), oaks] : []),
  )
  leave = visited.leave
  return visited
}
const cell = (name: string) => page.getByRole('textbox', { name })
const saves = (sent: [string, unknown][]) => sent.flatMap(([, body]) => (body ? [body] : []))

it('a week is filled by keyboard, and only what changed is sent [ADM-5]', async () => {
  let stored = parow
  const { sent } = show(
    (body) => Response.json((stored = { ...parow, ...body, version: 4 })),
    () => stored,
  )
  await cell('Tuesday: vet').click()
  await userEvent.keyboard('{Control>}d{/Control}')
  await expect.element(cell('Tuesday: vet')).toHaveValue('Dr Pieter')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(cell('Wednesday: vet')).toHaveFocus()
  await cell('Tuesday: number').fill('083 555 0100')
  await expect.element(page.getByText('2 cells changed, draft kept on this computer')).toBeVisible()
  await page.getByRole('button', { name: 'Save clinic' }).click()
  await expect.element(page.getByText('Saved')).toBeVisible()
  expect(saves(sent)).toEqual([
    {
      version: 3,
      contact_tue: { vetName: 'Dr Pieter', contact: '083 555 0100', email: '', na: false, note: '' },
    },
  ])
})

it('Monday is copied to the weekdays, and one press takes it back and leads to Save [ADM-5]', async () => {
  show(() => Response.json({}))
  await page.getByRole('button', { name: 'Copy Monday to weekdays' }).click()
  await expect.element(cell('Friday: vet')).toHaveValue('Dr Pieter')
  await expect.element(cell('Saturday: vet')).toHaveValue('Dr Thandeka')
  await page.getByRole('button', { name: 'Undo changes' }).click()
  await expect.element(cell('Friday: vet')).toHaveValue('')
  await expect.element(page.getByRole('button', { name: 'Save clinic' })).toHaveFocus()
})

it("a holiday says what is missing, is added with Enter, and can't be in the past or there twice [ADM-5]", async () => {
  const { sent } = show(() => Response.json({}))
  const date = page.getByLabelText('Date')
  await page.getByRole('button', { name: 'Add holiday' }).click()
  await expect.element(page.getByText('Enter a day, such as 25/12/2026.')).toBeVisible()
  await expect.element(date).toHaveFocus()
  for (const [at, says] of [
    ['25/12/2020', 'That date has passed.'],
    ['25/12/2099', ''],
    ['25/12/2099', 'That date is already in the list.'],
  ] as const) {
    await date.fill(at)
    await userEvent.keyboard('{Enter}')
    if (says) await expect.element(page.getByText(says)).toBeVisible()
  }
  await page.getByRole('button', { name: /^Remove / }).click()
  await expect.element(page.getByRole('table', { name: 'Holidays' })).not.toBeInTheDocument()
  await expect.element(date).toHaveFocus()
  expect(saves(sent)).toEqual([])
})

it('a draft survives a reload, even if somebody else saved the clinic meanwhile [ADM-5]', async () => {
  show(() => Response.json({}))
  await cell('Sunday: note').fill('Closed')
  await expect.element(page.getByText('1 cell changed, draft kept on this computer')).toBeVisible()
  leave()
  const newer = { ...parow, version: 4, contact_sat: sampleContact('Dr Locum', '+27825550199') }
  show(
    () => Response.json({}),
    () => newer,
  )
  await expect.element(cell('Sunday: note')).toHaveValue('Closed')
  await expect.element(page.getByText('Sam Demo saved this clinic after you opened it.')).toBeVisible()
  await expect.element(page.getByText('Saturday changed.')).toBeVisible()
  await page.getByRole('button', { name: 'Show what was saved' }).click()
  await expect.element(cell('Sunday: note')).toHaveValue('')
  await expect.element(cell('Saturday: vet')).toHaveValue('Dr Locum')
})

it('a long note is read whole on a phone, and stays one line of text [ADM-5]', async () => {
  await page.viewport(390, 800)
  const { sent } = show(() => Response.json(parow))
  const long =
    'Ring the practice first, then the mobile. After 22:00 only for emergencies; else leave a message.'
  await cell('Sunday: note').fill(`${long}\nTwice`)
  const box = cell('Sunday: note').element()
  expect(box.clientHeight).toBeGreaterThan(60)
  expect(box.scrollHeight).toBeLessThanOrEqual(box.clientHeight)
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => saves(sent).length).toBe(1)
  expect(saves(sent)[0]).toMatchObject({ contact_sun: { note: `${long} Twice` } })
})

it('of two admins the second learns what changed, and can save their changes too [ADM-5]', async () => {
  const newer = {
    ...parow,
    version: 4,
    contact_sat: sampleContact('Dr Locum', '+27825550199'),
    escalation_minutes: parow.escalation_minutes + 1,
  }
  let stored = parow
  const older = 'Sam Demo saved this clinic at 09:12, after you opened it.'
  const { sent } = show(
    ({ version, ...body }) => {
      if (version === 4) return Response.json((stored = { ...newer, ...body, version: 5 }))
      stored = newer
      return refused(409, 'CLINIC_CHANGED', older)
    },
    () => stored,
  )
  await cell('Monday: note').fill('After 22:00 ring twice')
  await page.getByRole('button', { name: 'Save clinic' }).click()
  await expect.element(page.getByText(older)).toBeVisible()
  await expect.element(page.getByText('Saturday and the settings below changed.')).toBeVisible()
  await page.getByRole('button', { name: 'Save my changes too' }).click()
  await expect.element(page.getByText('Saved')).toBeVisible()
  await expect.element(cell('Saturday: vet')).toHaveValue('Dr Locum')
  expect(saves(sent)).toHaveLength(2)
  expect(saves(sent)[1]).toEqual({
    version: 4,
    contact_mon: { ...pieter, email: '', note: 'After 22:00 ring twice' },
  })
})

it('a week that couldn’t be saved says why where the admin looks, and keeps what was typed [ADM-5]', async () => {
  await page.viewport(1440, 900)
  show(
    () => {
      throw new TypeError('Failed to fetch')
    },
    () => parow,
  )
  await cell('Monday: note').fill('Ring twice')
  await page.getByRole('button', { name: 'Save clinic' }).click()
  const told = page.getByText('We couldn’t reach VetChat. Check your connection and try again.')
  await expect.element(told).toBeInViewport()
  await expect.element(page.getByRole('alert').filter({ has: told })).toHaveFocus()
  await expect.element(cell('Monday: note')).toHaveValue('Ring twice')
})

it('an email that the server refuses says so in its cell, which gets the focus [ADM-5]', async () => {
  const wrong = sentenceOf('INVALID_EMAIL')
  show(() =>
    Response.json(
      { code: 'INVALID_INPUT', errors: [wrong], fields: { 'contact_tue.email': wrong } },
      { status: 400 },
    ),
  )
  await cell('Tuesday: email').fill('pieter@')
  await page.getByRole('button', { name: 'Save clinic' }).click()
  await expect.element(cell('Tuesday: email')).toHaveAccessibleDescription(wrong)
  await expect.element(cell('Tuesday: email')).toHaveFocus()
})

it('of two admins who change details, the second overwrites only fields they changed, and sees first what both changed [ADM-5]', async () => {
  let stored = parow
  const { sent } = show(
    ({ version, ...body }) =>
      version === stored.version
        ? Response.json((stored = { ...stored, ...body, version: version + 1 }))
        : refused(409, 'CLINIC_CHANGED', 'Sam Demo saved this clinic.'),
    () => stored,
    '?clinic=1&part=details',
  )
  const field = (name: string) => page.getByLabelText(`${name} (optional)`)
  const button = page.getByRole('button', { name: 'Save details' })
  const save = async () => {
    await button.click()
    await expect.element(button).not.toHaveAttribute('aria-busy')
  }
  await field('Address').fill('2 Main Road')
  stored = { ...stored, comments: 'Ring twice', version: 4 }
  await save()
  await expect
    .poll(() => stored)
    .toMatchObject({ address: '2 Main Road', comments: 'Ring twice', version: 5 })
  await expect.element(field('Comments for vets')).toHaveValue('Ring twice')

  await field('Address').fill('3 Main Road')
  stored = { ...stored, address: '9 Hill Street', version: 6 }
  await save()
  await expect.element(page.getByText('9 Hill Street')).toBeVisible()
  expect(stored.address).toBe('9 Hill Street')
  await save()
  await expect.poll(() => stored).toMatchObject({ address: '3 Main Road', version: 7 })
  expect(saves(sent).at(-1)).toEqual({ version: 6, address: '3 Main Road' })
})

it('details that were typed stay while the clinic’s week is looked at [ADM-5]', async () => {
  show(() => Response.json(parow), undefined, '?clinic=1&part=details')
  const comments = page.getByLabelText('Comments for vets (optional)')
  await comments.fill('Ring twice')
  await page.getByRole('link', { name: 'Week' }).click()
  await expect.element(cell('Monday: vet')).toBeVisible()
  await page.getByRole('link', { name: 'Details' }).click()
  await expect.element(comments).toHaveValue('Ring twice')
})

it('a clinic that was deleted, even by a colleague, says so in its place and leaves the list [ADM-5]', async () => {
  let clinics = [parow, oaks]
  const visited = visit('/admin/:view', '/admin/clinics?clinic=1&part=details', Clinics, (path, body) => {
    if (path === '/clinics') return Response.json(clinics)
    clinics = clinics.filter(({ id }) => path !== `/clinics/${id}`)
    return body ? refused(404, 'CLINIC_REMOVED', sentenceOf('CLINIC_REMOVED')) : Response.json({})
  })
  leave = visited.leave
  const gone = page.getByText('This clinic has been deleted')
  await page.getByLabelText('Comments for vets (optional)').fill('Ring twice')
  await page.getByRole('button', { name: 'Save details' }).click()
  await expect.element(gone).toBeVisible()
  await expect.element(page.getByRole('link', { name: /^Demo Vet Clinic/ })).not.toBeInTheDocument()
  clinics = [parow, oaks]
  await page.getByRole('link', { name: /^Two Oaks/ }).click()
  await page.getByRole('link', { name: 'Details' }).click()
  await page.getByRole('button', { name: 'Delete clinic' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete clinic' }).click()
  await expect.element(gone).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Clinics' })).toHaveFocus()
})

it('a number that isn’t complete is said to get no SMS, once it is saved [CLI-5]', async () => {
  const week = Object.fromEntries(DAY_IDS.map((day) => [`contact_${day}`, pieter]))
  let stored: Clinic = { ...parow, ...week }
  show(
    (body) => Response.json((stored = { ...stored, ...body, version: 4 })),
    () => stored,
  )
  await cell('Friday: number').fill('083 555 01')
  await page.getByRole('button', { name: 'Save clinic' }).click()
  await expect.element(page.getByText('We can’t send an SMS to incomplete numbers: Friday.')).toBeVisible()
  await expect.element(page.getByText('No SMS on Friday')).toBeInTheDocument()
})

it('the list can be searched, and shows which clinics have nobody to call [ADM-5]', async () => {
  show(() => Response.json({}), undefined, '')
  await expect.element(page.getByText('Nobody on Tuesday').first()).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search clinics' }).fill('parow')
  await expect.element(page.getByRole('link', { name: /Two Oaks/ })).not.toBeInTheDocument()
  await page.getByRole('searchbox', { name: 'Search clinics' }).fill('zz')
  await expect.element(page.getByText('No clinic has “zz” in its name or address.')).toBeVisible()
})
