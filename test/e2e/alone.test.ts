import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import sharp from 'sharp'
import { MINUTE } from '#contract/time.ts'
import { tokenOf } from './people.ts'
import { freePort } from './product.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-alone-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('the output of npm run build runs in an empty folder, with nothing installed there [OPS-1]', async () => {
  execFileSync(process.execPath, ['scripts/pack.ts'], { stdio: 'pipe' })
  const app = path.join(folder, 'app')
  cpSync('build', app, { recursive: true })
  const port = await freePort()
  const env = { PATH: process.env['PATH'], DATA_DIR: path.join(folder, 'data'), PORT: String(port) }
  const server = spawn(process.execPath, ['app/main.js'], {
    cwd: app,
    env: { ...env, NODE_ENV: 'production', LOG_LEVEL: 'error' },
    stdio: 'pipe',
  })
  let said = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => void (said += text))
  try {
    await expect.poll(() => said, { timeout: MINUTE }).toContain('VetChat is at')
    const url = `http://127.0.0.1:${port}`
    const html = await (await fetch(`${url}/login`)).text()
    const parts = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, part]) => part!)
    expect(parts.length).toBeGreaterThan(3)
    for (const part of parts) expect([part, (await fetch(url + part)).status]).toEqual([part, 200])

    // Fonts, pictures, hashes of passwords and the embedded database are in packages beside the scripts.
    const owner = { authorization: `Bearer ${await tokenOf('owner', url)}` }
    const [receipt] = (await (await fetch(`${url}/api/receipts`, { headers: owner })).json()) as {
      url: string
    }[]
    const pdf = await fetch(url + receipt!.url)
    expect([pdf.status, (await pdf.text()).slice(0, 5)]).toEqual([200, '%PDF-'])
    const form = new FormData()
    const red = { width: 40, height: 40, channels: 3 as const, background: 'red' }
    const picture = new Uint8Array(await sharp({ create: red }).jpeg().toBuffer())
    form.set('image', new Blob([picture], { type: 'image/jpeg' }), 'a.jpg')
    const put = await fetch(`${url}/api/upload`, { method: 'POST', headers: owner, body: form })
    expect(put.status).toBe(200)
    expect(said).not.toContain('"level":50')
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  const admin = execFileSync(process.execPath, ['app/admin.js', 'first@example.com'], {
    cwd: app,
    env,
    stdio: 'pipe',
  })
  expect(String(admin)).toBe('')
})
