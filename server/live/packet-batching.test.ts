import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import type { Server } from 'socket.io'
import { expect, it } from 'vitest'
import { sendTogether } from './packet-batching.ts'

it('what goes out on a line in one turn is one write, and the next turn another [CON-2]', async () => {
  const writes: string[] = []
  const line = new Writable({
    write: (chunk: Buffer, _encoding, done) => done(void writes.push(String(chunk))),
    writev: (chunks, done) => done(void writes.push(chunks.map(({ chunk }) => String(chunk)).join(''))),
  })
  const engine = new EventEmitter()
  sendTogether({ engine } as unknown as Server)
  const send = (text: string) => {
    engine.emit('flush', { transport: { socket: { _socket: line } } })
    line.write(text)
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  for (const text of ['a', 'b', 'c']) send(text)
  expect(writes).toEqual([])
  await turn()
  send('d')
  await turn()
  expect(writes).toEqual(['abc', 'd'])
  // A connection that polls has no line of its own.
  engine.emit('flush', { transport: {} })
})
