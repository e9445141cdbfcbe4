import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { portOf } from '../port-of.ts'
import { createDatabase } from '#test/postgres.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const START_WITHIN = 90_000

/** The command, flags and environment that `npm start` runs the server with. */
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

/** Waits until its input closes, which happens however the test process dies, and then ends the product. */
const WATCH = 'read ended || kill -9 "$0"; cat >/dev/null; [ -z "$1" ] || rm -rf "$1"'

export type Product = Awaited<ReturnType<typeof startProduct>>

/** Starts the built product as `npm start` does, with its own folder and port. */
export async function startProduct({
  dataDir: given,
  port: fixed,
  env = {},
  heard = true,
  stdout,
  from = ROOT,
}: {
  dataDir?: string
  /** The port; a free one by default. */
  port?: number
  env?: Record<string, string>
  /** Whether anything reads its log. Speed measurements discard it. */
  heard?: boolean
  /** The file that takes its log instead. */
  stdout?: number
  /** The checkout whose build runs. */
  from?: string
} = {}) {
  if (!existsSync(path.join(from, 'build/app/main.js')))
    throw new Error('The product is not built: run `npm test`, or `node scripts/ready.mjs build` before')
  const dataDir = given ?? newFolder(env['DATABASE_URL'] ? undefined : process.env['TEMPLATE_DIR'])
  const port = fixed ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, START!.split(' '), {
    cwd: from,
    env: {
      PATH: process.env['PATH'],
      // Another zone and day, if the tests run in them.
      TZ: process.env['TZ'],
      LD_PRELOAD: process.env['LD_PRELOAD'],
      FAKETIME: process.env['FAKETIME'],
      ...ENV,
      LOG_LEVEL: 'error',
      PORT: String(port),
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', stdout ?? (heard ? 'pipe' : 'ignore'), 'pipe'],
  })
  const watch = spawn('sh', ['-c', WATCH, String(child.pid), given === undefined ? dataDir : ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watch.unref()
  // Keeps the pipe from holding the test process open.
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
    /** Kills it, as a power cut would. */
    async kill() {
      kill()
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
    /** Stops it and deletes its folder. */
    async remove() {
      await product.kill()
      rmSync(dataDir, { recursive: true, force: true })
    },
    [Symbol.asyncDispose]: () => product.remove(),
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

export const onPostgres = (url: string) => ({
  DATABASE_URL: url,
  SECRET: 'a secret that only journeys know',
  DEMO: 'on',
})

/** A product for journeys that change much: on PostgreSQL, as in production, if the run has one. */
export async function ownProduct({ env = {}, ...where }: Parameters<typeof startProduct>[0] = {}) {
  const server = process.env['TEST_DATABASE_URL']
  if (!server || where.dataDir) return startProduct({ env, ...where })
  const url = await createDatabase(server, () => Promise.reject(new Error('The set-up makes the template')))
  return startProduct({ env: { ...onPostgres(url), ...env }, ...where })
}

/** Empty, or a copy of one whose embedded database has the demo (template.ts). */
function newFolder(template?: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-product-'))
  if (template) cpSync(template, folder, { recursive: true })
  return folder
}

/** A product with demo data that all journeys of a worker share. It ends with the run. */
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
  const server = createServer()
  const port = await portOf(server)
  server.close()
  await once(server, 'close')
  return port
}
