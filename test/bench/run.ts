import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Row } from './row.ts'

/** `npm run bench` for everything, or `npm run bench -- memory me` for parts of it. */
const BENCHES = [
  'start',
  'memory',
  'me',
  'list',
  'people',
  'overview',
  'export',
  'poll',
  'chat',
  'consult',
  'kept',
  'urgency',
  'slow',
  'sockets',
  'waits',
  'presses',
  'video',
  'pages',
]
const FILE = path.resolve(import.meta.dirname, '../../.cache/bench.json')

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !BENCHES.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no bench called ${unknown.join(', ')}; there are ${BENCHES.join(', ')}.\n`)
  process.exit(1)
}

const rows: Row[] = []
for (const name of BENCHES.filter((name) => wanted.length === 0 || wanted.includes(name))) {
  process.stderr.write(`Measuring ${name} …\n`)
  const { default: measure } = (await import(`./${name}.ts`)) as { default: () => Promise<Row[]> }
  rows.push(...(await measure()))
}
mkdirSync(path.dirname(FILE), { recursive: true })
writeFileSync(FILE, `${JSON.stringify({ at: new Date().toISOString(), rows }, null, 2)}\n`)

const cells = rows.map(({ job, unit, figure, floor, ratio, goal, met }) => [
  job,
  `${short(figure)} ${unit}`,
  floor === undefined ? '–' : short(floor),
  ratio === undefined ? '–' : ratio.toFixed(2),
  goal,
  met === null ? '–' : met ? 'yes' : 'NO',
])
const table = [['job', 'figure', 'floor', 'ratio', 'goal', 'met'], ...cells]
const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
for (const row of table)
  process.stdout.write(
    `${row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()}\n`,
  )

function short(figure: number) {
  return figure >= 100 ? String(Math.round(figure)) : String(Number(figure.toPrecision(3)))
}
