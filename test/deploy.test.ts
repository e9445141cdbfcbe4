import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { health } from '#contract/health.ts'
import { NEED_A_PERSON } from '#server/health/metrics.ts'
import { createWorld } from './world.ts'

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
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

function expressions() {
  const alerts = read('deploy/alerts.yml').matchAll(/^ +expr: (?:>-\s+)?(.+)$/gm)
  const { panels } = JSON.parse(read('deploy/dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  expect(panels.filter(({ targets }) => targets.length === 0)).toEqual([])
  const ofDashboard = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  return [...Array.from(alerts, ([, expr]) => expr!), ...ofDashboard]
}

/** Prometheus adds these labels, and renames ours if they have the same name. */
const OF_PROMETHEUS = ['job', 'instance']

it('alerts and the dashboard name only metrics and labels that the server prints [OPS-5]', async () => {
  const world = await createWorld({ env: { LOG_LEVEL: 'info' } })
  await world.nobody.send(health)
  await world.runDue()
  const { body } = await world.app.inject({ url: '/api/metrics', remoteAddress: '127.0.0.1' })
  const labels = new Map<string, Set<string>>()
  for (const [, name, pairs = ''] of body.matchAll(/^([a-z]\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = labels.get(name!) ?? new Set()
    for (const [, label] of pairs.matchAll(/(\w+)="/g)) known.add(label!)
    labels.set(name!, known)
  }
  expect([...labels.values()].flatMap((known) => OF_PROMETHEUS.filter((label) => known.has(label)))).toEqual(
    [],
  )
  const all = expressions()
  expect(all.length).toBeGreaterThan(25)
  for (const expr of all) {
    const bare = expr.replaceAll(/"[^"]*"/g, '')
    const metrics: string[] = bare.match(/\b(?:vetchat|process|nodejs)_\w+/g) ?? []
    expect(metrics.filter((name) => !labels.has(name))).toEqual([])
    // Any other word with an underscore is a function of Prometheus.
    const others = bare.match(/\b[a-z]+_\w+\b(?!\()/g) ?? []
    expect(others.filter((name) => !metrics.includes(name))).toEqual([])
    const named = [...bare.matchAll(/(\w+)(?:=~|!~|!=|=)(?!=)/g), ...bare.matchAll(/by \((\w+)\)/g)].map(
      ([, label]) => label!,
    )
    const printed = new Set([...OF_PROMETHEUS, ...metrics.flatMap((name) => [...labels.get(name)!])])
    expect([expr, named.filter((label) => !printed.has(label))]).toEqual([expr, []])
  }
  // An alert sees the first time of an event only if the event's count was there before.
  const [, events] = /event=~"([^"]+)"/.exec(read('deploy/alerts.yml'))!
  expect(events!.split('|')).toEqual(NEED_A_PERSON)
  for (const event of NEED_A_PERSON) {
    expect(body).toContain(`vetchat_events_total{event="${event}"} `)
    expect([...loggedEvents()]).toContain(event)
  }
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

it('the container runs the build, not as root, on any address, and reports its health [OPS-1]', () => {
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
