import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'

// Tries the tools on two small projects: one in order, one with something wrong in every file.

const ROOT = path.resolve(import.meta.dirname, '..')
const CONFIGURATION = [
  '.oxlintrc.json',
  '.oxfmtrc.json',
  'knip.json',
  'tsconfig.base.json',
  'contract/tsconfig.json',
  'server/tsconfig.json',
  'web/tsconfig.json',
]

const TOOLS = {
  lint: ['oxlint', '--format=unix', 'contract', 'server', 'web'],
  format: ['oxfmt', '--check', 'contract', 'server', 'web'],
  contract: ['tsc', '-p', 'contract'],
  server: ['tsc', '-p', 'server'],
  web: ['tsc', '-p', 'web'],
  unused: ['knip'],
} as const
type Tool = keyof typeof TOOLS
interface Said {
  status: number | null
  stdout: string
}

const IN_ORDER = {
  'contract/greeting.ts': `export const greeting = 'Good morning'\n`,
  'web/entry.islands.ts': `import { greeting } from '../contract/greeting.ts'\n\ndocument.title = greeting\n`,
  'server/main.ts': `import { greeting } from '../contract/greeting.ts'\n\nprocess.stdout.write(greeting)\n`,
}

const LINT = {
  'a console message': ['server/a.ts', `console.log('here')`, 'no-console'],
  'any type': ['server/b.ts', `export const b = (value: any) => value.name`, 'no-explicit-any'],
  'work left in a comment': ['server/c.ts', `// ${'TO'}DO: later\nexport const c = 1`, 'no-warning-comments'],
  'a barrel': ['server/index.ts', `export * from './d.ts'\nexport * from './e.ts'`, 'no-barrel-file'],
  'a cycle': ['server/d.ts', `import { e } from './e.ts'\nexport const d = () => e`, 'no-cycle'],
  'its other half': ['server/e.ts', `import { d } from './d.ts'\nexport const e = () => d`, 'no-cycle'],
  'a disabled test': [
    'server/f.test.ts',
    `import { expect, it } from 'vitest'\nit.skip('f', () => expect(1).toBe(1))`,
    'no-disabled-tests',
  ],
  'a test that asserts nothing': [
    'server/g.test.ts',
    `import { it } from 'vitest'\nit('g', () => {})`,
    'expect-expect',
  ],
  'a conditional hook': [
    'web/h.tsx',
    `import { useId } from 'react'\nexport const H = ({ h }: { h: boolean }) => (h ? <p>{useId()}</p> : null)`,
    'rules-of-hooks',
  ],
  'a clickable div': [
    'web/i.tsx',
    `export const I = () => <div onClick={() => history.back()}>Back</div>`,
    'no-static-element-interactions',
  ],
  'a button without type': ['web/j.tsx', `export const J = () => <button>Save</button>`, 'button-has-type'],
  'a picture without words': ['web/k.tsx', `export const K = () => <img src="/k.png" />`, 'alt-text'],
} as const

const TYPES = {
  'the DOM on the server': ['server/l.ts', `export const l = document.title`],
  'Node in the browser': ['web/m.ts', `export const m = process.pid`],
  'syntax that Node can’t strip': ['server/n.ts', `export enum N {\n  One,\n}`],
  'an element that may be absent': ['contract/o.ts', `export const o = (list: string[]) => list[0].length`],
} as const

const UNUSED = {
  'a file that nobody imports': ['server/p.ts', `export const p = 1`],
  'an export that nobody imports': [
    'contract/greeting.ts',
    `${IN_ORDER['contract/greeting.ts']}export const bye = 'Good night'`,
  ],
} as const

let ordered: Record<Tool, Said>
let planted: Record<Tool, Said>

beforeAll(() => {
  ordered = sayingOf(IN_ORDER)
  planted = sayingOf({
    ...IN_ORDER,
    ...Object.fromEntries(
      [LINT, TYPES, UNUSED].flatMap((table) =>
        Object.values(table).map(([file, text]) => [file, `${text}\n`]),
      ),
    ),
    'server/q.ts': `export const q = "q";\n`,
  })
})

it.each(Object.entries(TOOLS))('%s accepts what is in order', (tool) => {
  expect(ordered[tool as Tool]).toMatchObject({ status: 0 })
})

it.each(Object.entries(LINT))('the linter refuses %s', (_, [file, , rule]) => {
  const found = planted.lint.stdout.split('\n').filter((line) => line.startsWith(file))
  expect(found.join('\n')).toContain(`(${rule})`)
})

it.each(Object.entries(TYPES))('the compiler refuses %s', (_, [file]) => {
  expect(planted[path.dirname(file) as Tool].stdout).toContain(`${file}(`)
})

it('the formatter refuses another style', () => {
  expect(planted.format.status).toBeGreaterThan(0)
  expect(planted.format.stdout).toContain('server/q.ts')
})

it.each(Object.entries(UNUSED))('the search for unused code refuses %s', (_, [file]) => {
  expect(planted.unused.status).toBe(1)
  expect(planted.unused.stdout).toContain(file)
})

it('the lock file lists the packages of every platform, without which npm ci refuses it', () => {
  expect(absentFrom(JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')))).toEqual([])
})

it('the lock file is caught if one is missing', () => {
  const parent = { optionalDependencies: { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' } }
  const lock = { packages: { 'node_modules/tool': parent, 'node_modules/tool-linux': {} } }
  expect(absentFrom(lock)).toEqual(['tool-darwin of node_modules/tool'])
})

interface Lock {
  packages: Record<string, { optionalDependencies?: Record<string, string> }>
}

function absentFrom({ packages }: Lock) {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !packages[`node_modules/${name}`] && !packages[`${parent}/node_modules/${name}`])
      .map((name) => `${name} of ${parent}`),
  )
}

/** Writes a project with these files, and returns what every tool says about it. */
function sayingOf(files: Record<string, string>) {
  const project = mkdtempSync(path.join(tmpdir(), 'vetchat-habits-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true })
    writeFileSync(path.join(project, name), text)
  }
  for (const name of CONFIGURATION) cpSync(path.join(ROOT, name), path.join(project, name))
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(project, 'node_modules'))
  writeFileSync(path.join(project, 'package.json'), '{ "name": "project", "type": "module" }\n')
  const bin = path.join(ROOT, 'node_modules/.bin')
  const env = { PATH: `${bin}:${process.env['PATH']}`, NO_COLOR: '1' }
  const said = Object.entries(TOOLS).map(([name, [tool, ...args]]) => {
    const { status, stdout } = spawnSync(tool, args, { cwd: project, env, encoding: 'utf8' })
    return [name, { status, stdout }]
  })
  rmSync(project, { recursive: true })
  return Object.fromEntries(said) as Record<Tool, Said>
}
