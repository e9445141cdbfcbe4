import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { USER_TYPES, type User } from '#contract/accounts.ts'
import type { Room } from '#contract/consultations.ts'
import { DAY } from '#contract/time.ts'
import { sampleRoom } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { choose } from '../lib/session.ts'
import { Case } from './console-case.tsx'

const vet = { id: 3, type: USER_TYPES.vet, lastName: 'Demo' } as User

afterEach(() => choose({ clock: undefined }))

function show(room: Room) {
  vi.stubGlobal('fetch', async () => Response.json({ messages: [], marks: [], more: false }))
  mount(
    <Case
      room={room}
      record={undefined}
      notes={[]}
      noting={false}
      onNoting={() => {}}
      onEnd={() => {}}
      user={vet}
      box={{ current: null }}
      entered={false}
      onEnter={() => {}}
      taking={false}
      singleKeys={false}
      lost={undefined}
      onTake={() => {}}
      call={undefined}
      ringing={false}
      onVideo={() => {}}
      onHandOver={() => {}}
      onRecord={() => {}}
    />,
  )
}

it('a vet whose clock is days ahead can still answer a follow-up [CON-6]', async () => {
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now + 3 * DAY)
  choose({ clock: -3 * DAY })
  const in1Day = new Date(now + DAY).toISOString()
  show(sampleRoom(7, 'Simba', { end: new Date(now).toISOString(), follow_up_until: in1Day }))
  await expect.element(page.getByRole('button', { name: 'Send to the owner' })).toBeVisible()
  await expect.element(page.getByText('This consult has ended.')).not.toBeInTheDocument()
})

it.each([
  [{ goes_on_in: 9 }, 'Open the new one'],
  [{ goes_on_from: 9 }, 'Open the earlier one'],
])('a vet can get from a reopened consult to the other one: %o [CON-8]', async (change, name) => {
  show(sampleRoom(7, 'Simba', change))
  await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', '/text-chat/9')
})
