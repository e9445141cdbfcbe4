import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const SOURCES = '{web,contract,public,server,scripts,*.config.ts,vite.*.ts,tsconfig.base.json,package*.json}'
/** A class that many parts of the design system have, and one that no page has yet. */
const [CLASS, OTHER_CLASS] = ['gap-2', 'gap-[7px]']

/** Builds a copy of this checkout in which one class differs: the build that an update brings. */
export function buildAgain() {
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-build-'))
  for (const name of globSync(SOURCES, { cwd: ROOT }))
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  for (const name of globSync('web/ui/*.tsx', { cwd: folder })) {
    const file = path.join(folder, name)
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(new RegExp(`\\b${CLASS}(?![\\w.-])`, 'g'), OTHER_CLASS),
    )
  }
  execFileSync(process.execPath, ['scripts/ready.mjs', 'build'], { cwd: folder, stdio: 'pipe' })
  const parts = (from: string) => globSync('build/client/assets/*', { cwd: from })
  const known = new Set(parts(ROOT))
  return {
    folder,
    /** How many of its scripts and styles the first build doesn't have. */
    own: parts(folder).filter((part) => !known.has(part)).length,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
