// Copies the packages that can't be bundled into a build, so that the folder runs on its own: npm run build.
import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { OUTSIDE } from '../vite.server.config.ts'
import { say } from './own-database.ts'

const BUILD = 'build'
const PACKAGES = path.join(BUILD, 'node_modules')
/** Files that the server opens by path. It needs nothing else from their packages. */
const FILES = ['server/documents/typefaces.ts', 'server/library/rules.ts'].flatMap((source) =>
  [...readFileSync(source, 'utf8').matchAll(/'(@(?:expo-google-fonts|fontsource-variable)\/[^']+)'/g)].map(
    ([, file]) => file!,
  ),
)

/** These packages and everything they need, if it's installed on this machine. */
function withNeeded(names: string[]) {
  const found = new Set(names)
  for (const name of found) {
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(path.join('node_modules', name, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string> | undefined>
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies }))
      if (existsSync(path.join('node_modules', other))) found.add(other)
  }
  return [...found]
}

const isNeeded = (file: string) => !/\.(map|d\.[cm]?ts|md)$|\/pdfkit\/js\/pdfkit\.standalone\.js$/.test(file)
const sizeOf = (pattern: string) =>
  globSync(pattern).reduce((sum, file) => sum + (statSync(file).isFile() ? statSync(file).size : 0), 0)
const mb = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MB`

rmSync(PACKAGES, { recursive: true, force: true })
for (const name of withNeeded(OUTSIDE))
  cpSync(path.join('node_modules', name), path.join(PACKAGES, name), { recursive: true, filter: isNeeded })
for (const file of FILES) cpSync(path.join('node_modules', file), path.join(PACKAGES, file))

say(`build/ runs alone: ${mb(sizeOf(`${BUILD}/**`))}, of which packages ${mb(sizeOf(`${PACKAGES}/**`))}.`)
say('Copy it to a machine with Node.js 24, and start it there with npm start.')
