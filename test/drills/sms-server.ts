import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TakenSms {
  /** The provider recognises a repeat by it. */
  id: string
  to: string
  text: string
}

/** An SMS provider with faults, which keeps what it accepted, repeats included. */
export async function startSmsServer(fails: () => boolean = () => false) {
  const taken: TakenSms[] = []
  const server = createServer((request, answer) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => void (body += part))
    request.on('end', () => {
      if (fails()) return void request.socket.destroy()
      if (fails()) return void answer.writeHead(503).end()
      const { to, body: text } = JSON.parse(body) as { to: string; body: string }
      const id = new URL(request.url!, 'http://here').searchParams.get('deduplication-id') ?? 'none'
      taken.push({ id, to, text })
      // Accepted, but the answer is lost.
      if (fails()) return void request.socket.destroy()
      answer.writeHead(201, { 'content-type': 'application/json' }).end('[]')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    taken,
    env: { SMS_URL: `http://drill:secret@127.0.0.1:${port}/v1/messages` },
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
