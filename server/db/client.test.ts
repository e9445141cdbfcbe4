import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { DatabaseInUse, lockFolder } from './client.ts'

it('a data folder belongs to one process, and is free again however that process ends', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-lock-'))
  const isFree = () =>
    lockFolder(folder).then(
      (release) => (release(), true),
      () => false,
    )
  const release = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow(DatabaseInUse)
  await expect(lockFolder(path.join(folder, '.'))).rejects.toThrow(folder)
  release()
  await expect.poll(isFree).toBe(true)

  const holder = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `
    import { lockFolder } from ${JSON.stringify(new URL('./client.ts', import.meta.url).href)}
    await lockFolder(${JSON.stringify(folder)})
    console.log('held')
    setInterval(() => {}, 1000)`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(holder.stdout, 'data')
  await expect(lockFolder(folder)).rejects.toThrow(DatabaseInUse)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  await expect.poll(isFree).toBe(true)
  rmSync(folder, { recursive: true })
})
