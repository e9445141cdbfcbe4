import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Returns the folder of a package that only the bench needs. Installs it on first use rather than with the product. */
export async function fetched(name: string, version: string): Promise<string> {
  const folder = path.resolve(import.meta.dirname, '../../.cache', name)
  const installed = path.join(folder, 'node_modules', name)
  if (existsSync(installed)) return installed
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}')
  process.stderr.write(`Installing ${name} ${version} into .cache/${name} …\n`)
  await run('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: folder })
  return installed
}
