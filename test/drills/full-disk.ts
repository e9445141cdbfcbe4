import { appendFileSync, mkdirSync, openSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { portOf } from '../port-of.ts'
import { callAt, consultAt, tokenOf } from '#test/e2e/people.ts'
import { startProduct } from '#test/e2e/product.ts'
import { film } from '#test/documents.ts'
import { startFallingPostgres } from './falling-postgres.ts'
import { postAs, sendFile, until } from './load.ts'
import type { Drill } from './run.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

const DISK_MB = 400
const MESSAGES = 200
const WHOLE_WITHIN = 5000
const SECRET = 'a secret that only the drill knows'

interface Server {
  url: string
  token: string
  consultation: number
}

async function statusAndCode(asked: Promise<Response>) {
  const answer = await asked.catch(() => undefined)
  const body = (await answer?.json().catch(() => ({}))) as { code?: string } | undefined
  return { status: answer?.status ?? 0, code: body?.code ?? '' }
}

/** Fills the disk n times during messages and uploads. Returns what was answered and what was lost. */
async function rounds(n: number, disk: SmallDisk, { url, token, consultation }: Server) {
  const acknowledged: string[] = []
  const refused: Record<string, number> = {}
  const wrong: string[] = []
  const whole: number[] = []
  let count = 0
  let refusedMessages = 0
  const health = async () => (await statusAndCode(fetch(`${url}/api/health`))).status
  const live = async () => (await statusAndCode(fetch(`${url}/api/health/live`))).status
  async function say() {
    const client_id = `full-disk-${++count}`
    const body = `${client_id} ${crypto.randomUUID().repeat(200)}`
    const asked = postAs(url, token, `/consultation/${consultation}/messages`, { client_id, body })
    const { status, code } = await statusAndCode(asked)
    if (status === 200) acknowledged.push(client_id)
    else if (status === 503) refused[code] = (refused[code] ?? 0) + 1
    else wrong.push(`message ${status}`)
    return status
  }
  async function upload() {
    const file = new File([new Uint8Array(film({ seconds: 9 }))], 'limp.mp4')
    const sent = { consultation, clientId: `full-disk-${++count}`, file }
    const { status, code } = await statusAndCode(sendFile(url, token, sent))
    if (status === 503) refused[`upload ${code}`] = (refused[`upload ${code}`] ?? 0) + 1
    else wrong.push(`upload ${status}`)
  }
  for (let round = 0; round < n; round++) {
    await until(async () => (await say()) === 200, { every: 100 })
    disk.fill()
    for (let at = 0; at < MESSAGES; at++) if ((await say()) !== 200) refusedMessages++
    await upload()
    for (const [name, status, right] of [
      ['health', await health(), 503],
      ['live', await live(), 200],
    ] as const)
      if (status !== right) wrong.push(`${name} ${status}`)
    disk.empty()
    const began = performance.now()
    await until(async () => (await health()) === 200, { every: 100, within: WHOLE_WITHIN })
    if ((await say()) !== 200) wrong.push('not whole')
    whole.push(Math.round(performance.now() - began))
  }
  const stored = new Set<string>()
  for (let after = 0; ;) {
    const path = `/consultation/${consultation}/messages?after=${after}`
    const page = await callAt<{ messages: { seq: number; client_id: string }[]; more: boolean }>(
      url,
      path,
      undefined,
      token,
    )
    for (const { client_id } of page.messages) stored.add(client_id)
    if (!page.more) break
    after = page.messages.at(-1)!.seq
  }
  const lost = acknowledged.filter((one) => !stored.has(one)).length
  const pass = lost + wrong.length === 0 && refusedMessages > 0 && Math.max(...whole) <= WHOLE_WITHIN
  return { acknowledged: acknowledged.length, lost, refused, wrong, wholeMs: Math.max(...whole), pass }
}

/** The product, whose log is on the same disk. */
async function ofProduct(n: number, disk: SmallDisk, env: Record<string, string>) {
  const dataDir = path.join(disk.folder, 'data')
  mkdirSync(dataDir)
  await using product = await startProduct({
    dataDir,
    env: { ...env, LOG_LEVEL: 'info', DEMO: 'on' },
    stdout: openSync(path.join(disk.folder, 'log'), 'a'),
  })
  const { url } = product
  const token = await tokenOf('owner', url)
  const { id } = await consultAt(url, token, 'She will not eat')
  const found = await rounds(n, disk, { url, token, consultation: id })
  const alive = product.child.exitCode === null
  await product.kill()
  return { ...found, alive, pass: found.pass && alive }
}

async function onPostgres(n: number) {
  await using disk = mountSmallDisk(DISK_MB)!
  await using postgres = await startFallingPostgres({ max_wal_size: '64MB' }, disk.folder)
  return await ofProduct(n, disk, { DATABASE_URL: postgres.url, SECRET, MIN_FREE_MB: '32' })
}

async function onEmbedded(n: number) {
  await using disk = mountSmallDisk(DISK_MB)!
  return await ofProduct(n, disk, { MIN_FREE_MB: '0' })
}

/** A planted fault: a server that is always healthy, answers 500, and acknowledges what it could not write whole. */
async function onCareless(n: number) {
  await using disk = mountSmallDisk(16)!
  const stored: string[] = []
  const server = createServer((request, reply) => {
    const answer = (status: number, body: object) =>
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method === 'GET') {
      const messages = stored.map((client_id, at) => ({ client_id, seq: at + 1 }))
      return answer(200, { ok: true, messages, more: false })
    }
    let text = ''
    request
      .on('data', (chunk) => (text += chunk))
      .on('end', () => {
        const { client_id } = text.startsWith('{') ? (JSON.parse(text) as { client_id: string }) : {}
        try {
          appendFileSync(path.join(disk.folder, 'messages'), text)
          if (client_id) stored.push(client_id)
          answer(200, {})
        } catch {
          answer(Math.random() < 0.5 ? 500 : 200, {})
        }
      })
  })
  const url = `http://127.0.0.1:${await portOf(server)}`
  const { lost, wrong, pass } = await rounds(n, disk, { url, token: '', consultation: 1 })
  server.closeAllConnections()
  server.close()
  return { lost, wrong: wrong.length, pass }
}

/** Fills the disk of database, files and log n times, on PostgreSQL and on the embedded database. */
export default {
  n: 3,
  async run(n) {
    const target = `messages are stored or refused with 503, 0 acknowledged lost; uploads 503; health 503, live 200; whole again without help within ${WHOLE_WITHIN} ms; the log's disk may be full too`
    const trial = mountSmallDisk(1)
    if (!trial) return { figure: 'not run: it mounts a small disk, which takes root', target, pass: false }
    await trial.unmount()
    const embedded = await onEmbedded(n)
    const postgres = await onPostgres(n)
    const careless = await onCareless(1)
    const seesFaults = !careless.pass && careless.lost > 0 && careless.wrong > 0
    return {
      figure: { rounds: n, embedded, postgres, seesFaults, careless },
      target,
      pass: embedded.pass && postgres.pass && seesFaults,
    }
  },
} satisfies Drill
