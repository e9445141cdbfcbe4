import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import type { Server, Socket } from 'socket.io'
import { expect, it } from 'vitest'
import { batchPackets, cutUnread, throttle } from './connections.ts'

/** The parts of a socket that the throttle uses. */
function fakeSocket({ polls = false } = {}) {
  const connection = { isRead: true, isOpen: true }
  const transport = {
    pause: () => (connection.isRead = false),
    resume: () => (connection.isRead = true),
  }
  const conn = {
    writeBuffer: [],
    transport: polls ? {} : { socket: transport },
    close: () => (connection.isOpen = false),
  }
  return { connection, socket: Object.assign(new EventEmitter(), { conn }) as unknown as Socket }
}

/** Events that end on command, in their order. */
function eventsFor(start: ReturnType<typeof throttle>) {
  const ends: (() => void)[] = []
  const begun: number[] = []
  const send = (count: number) => {
    for (let at = 0; at < count; at++)
      start(() => {
        begun.push(begun.length)
        return new Promise((end) => ends.push(end))
      })
  }
  return { begun, send, end: () => ends.splice(0).forEach((end) => end()) }
}

it('the server stops reading from a client that sends faster than a person can, and loses nothing', async () => {
  const { connection, socket } = fakeSocket()
  const { begun, send, end } = eventsFor(throttle(socket))
  send(5)
  expect([begun.length, connection.isRead]).toEqual([5, true])
  send(55)
  expect([begun.length, connection.isRead]).toEqual([8, false])
  await expect.poll(() => (end(), begun.length), { interval: 1, timeout: 5000 }).toBe(60)
  end()
  await expect.poll(() => connection.isRead).toBe(true)
  expect(connection.isOpen).toBe(true)
})

it('sixty events are spread over more than 300 ms, however fast each one is', async () => {
  const { socket } = fakeSocket()
  const start = throttle(socket)
  let ended = 0
  const began = performance.now()
  await new Promise<void>((all) => {
    for (let at = 0; at < 60; at++)
      start(async () => {
        if (++ended === 60) all()
      })
  })
  expect(performance.now() - began).toBeGreaterThan(300)
})

it("the connection of a client that can't be slowed is closed, and nothing begins for one that has gone", () => {
  const { connection, socket } = fakeSocket()
  const { begun, send, end } = eventsFor(throttle(socket))
  send(9000)
  expect(connection.isOpen).toBe(true)
  send(2000)
  expect([connection.isOpen, connection.isRead]).toEqual([false, false])
  socket.emit('disconnect')
  end()
  expect([begun.length, connection.isRead]).toEqual([8, true])
})

it('the server keeps little of what a client sends by long polling, which can’t be paused [SAF-5]', () => {
  const { connection, socket } = fakeSocket({ polls: true })
  const { begun, send, end } = eventsFor(throttle(socket))
  send(100)
  expect([begun.length, connection.isOpen]).toEqual([8, true])
  send(20)
  expect(connection.isOpen).toBe(false)
  socket.emit('disconnect')
  end()
  expect(begun).toHaveLength(8)
})

it('a client that reads nothing of what it is told loses its connection [SAF-5]', () => {
  const told = Object.assign(new EventEmitter(), {
    writeBuffer: [] as unknown[],
    transport: {},
    isOpen: true,
  })
  cutUnread(Object.assign(told, { close: () => void (told.isOpen = false) }))
  const tell = (count: number) => {
    for (let at = 0; at < count; at++) {
      told.emit('packetCreate')
      told.writeBuffer.push('news')
    }
  }
  tell(1000)
  told.writeBuffer.length = 0
  tell(1001)
  expect(told.isOpen).toBe(true)
  tell(1)
  expect(told.isOpen).toBe(false)
})

it('what is sent in one turn of the event loop is written together, and the next turn apart [CON-2]', async () => {
  const writes: string[] = []
  const socket = new Writable({
    write: (chunk: Buffer, _encoding, done) => done(void writes.push(String(chunk))),
    writev: (chunks, done) => done(void writes.push(chunks.map(({ chunk }) => String(chunk)).join(''))),
  })
  const engine = new EventEmitter()
  batchPackets({ engine } as unknown as Server)
  const send = (text: string) => {
    engine.emit('flush', { transport: { socket: { _socket: socket } } })
    socket.write(text)
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  for (const text of ['a', 'b', 'c']) send(text)
  expect(writes).toEqual([])
  await turn()
  send('d')
  await turn()
  expect(writes).toEqual(['abc', 'd'])
  // A polling client has no TCP socket of its own.
  engine.emit('flush', { transport: {} })
})
