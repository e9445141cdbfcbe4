import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-main-'))
const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** The real process, as the start script runs it. */
function start(env: Record<string, string>) {
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'test', DATA_DIR: folder, PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  started.push(child)
  let said = ''
  child.stderr!.on('data', (text) => void (said += String(text)))
  return {
    child,
    said: () => said.trim(),
    ended: once(child, 'exit').then(([code]) => code as number | null),
  }
}
const refusal = async (env: Record<string, string>) => {
  const { said, ended } = start(env)
  return { code: await ended, said: said() }
}

it('a half-set environment ends with one line that names the variable', async () => {
  expect(await refusal({ DATABASE_URL: 'postgres://localhost/x' })).toEqual({
    code: 1,
    said: 'VetChat can not start: SECRET is required with DATABASE_URL',
  })
})

async function addressOf({ said, child }: { said: () => string; child: ChildProcess }): Promise<string> {
  await expect
    .poll(() => said() + String(child.exitCode ?? ''), { timeout: 150_000 })
    .toMatch(/VetChat is at http/)
  return /VetChat is at (\S+)/.exec(said())![1]!
}

it('starts, refuses a second process and a taken port, and stops when it is told to', async () => {
  const first = start({})
  const address = await addressOf(first)
  expect(await (await fetch(`${address}/api/health`)).json()).toEqual({ ok: true })
  expect(first.said()).toContain('/sandbox/mail')
  expect(first.said()).toContain('owner@demo.vetchat.example')

  const second = await refusal({})
  expect(second).toEqual({
    code: 1,
    said: `VetChat can not start: DATA_DIR ${folder} is in use by another VetChat process`,
  })

  const other = path.join(folder, 'other')
  const taken = await refusal({ DATA_DIR: other, PORT: new URL(address).port })
  expect(taken).toEqual({
    code: 1,
    said: `VetChat can not start: PORT ${new URL(address).port} on 127.0.0.1 is taken by another program`,
  })

  const waiting = net.connect(Number(new URL(address).port), '127.0.0.1')
  await once(waiting, 'connect')
  waiting.on('error', () => {})
  first.child.kill('SIGTERM')
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  waiting.destroy()
}, 240_000)
