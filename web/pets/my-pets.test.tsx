import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Subscription } from '#contract/memberships.ts'
import type { Pet } from '#contract/pets.ts'
import { sampleMembership, samplePet } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls, refused } from '../test/visit.tsx'
import { AlertProvider } from '../ui/alert-bar.tsx'
import { coverSaid, MyPets } from './my-pets.tsx'
import { myPets } from './queries.ts'

const biscuit = samplePet(1, 'Biscuit', { dob: '2020-02-14' })

/** Returns the page's cache. */
function show(...pets: Pet[]) {
  let client: QueryClient | undefined
  const Cached = () => ((client = useQueryClient()), (<MyPets managed={false} />))
  mount(<Cached />, { known: [[myPets.queryKey, pets]] })
  return () => client!
}
/** Returns the changes that were sent, by path. */
function answers(...subscriptions: Subscription[]) {
  const sent = answerCalls((path, body) => (body ? {} : path === '/user/me' ? { subscriptions } : [biscuit]))
  return () => sent.filter(([, body]) => body)
}

it.each([
  ['covered', null, null, /^Covered by PawCare$/],
  ['waiting', '2026-11-23T12:05:00Z', null, /^PawCare begins \w+ \d+ Nov.*, \d\d:\d\d$/],
  ['opted_out', null, null, /^Opted out of PawCare$/],
  ['not_eligible', null, 'species', /^PawCare is for cats and dogs$/],
  ['not_eligible', null, 'age', /^PawCare begins at 8 weeks of age$/],
  ['not_eligible', null, 'membership', /^No PawCare without a membership$/],
] as const)('cover %s %s %s is described in words [PET-8]', (state, from, why, says) => {
  expect(coverSaid({ state, from, why }).words).toMatch(says)
})

it('a policy that awaits its code says so and accepts it [D15] [PET-9]', async () => {
  const sent = answers()
  show({ ...biscuit, policy: { policy: 'PC-7', confirmed: false } })
  await expect.element(page.getByText('Waiting for the policy code')).toBeVisible()
  await page.getByRole('button', { name: 'Enter the code' }).click()
  await page.getByRole('button', { name: 'Send a new code' }).click()
  await expect.element(page.getByText('A new code is on its way', { exact: false })).toBeVisible()
  await page.getByLabelText('Code from the email').fill('abc-123')
  await page.getByRole('button', { name: 'Confirm policy' }).click()
  await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0)
  expect(sent()).toEqual([
    ['/pet/policy/code', { policy: 'PC-7' }],
    ['/pet/policy/confirm', { code: 'abc-123' }],
  ])
})

it('the card and the dialog say when the place of a pet that was put away is free, and why must be chosen [PET-11]', async () => {
  const leaving = [{ pet: 'Rex', free_from: '2031-03-03T12:00:00Z' }]
  answers(sampleMembership('2031-05-06T12:00:00Z', { pets: [1, 2, 3, 4], leaving }))
  show(biscuit)
  await expect.element(page.getByText('1 of 5 pets on this membership', { exact: false })).toBeVisible()
  await expect.element(page.getByText('Rex’s place is free from Mon 3 Mar 2031.')).toBeVisible()
  await page.getByRole('button', { name: 'Edit Biscuit' }).click()
  await page.getByRole('button', { name: 'This pet is no longer with me' }).click()
  await expect
    .element(
      page.getByText('The place is free for another pet from Tue 6 May 2031, when the paid period ends.'),
    )
    .toBeVisible()
  await page.getByRole('button', { name: 'Take Biscuit off my list' }).click()
  await expect.element(page.getByText('Please choose one of the two.')).toBeVisible()
})

it('a pet that another tab changes while it is being edited keeps that change [PET-7]', async () => {
  const sent = answers()
  const client = show(biscuit)
  await page.getByRole('button', { name: 'Edit Biscuit' }).click()
  await page.getByLabelText('Name').fill('Biscuit II')
  client().setQueryData(myPets.queryKey, [{ ...biscuit, name: 'Rusk', microchip: '900032001234567' }])
  await expect.element(page.getByLabelText(/Microchip/)).toHaveValue('900032001234567')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(sent).toHaveLength(1)
  expect(sent()[0]).toMatchObject(['/pet/update', { name: 'Biscuit II', microchip: '900032001234567' }])
})

it('a place on an unpaid membership is free straight away [PET-11]', async () => {
  answers(sampleMembership('2032-03-03T12:00:00Z', { pets: [1], grace_end: '2031-03-10T12:00:00Z' }))
  show(biscuit)
  await page.getByRole('button', { name: 'Edit Biscuit' }).click()
  await page.getByRole('button', { name: 'This pet is no longer with me' }).click()
  await expect.element(page.getByText('The place is free for another pet straight away.')).toBeVisible()
})

it('a pet that was put away by mistake is put back, and a refusal is shown [PET-11]', async () => {
  let away = [{ id: 9, name: 'Rex', put_away_at: '2031-03-03T12:00:00Z' }]
  const turns = [() => refused(409, 'MEMBERSHIP_FULL', 'Your account is full.'), () => ((away = []), rex)]
  const rex = samplePet(9, 'Rex')
  const sent = answerCalls((path) => {
    if (path === '/pet/away') return away
    if (path === '/pet/back') return turns.shift()!()
    if (path === '/user/me') return { subscriptions: [], has_pets_away: away.length > 0 }
    return away.length > 0 ? [biscuit] : [biscuit, rex]
  })
  mount(
    <AlertProvider>
      <MyPets managed={false} />
    </AlertProvider>,
    { known: [[myPets.queryKey, [biscuit]]] },
  )
  await page.getByText('Pets no longer with you').click()
  await expect.element(page.getByText('Off your list since Mon 3 Mar 2031')).toBeVisible()
  const back = page.getByRole('button', { name: 'Put Rex back' })
  await back.click()
  await expect.element(page.getByRole('alert').getByText('Your account is full.')).toBeVisible()
  await back.click()
  await expect.element(page.getByText('Rex is back on your list.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Edit Rex' })).toBeVisible()
  await expect.poll(() => document.activeElement?.textContent).toBe('My Pets')
  expect(page.getByText('Pets no longer with you').elements()).toEqual([])
  expect(sent.filter(([path]) => path === '/pet/back')).toHaveLength(2)
})

it('the dialog names no place for a pet that is on no membership [PET-11]', async () => {
  answers()
  show(biscuit)
  await page.getByRole('button', { name: 'Edit Biscuit' }).click()
  await page.getByRole('button', { name: 'This pet is no longer with me' }).click()
  await expect.element(page.getByText(/^You can put Biscuit back on your list/)).toBeVisible()
  expect(page.getByText(/The place is free/).elements()).toEqual([])
})
