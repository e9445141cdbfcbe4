import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Subscription } from '#contract/memberships.ts'
import { sampleMembership, samplePet, sampleUser } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { AlertProvider } from '../ui/alert-bar.tsx'
import { OwnerAccount } from './owner-account.tsx'

const biscuit = samplePet(1, 'Biscuit')

/** Shows the account of Biscuit's owner with this membership, and returns what is sent to change it. */
function joins(change: Partial<Subscription>) {
  const sent: unknown[] = []
  const membership = sampleMembership('2031-05-06T12:00:00Z', { id: 7, ...change })
  const user = { ...sampleUser, subscription: membership, subscriptions: [membership] }
  answerCalls((path, body) => {
    if (path === '/subscription/manage') {
      sent.push(body)
      user.subscriptions = [{ ...membership, pets: [1] }]
      return user.subscriptions[0]
    }
    if (path === '/user/me') return user
    if (path.startsWith('/consultation')) return { consultations: [], next: null }
    if (path === '/userPayment/')
      return { object: 'card', brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031 }
    return [biscuit]
  })
  mount(
    <AlertProvider>
      <OwnerAccount user={user} />
    </AlertProvider>,
  )
  return sent
}
const press = (name: string) => page.getByRole('button', { name }).click()

it('a pet that is on no membership is added to one with a free place, after a dialog with the price [SUB-3] [SUB-6]', async () => {
  const sent = joins({ pets: [2, 3] })
  await press('Add to membership')
  await expect.element(page.getByText('There’s nothing to pay now.')).toBeVisible()
  await expect.element(page.getByText('Your next payment stays R2\u00a0000.')).toBeVisible()
  await press('Add Biscuit')
  await expect.element(page.getByText('Subscription updated successfully.')).toBeVisible()
  expect(sent).toEqual([{ action: 'add', subscription: 7, pet_id: 1 }])
  await expect.element(page.getByRole('heading', { name: 'My Pets' })).toHaveFocus()
})

it('a full membership is followed by another, bought for the pet that is on none [SUB-3] [PET-5]', async () => {
  const sent = joins({ pets: [2, 3, 4, 5, 6] })
  await press('Add to membership')
  await press('Pay R1\u00a0800 and add Biscuit')
  await expect.element(page.getByText('Subscription updated successfully.')).toBeVisible()
  expect(sent).toEqual([{ action: 'add', pet_id: 1, plan: 'annual' }])
})

it.each([
  ['it is on one', { pets: [1] }],
  ['a partner manages it', { pets: [2], source: 'insurer' }],
])('a pet can’t be added to a membership if %s [SUB-3]', async (_why, membership) => {
  joins(membership)
  await expect.element(page.getByText(/of 5 pets on this membership/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Add to membership' }).elements()).toEqual([])
})
