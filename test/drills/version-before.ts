import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from '#server/build-paths.ts'
import type { Drill } from './run.ts'

const MIGRATIONS = 'server/db/migrations'
/** This test compares the migrations with the code beside them. */
const OF_MIGRATIONS = 'server/db/migrations.test.ts'
const WITHOUT_A_NAME = '\n--> statement-breakpoint\nALTER TABLE "pets" RENAME COLUMN "name" TO "called";\n'

const git = (...line: string[]) => execFileSync('git', line, { cwd: ROOT, encoding: 'utf8' }).trim()

interface Ran {
  passed: number
  failed: string[]
}

async function callTests(folder: string, ...files: string[]): Promise<Ran> {
  const report = path.join(folder, 'report.json')
  rmSync(report, { force: true })
  const line = ['vitest', 'run', '--project', 'calls', ...files, '--exclude', OF_MIGRATIONS]
  const child = spawn('npx', [...line, '--reporter=json', `--outputFile.json=${report}`], {
    cwd: folder,
    env: { ...process.env, QUICK: 'yes' },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await once(child, 'exit')
  if (!existsSync(report)) throw new Error(`The tests in ${folder} did not run`)
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; message: string; assertionResults: { title: string; status: string }[] }[]
  }
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  return {
    passed: all.filter(({ status }) => status === 'passed').length,
    failed: [
      ...all.filter(({ status }) => status === 'failed').map(({ title }) => title),
      // A file that does not load has no tests.
      ...testResults.filter(({ assertionResults }) => assertionResults.length === 0).map(({ name }) => name),
    ],
  }
}

/** The call tests of the version before the newest n migrations, run by that version's code on today's schema. */
export default {
  n: 1,
  async run(n) {
    const added = git('log', '--diff-filter=A', '--format=%H', '--', `${MIGRATIONS}/*.sql`).split('\n')
    const version = git('rev-parse', `${added[n - 1]}^`)
    const parent = mkdtempSync(path.join(tmpdir(), 'vetchat-before-'))
    const folder = path.join(parent, 'vetchat')
    git('worktree', 'add', '--detach', folder, version)
    try {
      symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
      rmSync(path.join(folder, MIGRATIONS), { recursive: true })
      cpSync(path.join(ROOT, MIGRATIONS), path.join(folder, MIGRATIONS), { recursive: true })
      const { passed, failed } = await callTests(folder)
      const { entries } = JSON.parse(
        readFileSync(path.join(ROOT, MIGRATIONS, 'meta/_journal.json'), 'utf8'),
      ) as { entries: { tag: string }[] }
      appendFileSync(path.join(folder, MIGRATIONS, `${entries.at(-1)!.tag}.sql`), WITHOUT_A_NAME)
      const bad = await callTests(folder, 'server/pets/pets.test.ts')
      return {
        figure: {
          version: version.slice(0, 7),
          passed,
          failed,
          'known to be bad: failed': bad.failed.length,
        },
        target:
          'no test of the version before fails on the new schema; without the column of pets’ names some do',
        pass: passed > 0 && failed.length === 0 && bad.failed.length > 0,
      }
    } finally {
      git('worktree', 'remove', '--force', folder)
      rmSync(parent, { recursive: true, force: true })
    }
  },
} satisfies Drill
