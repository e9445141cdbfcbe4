import { globSync } from 'node:fs'
import path from 'node:path'
import type { Call, Event } from '#contract/call.ts'

const ROOT = path.resolve(import.meta.dirname, '..')

/** Everything of this kind in the contract, by its name. New ones are found automatically. */
export async function contractOf<D extends Call | Event>(kind: D['kind']) {
  const files = globSync('contract/*.ts', { cwd: ROOT }).filter((file) => !file.includes('.test.'))
  const modules = await Promise.all(files.map((file) => import(path.join(ROOT, file)) as Promise<object>))
  return modules
    .flatMap((module) => Object.entries(module))
    .filter((entry): entry is [string, D] => (entry[1] as D | null)?.kind === kind)
}

export const contractCalls = async () => (await contractOf<Call>('call')).map(([, call]) => call)
