import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createWorld } from '#test/world.ts'

it('files of a killed process are deleted after an hour, newer ones are kept', async () => {
  const world = await createWorld()
  const left = (name: string, minutesAgo: number) => {
    const folder = path.join(world.env.dataDir, 'receiving', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, '0'), 'half a picture')
    const at = world.now().getTime() / 1000 - minutesAgo * 60
    utimesSync(folder, at, at)
    return folder
  }
  const [old, recent] = [left('call-old', 61), left('call-recent', 59)]
  await world.runDue()
  expect([old, recent].map((folder) => existsSync(folder))).toEqual([false, true])
})
