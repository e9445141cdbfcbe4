import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import type { Care, Pet } from '#contract/pets.ts'
import { samplePet } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { CarePlan } from './care-plan.tsx'
import { nextCare, planOf, today } from './care-words.ts'

const care = (id: number, item: Care['item'], due_on: string, done_on: string | null = null): Care => ({
  id,
  item,
  due_on,
  done_on,
})
const dog = samplePet(1, 'Biscuit', {
  dob: '2020-02-14',
  care: [
    care(1, 'vaccination', '2025-12-05', '2025-12-04'),
    care(2, 'vaccination', '2026-12-04'),
    care(3, 'parasites', '2026-11-02'),
    care(4, 'weight', '2026-08-01', '2026-08-02'),
  ],
})
const NOW = '2026-11-21'

it('the plan lists items by species and age, each with its next and last date [SUB-8]', () => {
  const plan = planOf(dog, NOW).map(({ name, often, next, last, overdue }) => [
    name,
    often,
    next?.due_on,
    last?.done_on,
    overdue,
  ])
  expect(plan).toEqual([
    ['Booster', 'once a year', '2026-12-04', '2025-12-04', false],
    ['Worms, ticks and fleas', 'every three months', '2026-11-02', undefined, true],
    ['Weighing', 'every three months', undefined, '2026-08-02', false],
  ])
  const puppy = { ...dog, dob: '2026-10-10', care: [care(1, 'vaccination', '2026-12-05')] }
  expect(planOf(puppy, NOW)[0]!.name).toBe('Puppy and kitten course')
  expect(planOf({ ...puppy, dob: null }, NOW)[0]!.name, 'of no known age').toBe('Booster')
})

it('the item that is due first comes first [SUB-8]', () => {
  expect(nextCare(dog, NOW)).toMatchObject({
    overdue: true,
    words: expect.stringMatching(/was due Mon 2 Nov/),
  })
  expect(nextCare({ ...dog, care: [] }, NOW)).toBe(undefined)
})

function show(pet: Pet) {
  mount(<CarePlan pet={pet} />)
  const sent: unknown[] = []
  answerCalls((_path, body) => {
    sent.push(body)
    return pet
  })
  return sent
}
const press = (name: string | RegExp) => page.getByRole('button', { name }).click()

it('an item is ticked with today or an earlier day [SUB-8]', async () => {
  const sent = show(dog)
  await press('Booster: done')
  await page.getByLabelText('Done on').fill('01/01/2100')
  await press('Tick as done')
  await expect.element(page.getByText(ERRORS.CARE_DATE_WRONG.message)).toBeVisible()
  await press('Cancel')
  await press('Booster: done')
  await press('Tick as done')
  await expect.poll(() => sent).toEqual([{ id: 2, done_on: today() }])
})

it('a tick can be undone and its date changed [SUB-8]', async () => {
  const sent = show(dog)
  await press(/^Undo: Booster/)
  await expect.poll(() => sent).toEqual([{ id: 1, done_on: null }])
  await press('Worms, ticks and fleas: move the date')
  await page.getByLabelText('Due on').fill('05/12/2099')
  await press('Move the date')
  await expect.poll(() => sent[1]).toEqual({ id: 3, due_on: '2099-12-05' })
})

it('a very long name wraps inside the plan [SUB-8] [SHL-15]', async () => {
  const name = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)
  mount(
    <div style={{ width: 288 }}>
      <CarePlan pet={{ ...dog, name }} />
    </div>,
  )
  const heading = page.getByRole('heading', { name })
  await expect.element(heading).toBeVisible()
  expect(heading.element().getBoundingClientRect().width).toBeLessThan(288)
})
