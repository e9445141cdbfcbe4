import { EventEmitter } from 'node:events'
import type { Socket } from 'socket.io'
import { expect, it } from 'vitest'
import { turnstile } from './socket-throttle.ts'

/** The little that a turnstile sees of a socket. */
function lineOf() {
  const line = { isRead: true, isOpen: true }
  const socket = { pause: () => (line.isRead = false), resume: () => (line.isRead = true) }
  const conn = { writeBuffer: [], transport: { socket }, close: () => (line.isOpen = false) }
  return { line, socket: Object.assign(new EventEmitter(), { conn }) as unknown as Socket }
}

/** Events that end when they are told to, in their order. */
function eventsFor(enter: ReturnType<typeof turnstile>) {
  const ends: (() => void)[] = []
  const begun: number[] = []
  const come = (count: number) => {
    for (let at = 0; at < count; at++)
      enter(() => {
        begun.push(begun.length)
        return new Promise((end) => ends.push(end))
      })
  }
  return { begun, come, end: () => ends.splice(0).forEach((end) => end()) }
}

it('who says more than a person can is read on as it is worked off, and all of it is heard', async () => {
  const { line, socket } = lineOf()
  const { begun, come, end } = eventsFor(turnstile(socket))
  come(5)
  expect([begun.length, line.isRead]).toEqual([5, true])
  come(55)
  expect([begun.length, line.isRead]).toEqual([8, false])
  await expect.poll(() => (end(), begun.length), { interval: 1, timeout: 5000 }).toBe(60)
  end()
  await expect.poll(() => line.isRead).toBe(true)
  expect(line.isOpen).toBe(true)
})

it('many at once take longer than a moment, however fast they are worked off', async () => {
  const { socket } = lineOf()
  const enter = turnstile(socket)
  let ended = 0
  const began = performance.now()
  await new Promise<void>((all) => {
    for (let at = 0; at < 60; at++)
      enter(async () => {
        if (++ended === 60) all()
      })
  })
  expect(performance.now() - began).toBeGreaterThan(300)
})

it('what comes from a line that can not be held is let go, and nothing of one that is gone is begun', () => {
  const { line, socket } = lineOf()
  const { begun, come, end } = eventsFor(turnstile(socket))
  come(9000)
  expect(line.isOpen).toBe(true)
  come(2000)
  expect([line.isOpen, line.isRead]).toEqual([false, false])
  socket.emit('disconnect')
  end()
  expect([begun.length, line.isRead]).toEqual([8, true])
})
