import { dice } from '#test/dice.ts'

/** A drill's findings and the expected values. */
export interface Outcome {
  figure: unknown
  target: string
  pass: boolean
}

export interface Drill {
  /** How many kills, pairs or requests. Each drill says which. */
  n: number
  run: (n: number, random: () => number) => Promise<Outcome>
}

/** `npm run drill`, or `npm run drill -- NAME … [--n N] [--seed SEED]`. Prints one JSON line per drill. */
const DRILLS = [
  'crash',
  'abuse',
  'slow',
  'tokens',
  'timing',
  'fuzz',
  'socket',
  'mail',
  'providers',
  'uploads',
  'chat',
  'database',
  'restart',
  'races',
  'money',
  'webhooks',
  'full-disk',
  'video',
  'escalation',
  'guide',
  'instances',
  'storm',
]
/** These take longest, and run only when they are named. */
const ON_REQUEST = ['memory', 'large', 'version-before']

const wanted: string[] = []
let n: number | undefined
let seed = Date.now() % 1_000_000
for (let at = 2; at < process.argv.length; at++) {
  const word = process.argv[at]!
  if (word === '--n') n = Number(process.argv[++at])
  else if (word === '--seed') seed = Number(process.argv[++at])
  else wanted.push(word)
}
const known = [...DRILLS, ...ON_REQUEST]
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0 || Number.isNaN(n) || Number.isNaN(seed)) {
  process.stderr.write(`Usage: npm run drill -- [${known.join(' | ')}] … [--n N] [--seed SEED]\n`)
  process.exit(1)
}

let passed = true
for (const name of wanted.length > 0 ? wanted : DRILLS) {
  const { default: drill } = (await import(`./${name}.ts`)) as { default: Drill }
  const outcome = await drill.run(n ?? drill.n, dice(seed))
  passed &&= outcome.pass
  process.stdout.write(`${JSON.stringify({ drill: name, n: n ?? drill.n, ...outcome, seed })}\n`)
}
process.exitCode = passed ? 0 : 1
