import { spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '#test/e2e/product.ts'
import { pause } from './load.ts'

const DOCS = path.resolve(import.meta.dirname, '../../docs/running.md')
const PROGRAMS = ['/usr/bin/turnserver', '/usr/local/bin/turnserver', '/opt/homebrew/bin/turnserver']
const SECRET = 'what the relay and the product share'

/** This machine's own address in its network, because browsers find no route over loopback. */
const here = () =>
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1'

/** The example in docs/running.md without TLS, with these ports, and with this machine's own network allowed. */
function configurationOf(port: number, address: string) {
  const example = /```turn\n([^`]+)```/.exec(readFileSync(DOCS, 'utf8'))![1]!
  const lines = example
    .split('\n')
    .filter((line) => !/^(tls|cert|pkey|denied-peer-ip=(10|127|172|192\.168))/.test(line))
    .map((line) =>
      line.replace(/^(listening-port=).*/, `$1${port}`).replace(/^(static-auth-secret=).*/, `$1${SECRET}`),
    )
  return [
    ...lines,
    `listening-ip=${address}`,
    `relay-ip=${address}`,
    'no-tls',
    'no-dtls',
    'no-tcp',
    'log-file=stdout',
    'pidfile=turn.pid',
  ].join('\n')
}

/** How bad the network between browsers and relay is. */
interface Weather {
  /** The share of packets that are lost on the way to the relay. */
  loss: number
  /** What one browser can send, in kbit/s. */
  kbps: number
  /** Nothing gets through, in either direction. */
  frozen: boolean
}

const QUEUE_MS = 300

const BINDING_REQUEST = Buffer.from(`000100002112a442${'00'.repeat(12)}`, 'hex')

async function answersStun(port: number, address: string, isOver: () => boolean) {
  const socket = createSocket('udp4')
  const answer = once(socket, 'message').then(() => true)
  const late = performance.now() + 20_000
  do {
    if (performance.now() > late || isOver()) throw new Error('No answer to a STUN request')
    socket.send(BINDING_REQUEST, port, address)
  } while (!(await Promise.race([answer, pause(50).then(() => false)])))
  socket.close()
}

/** Starts coturn as documented, behind a network whose weather can be changed. */
export async function startRelay() {
  const program = PROGRAMS.find((candidate) => existsSync(candidate))
  if (!program) throw new Error('turnserver was not found on this machine; Debian has it as coturn')
  const address = here()
  const [port, front] = [await freePort(), await freePort()]
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-relay-'))
  writeFileSync(path.join(folder, 'turn.conf'), configurationOf(port, address))
  const child = spawn(program, ['-c', 'turn.conf', '--userdb', 'turndb'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => void (said += String(text)))
  const weather: Weather = { loss: 0, kbps: Infinity, frozen: false }

  const net = createSocket('udp4')
  const browsers = new Map<string, { socket: Socket; free: number }>()
  net.on('message', (packet, from) => {
    const name = `${from.address}:${from.port}`
    let browser = browsers.get(name)
    if (!browser) {
      const socket = createSocket('udp4')
      browser = { socket, free: 0 }
      browsers.set(name, browser)
      socket.on('message', (back) => !weather.frozen && net.send(back, from.port, from.address))
      socket.on('error', () => {})
    }
    if (weather.frozen || Math.random() < weather.loss) return
    const now = performance.now()
    const start = Math.max(now, browser.free)
    if (start - now > QUEUE_MS) return
    browser.free = start + (packet.length * 8) / weather.kbps
    const { socket } = browser
    if (browser.free - now < 1) socket.send(packet, port, address)
    else setTimeout(() => socket.send(packet, port, address), browser.free - now)
  })
  net.bind(front, address)
  await once(net, 'listening')
  await answersStun(port, address, () => child.exitCode !== null).catch((error: unknown) => {
    throw new Error(`coturn does not start:\n${said}`, { cause: error })
  })
  return {
    env: { TURN_URL: `turn:${address}:${front}?transport=udp`, TURN_SECRET: SECRET, TURN_ONLY: 'on' },
    weather,
    said: () => said,
    async [Symbol.asyncDispose]() {
      net.close()
      for (const { socket } of browsers.values()) socket.close()
      kill()
      await ended
      process.off('exit', kill)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
