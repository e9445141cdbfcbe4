import { connect, type Socket } from 'node:net'
import { startProduct } from '#test/e2e/product.ts'
import { pause, visitor } from './load.ts'
import type { Drill } from './run.ts'

const WITHIN = 20_000

/** How long others are watched before, so that a machine that is busy with something else doesn't count. */
const WATCHED = 10_000
const SLOWED_BY = 100

const SILENT = ''

/** A connection that never finishes its headers or the body that its answer needs, or never sends anything. */
const UNANSWERABLE = [
  'GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"email":"',
  'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  'POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\n',
  'POST /api/nothing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{',
  'POST /media/x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{',
  SILENT,
]

const OPENINGS = [
  ...UNANSWERABLE,
  'GET /api/health HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n',
  'POST /api/logout HTTP/1.1\r\nHost: x\r\napp_module: other\r\nContent-Length: 5000\r\n\r\n',
]

const TOO_SLOW = /^HTTP\/1.1 408 [^]+"code":"TOO_SLOW"}$/

const CHUNKED = OPENINGS.findIndex((opening) => opening.includes('chunked'))

/** Opens n connections that send a byte a second. All are closed in time and told why, and others notice nothing. */
export default {
  n: 400,
  async run(n) {
    await using product = await startProduct()
    const before = visitor(product.url)
    await pause(WATCHED)
    const { p99: calm } = await before.stop()
    const other = visitor(product.url)
    const began = performance.now()
    const lived: number[] = []
    const open = new Map<Socket, number>()
    let untold = 0
    for (let at = 0; at < n; at++) {
      const kind = at % OPENINGS.length
      const socket = connect(product.port, '127.0.0.1')
      open.set(socket, kind)
      let heard = ''
      socket.on('error', () => {}).on('data', (bytes) => void (heard += String(bytes)))
      socket.on('close', () => {
        open.delete(socket)
        if (kind < UNANSWERABLE.length && !TOO_SLOW.test(heard)) untold++
        lived.push(performance.now() - began)
      })
      socket.write(OPENINGS[kind]!)
    }
    while (open.size > 0 && performance.now() - began < WITHIN + 5000) {
      for (const [socket, kind] of open)
        if (OPENINGS[kind] !== SILENT) socket.write(kind === CHUNKED ? '1\r\nx\r\n' : 'x')
      await pause(1000)
    }
    const left: Record<string, number> = {}
    for (const [socket, kind] of open) {
      const name = OPENINGS[kind]!.split(' HTTP')[0] || 'silent'
      left[name] = (left[name] ?? 0) + 1
      socket.destroy()
    }
    const { p99, failures, calls } = await other.stop()
    const late = lived.filter((milliseconds) => milliseconds > WITHIN).length
    return {
      figure: { open: n - lived.length + late, left, untold, others: { calm, p99, failures, calls } },
      target: `0 open after 20 s, each told 408 where no other answer was possible, others' p99 ${SLOWED_BY} ms longer at most`,
      pass: lived.length === n && late === 0 && untold === 0 && failures === 0 && p99 < calm + SLOWED_BY,
    }
  },
} satisfies Drill
