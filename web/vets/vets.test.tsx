import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Vet } from '#contract/vets.ts'
import { sentenceOf } from '#contract/errors.ts'
import { sampleToken } from '#test/samples.ts'
import { signIn } from '../lib/session.ts'
import { takeUploads } from '../test/uploads.ts'
import { visit } from '../test/visit.tsx'
import Vets from './vets.tsx'

const person = (id: number, firstName: string, more: Partial<Vet> = {}) => ({
  id,
  type: 1,
  firstName,
  lastName: 'Sample',
  email: `${firstName.toLowerCase()}@example.com`,
  email_confirmed: true,
  region: 'za',
  registration: null,
  languages: [],
  about: '',
  picture: null,
  on_duty_since: null,
  factor_since: null,
  open_consults: 0,
  open_calls: 0,
  week_consults: 0,
  rating: { mean: null, of: 0 },
  ...more,
})
const vet = (id: number, firstName: string, more: Partial<Vet> = {}) =>
  person(id, firstName, { type: 2, registration: `SAVC ${id}`, ...more })

/** The page with these answers, and what it sent. */
function show(answers: Record<string, (body: unknown) => [status: number, body: unknown]>) {
  signIn(sampleToken(), true)
  return visit('/admin/vets', '/admin/vets', Vets, (path, said) => {
    const [status, answer] = answers[decodeURIComponent(path)]!(said)
    return Response.json(answer, { status })
  }).sent
}
const lookUp = async (email: string) => {
  await page.getByLabelText('Person’s email').fill(email)
  await page.getByRole('button', { name: 'Look up' }).click()
}

it('an unknown email says so, and the line about a known one disappears after 3 s [ADM-3]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  show({
    '/user/vets': () => [200, []],
    '/user/email/nobody@example.com': () => [
      404,
      { errors: [sentenceOf('PERSON_UNKNOWN')], code: 'PERSON_UNKNOWN' },
    ],
    '/user/email/aisha@example.com': () => [200, vet(1, 'Aisha')],
  })
  await lookUp('nobody@example.com')
  await expect.element(page.getByText(sentenceOf('PERSON_UNKNOWN'))).toBeVisible()
  await lookUp('aisha@example.com')
  const line = page.getByText('Aisha Sample is a vet.')
  await expect.element(line).toBeVisible()
  await page.getByRole('heading', { name: 'Vets', level: 1 }).hover()
  ;(document.activeElement as HTMLElement | null)?.blur()
  vi.advanceTimersByTime(3100)
  await expect.element(line).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Make Aisha an owner' })).toBeVisible()
})

it('an invited vet is no longer said to be unknown [ADM-3]', async () => {
  show({
    '/user/vets': (said) => [200, said ? vet(3, 'Nomsa', { email: 'nomsa@example.com' }) : []],
    '/user/email/nomsa@example.com': () => [
      404,
      { errors: [sentenceOf('PERSON_UNKNOWN')], code: 'PERSON_UNKNOWN' },
    ],
  })
  await lookUp('nomsa@example.com')
  await page.getByRole('button', { name: 'Invite them as a vet' }).click()
  await page.getByLabelText('First name').fill('Nomsa')
  await page.getByLabelText('Last name').fill('Sample')
  await page.getByLabelText('Registration number').fill('SAVC 3')
  await page.getByRole('button', { name: 'Invite as a vet' }).click()
  await expect.element(page.getByRole('button', { name: 'Make Nomsa an owner' })).toBeVisible()
  await expect.element(page.getByText(sentenceOf('PERSON_UNKNOWN'))).not.toBeInTheDocument()
})

it('making a vet an owner says what is open and whether nobody else is on duty, and asks first [ADM-3]', async () => {
  const now = new Date().toISOString()
  let [duty, colleague]: [Partial<Vet>, string | null] = [{}, now]
  const sent = show({
    '/user/vets': () => [200, [vet(1, 'Aisha', duty), vet(2, 'Pieter', { on_duty_since: colleague })]],
    '/user/type/1': () => [200, person(1, 'Aisha')],
  })
  await page.getByRole('button', { name: 'Edit Dr Aisha Sample' }).click()
  duty = { open_consults: 2, open_calls: 1, on_duty_since: now }
  await page.getByRole('button', { name: 'Make Aisha an owner again' }).click()
  await expect.element(page.getByText(/2 open consults go back to the queue/)).toBeVisible()
  await expect.element(page.getByText(/One clinic call that nobody has taken/)).toBeVisible()
  await expect.element(page.getByText(/Nobody else is on duty in South Africa/)).not.toBeInTheDocument()
  colleague = null
  await page.getByRole('button', { name: 'Keep Aisha as a vet' }).click()
  await page.getByRole('button', { name: 'Edit Dr Aisha Sample' }).click()
  await page.getByRole('button', { name: 'Make Aisha an owner again' }).click()
  await expect.element(page.getByText(/Nobody else is on duty in South Africa/)).toBeVisible()
  expect(sent.map(([path]) => path)).not.toContain('/user/type/1')
  await page.getByRole('button', { name: 'Make Aisha an owner' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(sent.find(([path]) => path === '/user/type/1')?.[1]).toEqual({ type: 1 })
})

it('a picture of a vet that wasn’t sent is sent again and saved with the vet [ADM-3] [PET-4]', async () => {
  const aisha = vet(1, 'Aisha')
  const sent = show({ '/user/vets': () => [200, [aisha]], '/user/vet/1': () => [200, aisha] })
  let tries = 0
  takeUploads((upload) =>
    tries++ ? upload.ends(200, { filename: '/media/pets/aisha.jpg' }) : upload.breaks(),
  )
  const canvas = Object.assign(document.createElement('canvas'), { width: 900, height: 900 })
  canvas.getContext('2d')!.fillRect(0, 0, 900, 900)
  const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  await page.getByRole('button', { name: 'Edit Dr Aisha Sample' }).click()
  const file = new File([drawn!], 'aisha.png', { type: 'image/png' })
  await userEvent.upload(page.getByLabelText('Add a picture'), file)
  await page.getByRole('button', { name: 'Use this picture' }).click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect.element(page.getByRole('button', { name: 'Send again' })).not.toBeInTheDocument()
  expect(page.getByRole('region', { name: 'What owners see' }).element().querySelector('img')).not.toBeNull()
  await page.getByRole('button', { name: 'Save vet' }).click()
  await expect
    .poll(() => sent.find(([path]) => path === '/user/vet/1')?.[1])
    .toMatchObject({ picture: '/media/pets/aisha.jpg' })
})

it('a vet without a name has their email in the list once [ADM-3]', async () => {
  show({ '/user/vets': () => [200, [vet(1, '', { lastName: '', email: 'new@example.com' })]] })
  const cell = page.getByRole('cell', { name: 'new@example.com' })
  await expect.element(cell.first()).toBeVisible()
  expect(cell.first().element().textContent).not.toMatch(/new@example\.com.*new@example\.com/)
})

it('the list sorts by each heading and from its other end, with the order in the address [ADM-1]', async () => {
  show({ '/user/vets': () => [200, [vet(1, 'Aisha'), vet(2, 'Busi'), vet(3, 'Chris')]] })
  const names = () =>
    page
      .getByRole('row')
      .elements()
      .slice(1)
      .map((row) => row.querySelector('.font-semi')!.textContent)
  const heading = () => page.getByRole('columnheader', { name: 'Vet' })
  await expect.element(heading()).toHaveAttribute('aria-sort', 'ascending')
  const before = names()
  heading().element().querySelector('a')!.click()
  await expect.element(heading()).toHaveAttribute('aria-sort', 'descending')
  expect(names()).toEqual(before.toReversed())
})

it.each([
  [true, 'Dr Thandi Sample is a vet now.'],
  [false, 'Dr Thandi Sample is a vet now. We’ve emailed them a link to set a new password.'],
])(
  'making a person a vet says whether they need a new password: email confirmed %o [ADM-3]',
  async (email_confirmed, says) => {
    const found = person(4, 'Thandi', { email_confirmed, registration: 'SAVC 4' })
    show({
      '/user/vets': () => [200, []],
      '/user/email/thandi@example.com': () => [200, found],
      '/user/vet/4': () => [200, found],
      '/user/type/4': () => [200, vet(4, 'Thandi')],
    })
    await lookUp('thandi@example.com')
    await page.getByRole('button', { name: 'Make Thandi a vet' }).click()
    const before = page.getByText(/The old password stops working/)
    if (email_confirmed) await expect.element(before).not.toBeInTheDocument()
    else await expect.element(before).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Make Thandi a vet' }).click()
    await expect.element(page.getByText(says)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Make Thandi an owner' })).toBeVisible()
  },
)
