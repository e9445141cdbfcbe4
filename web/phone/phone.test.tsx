import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DayContact } from '#contract/clinics.ts'
import { sentenceOf } from '#contract/errors.ts'
import { visit } from '../test/visit.tsx'
import { PhoneConsult } from './phone-form.tsx'
import PhoneConsultations from './phone-list.tsx'

let leave = () => {}

const AT = '2026-11-21T00:13:00.000Z'
const contact = (vetName: string, number: string, na = false): DayContact => ({
  vetName,
  contact: number,
  na,
  note: '',
  date: '2026-11-21',
  day: 'sat',
  holiday: false,
})
const PIETER = contact('Dr Pieter Sample', '021 555 0171')
const parow = {
  id: 1,
  clinic: 'Demo Vet Clinic',
  address: '1 Main Road, Parow',
  telephone: '',
  comments: '',
  notify: 'straight away',
  today: PIETER,
  chain: [PIETER, { ...contact('Dr Thandeka Demo', '021 555 0133'), day: 'sun' }],
  minutes: 5,
}
const oaks = {
  ...parow,
  id: 2,
  clinic: 'Two Oaks',
  today: contact('Dr Away', '021 555 0100', true),
  chain: [],
}
const read = { level: 'emergency', why: 'no urine' }

const recorded = { consultation: { id: 77 }, clinic: 'Two Oaks', mailed_at: AT as string | null }

/** The form with this draft, and what it sent. */
function show({
  draft = null,
  clinics = () => [parow, oaks],
  record = () => Response.json(recorded),
}: { draft?: object | null; clinics?: () => object[]; record?: () => Response } = {}) {
  const visited = visit(
    '*',
    '/phone',
    () => <PhoneConsult asksVet={false} />,
    (path, body) => {
      if (path === '/phone/clinics') return Response.json(clinics())
      if (path === '/species') return Response.json([{ id: 2, name: 'Cat' }])
      if (path === '/phone/consultations') return record()
      if (path === '/phone/draft')
        return Response.json(
          body === undefined
            ? draft
            : { started_at: AT, saved_at: AT, read: (body as { query: string }).query ? read : null },
        )
      return Response.json([])
    },
  )
  leave = visited.leave
  return visited.sent
}
const field = (name: string) => page.getByRole('textbox', { name })
const choice = (name: string) => page.getByRole('radio', { name })
async function chooseClinic(typed: string) {
  await userEvent.fill(page.getByRole('combobox', { name: 'Clinic' }), typed)
  await userEvent.keyboard('{ArrowDown}{Enter}')
}

it('the form shows how the rules read the problem, and leaves the choice to the vet [VET-6]', async () => {
  show()
  await field('Problem, in the caller’s words').fill('No urine since 22:00')
  await expect.element(page.getByText('The rules read Emergency: no urine.')).toBeVisible()
  for (const name of ['Emergency', 'Urgent', 'Soon', 'Routine'])
    await expect.element(choice(name)).not.toBeChecked()
  await choice('Soon').click()
  await expect.element(page.getByText('Your choice counts.')).toBeVisible()
  await expect.element(choice('Soon')).toBeChecked()
  await field('Problem, in the caller’s words').fill('')
  await expect.element(page.getByText('The rules read')).not.toBeInTheDocument()
})

it('the form says who is next on a day without a contact, or that nobody is [VET-6]', async () => {
  show()
  await chooseClinic('two oaks')
  await expect.element(page.getByText('Saturday’s contact isn’t available.').first()).toBeInTheDocument()
  await expect.element(page.getByText('None of this week’s contacts can be called.')).toBeVisible()
})

it('a tap beside the form dials today’s contact, and the Tab key stays in the form [VET-6]', async () => {
  show()
  await chooseClinic('demo vet')
  const numbers = page.getByRole('link', { name: '021 555 0171' })
  expect(numbers.elements().map((link) => link.getAttribute('href'))).toEqual(Array(2).fill('tel:0215550171'))
  await field('Caller’s number (optional)').click()
  await userEvent.keyboard('{Tab}')
  await expect.element(field('Pet')).toHaveFocus()
})

const draft = {
  key: 'kept',
  started_at: AT,
  saved_at: AT,
  read,
  fields: { caller: 'Nomsa', query: 'No urine' },
}

it('the form begins where the draft was left, even with what the server hasn’t got yet [VET-6]', async () => {
  show({ draft })
  await expect.element(field('Caller')).toHaveValue('Nomsa')
  await expect.element(page.getByText('The rules read Emergency: no urine.')).toBeVisible()
  leave()
  sessionStorage.setItem('draft:phone', JSON.stringify({ key: 'here', caller: 'Typed offline' }))
  const sent = show({ draft })
  await expect.element(field('Caller')).toHaveValue('Typed offline')
  await expect
    .poll(() => sent.find(([path, body]) => path === '/phone/draft' && body))
    .toMatchObject(['/phone/draft', { key: 'here', caller: 'Typed offline' }])
  await expect.poll(() => sessionStorage.getItem('draft:phone')).toBe(null)
})

it('the form tells other tabs when its draft ends, and begins again when theirs does [VET-6]', async () => {
  const other = new BroadcastChannel('vetchat:phone')
  const heard: unknown[] = []
  other.addEventListener('message', ({ data }) => heard.push(data))
  show({ draft })
  await expect.element(field('Caller')).toHaveValue('Nomsa')
  other.postMessage('another')
  other.postMessage('kept')
  await expect.element(field('Caller')).toHaveValue('')
  expect(heard).toEqual([])
  leave()
  show({ draft })
  const throws = page.getByRole('button', { name: 'Discard' })
  await throws.click()
  // It asks first.
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click()
  await expect.element(throws).toHaveFocus()
  await expect.element(field('Caller')).toHaveValue('Nomsa')
  expect(heard).toEqual([])
  await throws.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => heard).toEqual(['kept'])
  await expect.element(field('Caller')).toHaveValue('')
  await expect.element(page.getByRole('combobox', { name: 'Clinic' })).toHaveFocus()
  other.close()
})

it('the form stays as it is when the window is left and entered again [VET-6]', async () => {
  const sent = show()
  await field('Caller').fill('Nomsa')
  dispatchEvent(new Event('visibilitychange'))
  dispatchEvent(new Event('online'))
  await expect.element(field('Caller')).toHaveFocus()
  expect(sent.filter(([path, body]) => path === '/phone/draft' && body === undefined)).toHaveLength(1)
})

it('the form says what is missing, and leads there, before anything is sent [VET-6]', async () => {
  const sent = show()
  await field('Caller').fill('Nomsa')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByRole('combobox', { name: 'Clinic' })).toHaveFocus()
  await expect.element(page.getByText('Choose the clinic.').first()).toBeVisible()
  expect(sent.filter(([path]) => path === '/phone/consultations')).toEqual([])
})

const whole = {
  key: 'k1',
  started_at: AT,
  saved_at: AT,
  fields: { clinic: 2, caller: 'Nomsa', pet: 'Rex', query: 'He limps', urgency: 'soon', decision: 'hours' },
  read,
}

it('the form says that its clinic is gone, leads there and offers the others [VET-6]', async () => {
  let isGone = false
  const gone = sentenceOf('PHONE_CLINIC_GONE')
  show({
    draft: whole,
    clinics: () => (isGone ? [parow] : [parow, oaks]),
    record: () => {
      isGone = true
      const body = { code: 'PHONE_CLINIC_GONE', errors: [gone], fields: { clinic: gone } }
      return Response.json(body, { status: 404 })
    },
  })
  await page.getByRole('button', { name: 'Save and tell the clinic' }).click()
  await expect.element(page.getByText(gone).first()).toBeVisible()
  const clinic = page.getByRole('combobox', { name: 'Clinic' })
  await expect.element(clinic).toHaveFocus()
  await chooseClinic('Demo')
  await expect.element(page.getByRole('complementary', { name: 'Demo Vet Clinic' })).toBeVisible()
})

it.each([
  ['in its portal', 'straight away', 'The clinic has no email. It sees the case in its portal.'],
  ['nowhere', 'never', 'The clinic has no email and no portal, so tell them yourself if they need to know.'],
])('a vet reads that a clinic without an email sees the call %s [VET-6]', async (_, notify, told) => {
  show({
    draft: whole,
    clinics: () => [{ ...oaks, notify }],
    record: () => Response.json({ ...recorded, mailed_at: null }),
  })
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect.element(page.getByText(told)).toBeVisible()
})

it('an admin filters the list by days as people write them, and learns which one is wrong [ADM-6]', async () => {
  const at = '/admin/phoneConsultations'
  const { router } = visit(at, at, PhoneConsultations, () =>
    Response.json({ consultations: [], page: 1, pages: 1, total: 0 }),
  )
  await field('From').fill('21/11/2026')
  await field('To').fill('31/11/2026')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect.element(page.getByText('Enter a day, such as 21/11/2026.').first()).toBeVisible()
  await field('To').fill('30/11/2026')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect.poll(() => router.state.location.hash).toBe('#from=2026-11-21&to=2026-11-30')
})
