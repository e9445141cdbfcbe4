import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import type { Server } from 'socket.io'
import { expect, it } from 'vitest'
import { batchPackets } from './packet-batching.ts'

it('writes what goes out in one turn of the event loop at once, and the next turn apart [CON-2]', async () => {
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
