import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, signOut } from '#web/lib/session.ts'
import { visit } from '#web/test/visit.tsx'
import { emptyOwnOutbox, leavePhotos, ownOutbox } from '../chat/outbox.ts'
import Logout from './logout.page.tsx'

/** Signs in here as this person, as far as the page knows. */
function enter(id: number) {
  const payload = { kind: 'user', sid: `session ${id}`, exp: Math.floor(Date.now() / 1000) + 900 }
  signIn(`x.${btoa(JSON.stringify(payload))}.x`, true)
  localStorage.setItem('user', JSON.stringify({ type: 1, firstName: 'Thandi', id }))
}

const open = () => visit('/logout', '/logout', Logout, () => new Promise(() => {}))
const calls = (sent: [string, unknown][]) => sent.map(([path]) => path)

beforeEach(async () => {
  enter(1)
  await emptyOwnOutbox()
})

it('[SHL-10] what somebody left unsent on a shared device is neither shown to the next person nor deleted by them', async () => {
  await leavePhotos(7, [{ id: 'left-1', file: new File(['x'], 'wound.jpg', { type: 'image/jpeg' }) }])
  const first = open()
  await expect.element(page.getByText('wound.jpg')).toBeVisible()
  expect(calls(first.sent)).toEqual([])
  first.leave()
  signOut()

  enter(2)
  const second = open()
  await expect.poll(() => calls(second.sent)).toEqual(['/logout'])
  expect(page.getByText('wound.jpg').query()).toBeNull()
  await emptyOwnOutbox()
  second.leave()
  signOut()

  enter(1)
  expect(await ownOutbox()).toMatchObject([{ client_id: 'left-1' }])
})

it('[SHL-10] what a guest left unsent is neither shown to somebody who signs out nor deleted by them', async () => {
  signOut()
  await leavePhotos(7, [{ id: 'of-a-guest', file: new File(['x'], 'tail.jpg', { type: 'image/jpeg' }) }])
  for (const enters of [() => enter(2), () => (enter(2), localStorage.removeItem('user'))]) {
    enters()
    const { sent, leave } = open()
    await expect.poll(() => calls(sent)).toEqual(['/logout'])
    expect(page.getByText('tail.jpg').query()).toBeNull()
    await emptyOwnOutbox()
    leave()
    signOut()
  }
  expect(await ownOutbox()).toMatchObject([{ client_id: 'of-a-guest' }])
  await emptyOwnOutbox()
})
