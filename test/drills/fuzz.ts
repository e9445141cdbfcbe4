import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tokenOf } from '#test/e2e/people.ts'
import { startProduct } from '#test/e2e/product.ts'
import { atOnce } from '#test/at-once.ts'
import { contractCalls } from '../contract-calls.ts'
import { maker, type Sent } from './odd-requests.ts'
import type { Drill } from './run.ts'

const AT_ONCE = 16
const RAW_SHARE = 0.03
const NO_ANSWER_AFTER = 20_000

/** Requests that HTTP libraries refuse to send, so they go over a bare connection. */
const RAW = [
  'GET / HTTP/1.1\r\n\r\n',
  'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET  HTTP/1.1\r\nHost: x\r\n\r\n',
  '\r\n\r\n',
  '\x16\x03\x01\x02\0',
  'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'GET /api/health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'GET http://evil.example/api/health HTTP/1.1\r\nHost: x\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT evil.example:80 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n',
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
  'GET /api/live/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  'GET /login HTTP/1.1\r\nHost: \xff\r\n\r\n',
  'GET /?\x01 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET //evil.example HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET ///%2f HTTP/1.0\r\n\r\n',
]

/** Sends n valid and invalid requests. None may get a 5xx or wait for ever, and the product must survive. */
export default {
  n: 100_000,
  async run(n, random) {
    await using product = await startProduct({ env: { LOG_LEVEL: 'silent' } })
    const calls = await contractCalls()
    const tokens = await Promise.all(['owner', 'vet', 'admin', 'new'].map((who) => tokenOf(who, product.url)))
    const make = maker(calls, tokens, random)
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
    const statuses: Record<string, number> = {}
    const failed = new Map<string, { times: number; sent: string }>()
    const note = (what: string, sent: string) => {
      const key = `${what}: ${sent.slice(0, 40)}`
      const found = failed.get(key) ?? {
        times: 0,
        sent: `${sent.slice(0, 300)} … ${sent.slice(-100)} (${sent.length})`,
      }
      found.times++
      failed.set(key, found)
    }
    const count = (status: string) => (statuses[status] = (statuses[status] ?? 0) + 1)

    const sendMade = (sent: Sent) =>
      new Promise<void>((resolve) => {
        const told = `${sent.method} ${sent.path} ${JSON.stringify(sent.headers)} ${sent.body?.toString('latin1') ?? ''}`
        const end = (status: string) => {
          count(status)
          if (/^5|silent|lost/.test(status)) note(status, told)
          resolve()
        }
        try {
          const { method, headers, body } = sent
          const asked = request(
            { agent, host: '127.0.0.1', port: product.port, method, path: sent.path, headers },
            (answer) => {
              answer
                .resume()
                .on('end', () => end(String(answer.statusCode)))
                .on('error', () => end('cut'))
            },
          )
          asked.setTimeout(NO_ANSWER_AFTER, () => {
            end('silent')
            asked.destroy()
          })
          // The server refused it before reading all of it, and closed the connection.
          asked.on('error', (error: NodeJS.ErrnoException) =>
            end(/ECONNRESET|EPIPE/.test(error.code ?? '') ? 'cut' : `lost ${error.code}`),
          )
          asked.end(body)
        } catch {
          // The library refuses to send this.
          resolve()
        }
      })
    const sendRaw = (text: string) =>
      new Promise<void>((resolve) => {
        const socket = connect(product.port, '127.0.0.1')
        let heard = ''
        const end = () => {
          socket.destroy()
          const status = /^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? 'closed'
          count(`raw ${status}`)
          // 505 is right for an HTTP version that doesn't exist.
          if (status.startsWith('5') && status !== '505') note(`raw ${status}`, text)
          resolve()
        }
        socket
          .setTimeout(500, end)
          .on('close', end)
          .on('error', () => {})
        socket.on('data', (chunk: Buffer) => void (heard += chunk.toString('latin1')))
        socket.write(Buffer.from(text, 'latin1'))
      })

    let left = n
    await atOnce(AT_ONCE, async () => {
      while (left-- > 0)
        if (random() < RAW_SHARE) await sendRaw(RAW[Math.floor(random() * RAW.length)]!)
        else await sendMade(make())
    })
    agent.destroy()
    const lives = (await fetch(`${product.url}/api/health`)).ok && product.child.exitCode === null
    for (const [what, { times, sent }] of failed) process.stderr.write(`${times} × ${what}\n    ${sent}\n`)
    const bad = [...failed.values()].reduce((sum, { times }) => sum + times, 0)
    return {
      figure: { requests: n, calls: calls.length, failed: bad, lives, statuses },
      target: '0 answers of 5xx, none without an answer',
      pass: bad === 0 && lives,
    }
  },
} satisfies Drill
