import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { emailOf, tokenOf } from '#test/e2e/people.ts'
import { startProduct, type Product } from '#test/e2e/product.ts'
import { pause, post, postAs, statusOf } from './load.ts'
import type { Drill } from './run.ts'

const WRITERS = 4
const PEOPLE = ['owner', 'lapsed', 'new', 'petstock']

/** Signs in and out until the server is gone, and records what it acknowledged. */
async function write(product: Product, who: string, held: Set<string>, ended: Set<string>) {
  for (;;)
    try {
      const token = await tokenOf(who, product.url)
      held.add(token)
      if (held.size % 3 > 0) continue
      const [first] = held
      held.delete(first!)
      const answer = await postAs(product.url, first!, '/logout').catch(() => undefined)
      // Without an answer we don't know whether it happened.
      if (answer?.ok) ended.add(first!)
      await post(product.url, '/user/resetpwdcode', { email: emailOf(who) })
    } catch {
      return
    }
}

/** Returns how long a second process on the same folder takes to give up, and what it prints. */
async function second(dataDir: string) {
  const began = performance.now()
  const child = spawn(process.execPath, ['build/app/main.js'], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (said += text))
  const [code] = (await once(child, 'exit')) as [number]
  return { milliseconds: Math.round(performance.now() - began), code, said: said.trim() }
}

/** Kills the embedded product n times with kill -9 during writes. No acknowledged write may be lost. */
export default {
  n: 50,
  async run(n, random) {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'vetchat-crash-'))
    const held = new Set<string>()
    const ended = new Set<string>()
    let lost = 0
    let risen = 0
    let product = await startProduct({ dataDir })
    const refused = await second(dataDir)
    for (let kills = 0; kills < n; kills++) {
      const writers = Array.from({ length: WRITERS }, (_, at) => write(product, PEOPLE[at]!, held, ended))
      await pause(100 + random() * 900)
      await product.kill()
      await Promise.all(writers)
      product = await startProduct({ dataDir })
      for (const token of held) if ((await statusOf(product.url, token)) !== 200) lost++
      for (const token of ended) if ((await statusOf(product.url, token)) !== 401) risen++
      // Each session is checked after the next crash, and a few again at the end.
      for (const all of [held, ended]) for (const token of [...all].slice(5)) all.delete(token)
    }
    await product.kill()
    rmSync(dataDir, { recursive: true, force: true })
    const clear = refused.code === 1 && /DATA_DIR \S+ is in use/.test(refused.said)
    return {
      figure: { kills: n, lost, risen, second: refused },
      target: '0 acknowledged lost, 0 ended risen; a second process refused within 1000 ms with a clear line',
      pass: lost === 0 && risen === 0 && clear && refused.milliseconds <= 1000,
    }
  },
} satisfies Drill
