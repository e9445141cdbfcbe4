import { flushSync } from 'react-dom'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Room } from '#contract/consultations.ts'
import { minutesAgo, sampleRoom } from '#test/samples.ts'
import { type ConversationState, OPENING } from '../chat/conversation-store.ts'
import type { OutboxItem } from '../chat/outbox.ts'
import { placeFor } from '../test/mount.tsx'
import { useRoomBanner } from './room-banner.tsx'

const room = sampleRoom(7, 'Simba')
const at = minutesAgo(120)
const words = (n: number, change: Partial<OutboxItem> = {}): OutboxItem => ({
  n,
  client_id: `words-${n}`,
  consultation: 7,
  body: 'Mine',
  at,
  failed: false,
  ...change,
})
const film = (n: number, change: Partial<OutboxItem> = {}) =>
  words(n, { body: '', file: { name: 'limp.mp4', before: 9, raw: false }, ...change })

function Shown({
  state,
  room,
  writes = false,
}: {
  state?: Partial<ConversationState>
  room: Room
  writes?: boolean
}) {
  const chat = { ...OPENING, opened: 'open' as const, ...state }
  return <div role="status">{useRoomBanner({ room, chat, writes })}</div>
}

function show() {
  const { draw } = placeFor()
  // Every state is shown, even if the next follows straight away.
  return (state: Partial<ConversationState>) => flushSync(() => draw(<Shown state={state} room={room} />))
}

it('back online, only stored messages and files count as sent [CON-3]', async () => {
  const draw = show()
  draw({ reach: 'lost', outbox: [words(1), film(2), film(3)] })
  await expect.element(page.getByText(/your messages are saved on this device/)).toBeVisible()
  draw({ reach: 'live', outbox: [film(3)] })
  await expect.element(page.getByText(/saved on this device/)).not.toBeInTheDocument()
  draw({ reach: 'live', outbox: [film(3, { failed: true, why: 'Too long.' })] })
  await expect.element(page.getByText(/Your 2 messages were sent/)).toBeVisible()
})

it('messages that were sent before the page knew that the connection was back are counted [CON-3]', async () => {
  const draw = show()
  const stored = (n: number) => ({
    seq: n,
    client_id: `words-${n}`,
    user_id: 1,
    body: 'Mine',
    attachment: null,
    at,
  })
  draw({ reach: 'lost', outbox: [words(1), words(2), words(3)] })
  draw({ reach: 'lost', outbox: [words(2)], messages: [stored(1)] })
  await expect.element(page.getByText(/your messages are saved on this device/)).toBeVisible()
  draw({ reach: 'lost', outbox: [], messages: [stored(1), stored(2)] })
  draw({ reach: 'live', outbox: [], messages: [stored(1), stored(2)] })
  await expect.element(page.getByText(/Your 2 messages were sent/)).toBeVisible()
})

it("the owner is told to leave the page open when the browser can't store anything [CON-3]", async () => {
  show()({ reach: 'lost', outbox: [words(1, { pageOnly: true })] })
  await expect.element(page.getByText(/Keep this page open/)).toBeVisible()
  await expect.element(page.getByText(/saved on this device/)).not.toBeInTheDocument()
})

it('the end is told to somebody who was writing, not to somebody who writes afterwards [CON-3]', () => {
  const ended = sampleRoom(7, 'Simba', { end: minutesAgo(1), follow_up_until: minutesAgo(-60) })
  const { draw } = placeFor()
  const draws = (shown: Room, writes: boolean) => {
    flushSync(() => draw(<Shown room={shown} writes={writes} />))
    return document.querySelector('[role=status]')!.textContent
  }
  expect(draws(room, false)).toBe('')
  expect(draws(ended, false)).toBe('')
  expect(draws(ended, true)).toBe('')
  expect(draws(room, true)).toBe('')
  expect(draws(ended, true)).toContain('What you wrote is still below.')
  expect(draws(ended, false)).toBe('')
})
