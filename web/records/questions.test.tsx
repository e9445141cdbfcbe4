import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PetRecord } from '#contract/records.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { FoldedQuestion, Questions } from './questions.tsx'

const pet = { id: 3, name: 'Biscuit' }
const AT = '2026-11-20T10:00:00.000Z'
const blank: PetRecord = { weights: [], facts: [], none: [] }

let leave = () => {}

/** A server that stores what it is sent, while it can be reached. */
function server() {
  const it = { reached: true, refuses: 0, record: blank, sent: [] as unknown[] }
  answerCalls((path, body) => {
    if (body === undefined) return it.record
    if (!it.reached) throw new TypeError('offline')
    if (it.refuses > 0) return Response.json({ errors: ['No.'] }, { status: it.refuses })
    const input = body as { kg?: number; kind?: 'allergy'; name?: string; detail?: string }
    it.sent.push(input)
    const { record } = it
    if (input.kg !== undefined)
      it.record = {
        ...record,
        weights: [{ id: 1, kg: input.kg, on: new Date().toISOString().slice(0, 10), scale: false, by: '' }],
      }
    else if (path.includes('/none'))
      it.record = { ...record, none: [...record.none, { kind: input.kind!, by: '', at: AT }] }
    else
      it.record = {
        ...record,
        facts: [
          ...record.facts,
          { id: 9, kind: input.kind!, name: input.name!, detail: input.detail!, by: '', at: AT },
        ],
      }
    return it.record
  })
  return it
}
const show = (onPhoto: (photos: File[]) => void = () => {}) =>
  (leave = mount(<Questions pet={pet} consultation={7} onPhoto={onPhoto} />))
const title = (name: string) => page.getByRole('heading', { name })

it.each([
  ['without a connection', { reached: false }],
  ['that the server fails to store', { refuses: 500 }],
  ['that comes too soon after others', { refuses: 429 }],
])('an answer %s waits on the device, even over a reload, and is sent once [CON-15]', async (_, trouble) => {
  const answers = server()
  Object.assign(answers, trouble)
  show()
  await page.getByLabelText('Weight in kilograms').fill('26,4')
  await page.getByRole('button', { name: 'Save 26.4 kg' }).click()
  await expect.element(title('Is Biscuit allergic to anything?')).toHaveFocus()
  await expect.element(page.getByText(/^We couldn’t save your answer yet/)).toBeVisible()
  leave()
  show()
  await expect.element(title('Is Biscuit allergic to anything?')).toBeVisible()
  expect(answers.sent).toEqual([])
  Object.assign(answers, { reached: true, refuses: 0 })
  globalThis.dispatchEvent(new Event('online'))
  await expect.poll(() => answers.sent).toEqual([{ kg: 26.4 }])
  await expect.element(page.getByText(/^We couldn’t save your answer yet/)).not.toBeInTheDocument()
  await expect.poll(() => localStorage.length).toBe(0)
})

it('the page asks for medicines with when they were last given, and shows what was answered [CON-15]', async () => {
  const answers = server()
  show()
  for (const _ of ['weight', 'allergy']) await page.getByRole('button', { name: 'Skip' }).click()
  await page.getByLabelText('Name on the box').fill('Tick chew')
  await page.getByRole('button', { name: 'This month' }).click()
  await page.getByRole('button', { name: 'Add another' }).click()
  await page.getByLabelText('Name on the box').fill('Eye drops')
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await page.getByRole('button', { name: 'None that I know of' }).click()
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await expect.element(title('The vet will see this first')).toBeVisible()
  await expect.element(page.getByText('Tick chew, last given this month; Eye drops')).toBeVisible()
  await expect.element(page.getByText('2 of 4 answered')).toBeVisible()
  expect(answers.sent).toEqual([
    { kind: 'medicine', name: 'Tick chew', detail: 'last given this month' },
    { kind: 'medicine', name: 'Eye drops', detail: '' },
    { kind: 'condition' },
  ])
})

it('a photo of a medicine is sent to the vet, and its name can still be written [CON-15]', async () => {
  server()
  const sent: string[] = []
  show((photos) => sent.push(...photos.map(({ name }) => name)))
  for (const _ of ['weight', 'allergy']) await page.getByRole('button', { name: 'Skip' }).click()
  await userEvent.upload(
    page.getByLabelText('Photo of it'),
    new File(['box'], 'box.jpg', { type: 'image/jpeg' }),
  )
  expect(sent).toEqual(['box.jpg'])
  await expect
    .element(page.getByText('The photo goes to the vet with your messages.', { exact: false }))
    .toBeVisible()
  await expect.element(page.getByLabelText('Name on the box')).toBeVisible()
})

it('Lighter does nothing to a weight that nobody has entered [CON-15]', async () => {
  server()
  show()
  const less = page.getByRole('button', { name: 'Lighter' })
  await less.click({ force: true })
  await expect.element(page.getByLabelText('Weight in kilograms')).toHaveValue('')
  await page.getByRole('button', { name: 'Heavier' }).click()
  await expect.element(page.getByLabelText('Weight in kilograms')).toHaveValue('0.1')
  await expect.element(less).toHaveAttribute('aria-disabled', 'false')
})

it('the open question folds into a row with its draft when a vet joins [CON-15]', async () => {
  const answers = server()
  show()
  await page.getByLabelText('Weight in kilograms').fill('4')
  leave()
  leave = mount(<FoldedQuestion pet={pet} consultation={7} onPhoto={() => {}} />)
  await page.getByRole('button', { name: 'What does Biscuit weigh?' }).click()
  await expect.element(page.getByLabelText('Weight in kilograms')).toHaveValue('4')
  await page.getByRole('button', { name: 'Heavier' }).click()
  await userEvent.keyboard('{Tab}')
  await page.getByRole('button', { name: 'Save 4.1 kg' }).click()
  await expect.element(page.getByRole('button', { name: 'Is Biscuit allergic to anything?' })).toHaveFocus()
  expect(answers.sent).toEqual([{ kg: 4.1 }])
})
