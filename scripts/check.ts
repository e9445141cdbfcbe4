// Runs the project's checks: `check` runs the quick ones, `check all` runs all. Its last line is for machines:
// `N passed, N failed, N skipped`. It counts each test and each other step as one.
import { type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium, findShell } from '#test/browser.ts'
import { findPostgres } from '#test/postgres.ts'

interface Outcome {
  passed: number
  failed: number
  skipped: number
  output: string
  /** Tests that passed on the second try, each with its first failure. */
  unsteady?: string[]
}
interface Step {
  name: string
  run: () => Promise<Outcome>
}

const COLUMN = 34
const NOTHING = { passed: 0, failed: 0, skipped: 0, unsteady: [] }
const all = process.argv[2] === 'all'
const inCi = Boolean(process.env.CI) && process.env.CI !== 'false'
const total = { passed: 0, failed: 0, skipped: 0 }

const isPostgresThere = await provided(findPostgres, 'postgresql')
const isChromiumThere = !all || (await provided(findChromium, 'chromium', 'fonts-liberation'))
if (all) await provided(findShell, 'chromium-headless-shell')
const inChromium = (name: string, project: string) =>
  isChromiumThere ? tests(name, project) : leftOut(name, 'no Chromium (CHROMIUM_PATH names one)')
// The call tests alone don't keep two cores busy, so the other checks run beside them.
await together([
  tests('tests', 'calls', ...(all && isPostgresThere ? ['embedded'] : [])),
  ...(all ? [inChromium('parts of pages in Chromium', 'browser')] : []),
  commands('types', 'react-router typegen', ...['contract', 'server', 'web'].map(typesOf)),
  commands('lint', 'oxlint --format=unix'),
  commands('format', 'oxfmt --check'),
  commands('unused code', 'knip'),
  ...(all ? [inChromium('journeys in Chromium', 'e2e')] : []),
])
if (!isPostgresThere) await step(leftOut('races, and calls on PostgreSQL', 'no PostgreSQL 15 or later'))
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 ? 1 : 0

// Several threads would each check the same types again, and the other core is busy.
function typesOf(floor: string) {
  return `tsc -p ${floor} --singleThreaded`
}

// Runs two steps at a time, because the smallest machine has two cores.
async function together(steps: Step[]) {
  const waiting = [...steps]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await step(next)
  }
  await Promise.all([work(), work()])
}

async function step({ name, run }: Step) {
  const started = Date.now()
  const { output, unsteady = [], ...counts } = await run()
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  const word = wordFor(counts)
  const tally = counts.passed > 1 ? `  ${counts.passed} tests` : ''
  console.log(`${word.padEnd(10)}${name.padEnd(COLUMN)}${seconds.padStart(6)} s${tally}`)
  for (const title of unsteady) console.log(`  UNSTEADY  ${title}`)
  if (word !== 'ok') console.log(output)
  total.passed += counts.passed
  total.failed += counts.failed
  total.skipped += counts.skipped
}

function wordFor({ passed, failed, skipped }: Omit<Outcome, 'output'>) {
  if (failed > 0) return 'FAILED'
  return skipped > 0 && passed === 0 ? 'LEFT OUT' : 'ok'
}

function commands(name: string, ...lines: string[]): Step {
  return {
    name,
    async run() {
      for (const line of lines) {
        const { code, output } = await run(line)
        if (code !== 0) return { passed: 0, failed: 1, skipped: 0, output: `$ ${line}\n${output}` }
      }
      return { passed: 1, failed: 0, skipped: 0, output: '' }
    },
  }
}

function tests(name: string, ...projects: string[]): Step {
  return {
    name,
    async run() {
      const folder = mkdtempSync(join(tmpdir(), 'vetchat-check-'))
      const report = join(folder, 'report.json')
      const { code, output } = await run(
        `vitest run ${projects.map((project) => `--project ${project}`).join(' ')} --reporter=default --reporter=json --outputFile.json=${report}`,
      )
      const { unsteady, passed, failed, skipped } = existsSync(report) ? read(report) : NOTHING
      rmSync(folder, { recursive: true })
      // A test file that doesn't load, or an error outside of any test, fails the run but no test.
      return {
        passed,
        failed: code === 0 ? failed : Math.max(failed, 1),
        skipped,
        output: failuresIn(output),
        unsteady,
      }
    },
  }
}

/** The failures, without the hundreds of tests that passed before them. */
function failuresIn(output: string) {
  const start = output.search(/^⎯+ /m)
  return start < 0 ? output : output.slice(start)
}

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[]
}

function read(report: string) {
  const tests = JSON.parse(readFileSync(report, 'utf8')) as Report
  return {
    passed: tests.numPassedTests,
    failed: tests.numFailedTests,
    skipped: tests.numPendingTests + tests.numTodoTests,
    unsteady: tests.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ title, failureMessages }) => `${title}\n${failureMessages.join('\n')}`),
  }
}

function leftOut(name: string, why: string): Step {
  const outcome = inCi ? { failed: 1, skipped: 0 } : { failed: 0, skipped: 1 }
  const output = `  !!! NOT TESTED: ${name}. There is ${why} on this machine, and none could be installed.`
  return { name, run: async () => ({ passed: 0, ...outcome, output }) }
}

/** Whether a program is on this machine. Installs it first where possible. */
async function provided(find: () => string | undefined, ...packages: string[]) {
  if (find()) return true
  if (process.getuid?.() !== 0 || (await run('apt-get --version')).code !== 0) return false
  console.log(`installing ${packages.join(' ')} …`)
  const install = `apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 ${packages.join(' ')}`
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // The machine's list of packages may be missing or old.
  for (const line of [install, 'apt-get update -q', install]) {
    const { output } = await run(line, { env })
    if (find()) return true
    console.log(output)
  }
  return false
}

function run(line: string, options: SpawnOptions = {}) {
  const [command = '', ...args] = line.split(' ')
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const env = { ...process.env, QUICK: all ? undefined : 'yes', NO_COLOR: '1', FORCE_COLOR: undefined }
    const child = spawn(command, args, { env, ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', (error) => resolve({ code: null, output: error.message }))
    child.on('close', (code) => resolve({ code, output }))
  })
}
