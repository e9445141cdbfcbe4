import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const START_WITHIN = 90_000

/** What `npm start` hands its process over to, with its flags and the environment that it gives it. */
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: { start: string }
}
const [, GIVEN, START] = /((?:\w+=\S+ )+)exec node (.+)$/.exec(scripts.start)!
const ENV = Object.fromEntries(
  GIVEN!
    .trim()
    .split(' ')
    .map((pair) => pair.split('=')),
)

/** Waits for the end of its input, which comes however the test process dies, and ends the product if it has not ended. */
const WATCH = 'read ended || kill -9 "$0"; cat >/dev/null; [ -z "$1" ] || rm -rf "$1"'

export type Product = Awaited<ReturnType<typeof startProduct>>

/** Starts the built product as `npm start` does, on a folder and a port of its own. */
export async function startProduct({
  dataDir: given,
  port: fixed,
  env = {},
  heard = true,
}: {
  dataDir?: string
  /** Where it listens; without it at a free one. */
  port?: number
  env?: Record<string, string>
  /** Whether its log is read; where speed is measured it goes nowhere. */
  heard?: boolean
} = {}) {
  if (!existsSync(path.join(ROOT, 'build/server/index.js')))
    throw new Error('The pages are not built: run `npm test`, or `node scripts/ready.mjs build` before')
  const dataDir = given ?? newFolder()
  const port = fixed ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, START!.split(' '), {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      ...ENV,
      LOG_LEVEL: 'error',
      PORT: String(port),
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', heard ? 'pipe' : 'ignore', 'pipe'],
  })
  const watch = spawn('sh', ['-c', WATCH, String(child.pid), given === undefined ? dataDir : ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watch.unref()
  // The pipe alone does not keep the test process going.
  ;(watch.stdin as Socket).unref()
  const kill = () => void child.kill('SIGKILL')
  const ended = once(child, 'exit').then(() => watch.stdin.write('ended\n'))
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => void (said += text))
  const product = {
    url,
    port,
    dataDir,
    child,
    /** What it has printed so far, both streams. */
    said: () => said,
    /** Ends as if the machine had lost it. */
    async kill() {
      kill()
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
    /** Ends and leaves nothing behind. */
    async remove() {
      await product.kill()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  const late = Date.now() + START_WITHIN
  while (!(await isReady(url))) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > late) {
      const how = child.exitCode ?? child.signalCode ?? `silent for ${START_WITHIN / 1000} s`
      kill()
      throw new Error(`The product does not start (${how}):\n${said}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return product
}

/** Empty, or in a run of journeys with the demo filled in (template.ts). */
function newFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-product-'))
  const template = process.env['TEMPLATE_DIR']
  if (template) cpSync(template, folder, { recursive: true })
  return folder
}

/** One product with its demo data for all journeys of a worker; it ends with the run. */
let shared: Promise<Product> | undefined
export const theProduct = (): Promise<Product> => (shared ??= startProduct())

async function isReady(url: string) {
  try {
    return (await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(START_WITHIN) })).ok
  } catch {
    return false
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
