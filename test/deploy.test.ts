import { globSync, readFileSync } from 'node:fs'
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
