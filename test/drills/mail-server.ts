import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

export interface Taken {
  id: string
  to: string
}

interface Faults {
  /** Whether this step drops the connection, refuses for now, or loses the answer to an accepted mail. */
  fails?: () => boolean
  /** A connection that opens while this returns true is accepted and never gets an answer. */
  isSilent?: () => boolean
}

/** A mail server with faults, which keeps what it accepted. */
export async function startMailServer({ fails = () => false, isSilent = () => false }: Faults) {
  const taken: Taken[] = []
  const server = createServer((socket: Socket) => {
    const say = (line: string) => void (socket.destroyed || socket.write(`${line}\r\n`))
    let inside = false
    let text = ''
    let to = ''
    socket.on('error', () => {}).setEncoding('utf8')
    if (isSilent()) return
    if (fails()) return void socket.destroy()
    say('220 drill')
    socket.on('data', (chunk: string) => {
      text += chunk
      for (;;) {
        if (inside) {
          const end = text.indexOf('\r\n.\r\n')
          if (end < 0) return
          const id = /^message-id:\s*(<[^>]+>)/im.exec(text.slice(0, end))?.[1] ?? 'none'
          text = text.slice(end + 5)
          inside = false
          if (fails()) {
            say('451 try later')
            continue
          }
          taken.push({ id, to })
          // Accepted, but the answer is lost.
          if (fails()) return void socket.destroy()
          say('250 taken')
          continue
        }
        const end = text.indexOf('\r\n')
        if (end < 0) return
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        const command = line.slice(0, 4).toUpperCase()
        if (command === 'RCPT') to = /<([^>]*)>/.exec(line)?.[1] ?? ''
        if (command === 'EHLO' || command === 'HELO') say('250 drill')
        else if (command === 'DATA' && !fails()) {
          inside = true
          say('354 go on')
        } else if (command === 'DATA') say('421 too busy')
        else if (command === 'QUIT') return void socket.end('221 bye\r\n')
        else say('250 fine')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    taken,
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'VetChat <hello@vetchat.example>' },
    [Symbol.dispose]: () => void server.close(),
  }
}
