import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createWorld } from './world.ts'

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const WATCHED = ['deploy/alerts.yml', 'deploy/dashboard.json']
/** What Prometheus adds to a histogram's name. */
const bare = (name: string) => name.replace(/_(bucket|sum|count)$/, '')

function loggedEvents() {
  const sources = globSync('server/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const values = sources.flatMap((file) =>
    [...read(file).matchAll(/\bevent: ([^\n]*?)(?:,|\}|$)/gm)].map(([, value]) => value!),
  )
  // A feed's state is the end of its event's name.
  const feeds = ['applied', 'waiting', 'refused'].map((state) => `feed ${state}`)
  return new Set(
    feeds.concat(values.flatMap((value) => [...value.matchAll(/'([^']+)'/g)].map(([, event]) => event!))),
  )
}

it('alerts and the dashboard name only figures that the server has, and the alerts only events that it logs [OPS-5]', async () => {
  const world = await createWorld()
  const { body } = await world.app.inject({ url: '/api/metrics', remoteAddress: '127.0.0.1' })
  const known = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
  await world.close()
  const named = WATCHED.flatMap((file) => read(file).match(/\b(?:vetchat|process)_\w+/g)!).map(bare)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !known.has(name))).toEqual([])
  const events = /event=~"([^"]+)"/.exec(read('deploy/alerts.yml'))![1]!.split('|')
  expect(events.filter((event) => !loggedEvents().has(event))).toEqual([])
})

it('docs/running.md names every event of the log [OPS-5]', () => {
  const docs = read('docs/running.md')
  expect([...loggedEvents()].filter((event) => !docs.includes(`\`${event}\``)).toSorted()).toEqual([])
})

const SYSTEMD = '/usr/bin/systemd-analyze'

it.runIf(existsSync(SYSTEMD))('systemd finds nothing wrong with the unit [OPS-1]', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-unit-'))
  const verify = (text: string) => {
    const unit = path.join(folder, 'vetchat.service')
    writeFileSync(unit, text)
    try {
      execFileSync(SYSTEMD, ['verify', unit], { stdio: 'pipe' })
      return ''
    } catch (error) {
      return String((error as { stderr: Buffer }).stderr)
    }
  }
  const unit = read('deploy/vetchat.service').replace('/usr/bin/node', process.execPath)
  try {
    expect(verify(unit)).toBe('')
    expect(verify(unit.replace(process.execPath, '/nowhere/node'))).toContain('not executable')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('the container runs what a build leaves, not as root, on any address, and says whether it is well [OPS-1]', () => {
  const steps = read('deploy/Containerfile')
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const [, command] = /RUN npm run (\w+)/.exec(steps)!
  expect(Object.keys(scripts)).toContain(command)
  const last = steps.slice(steps.lastIndexOf('FROM '))
  expect(last).toMatch(/^USER node$/m)
  expect(last).toMatch(/ HOST=0\.0\.0\.0 /)
  expect(last).toMatch(/^HEALTHCHECK /m)
  // The same program, with the same flags, as npm start.
  const [, flags] = /exec node (.+) build\/app\/main\.js$/.exec(scripts['start']!)!
  expect(JSON.parse(/^CMD (\[.*\])$/m.exec(last)![1]!)).toEqual(['node', flags, 'app/main.js'])
})

it('nginx in the compose file is set up as docs/running.md says [OPS-1]', () => {
  const lines = (text: string) => new Set(text.split('\n').map((line) => line.trim()))
  const example = lines(/```nginx\n([^`]+)```/.exec(read('docs/running.md'))![1]!)
  const ours = lines(read('deploy/nginx.conf'))
  expect([...example].filter((line) => !ours.has(line))).toEqual([
    'server 127.0.0.1:3000 max_fails=0;',
    'server 127.0.0.1:3001 max_fails=0;',
  ])
})
