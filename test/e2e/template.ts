import { execFileSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { startProduct } from './product.ts'

/**
 * Set-up of the journeys: the product starts for the first time, on an empty folder, and stops. Those that start
 * later without a folder that is given begin with a copy of this one, so that the demo is filled in once.
 */
export default async function setup(project: TestProject) {
  // The journeys use what is built, so a change to the sources must be in it.
  execFileSync(process.execPath, ['scripts/ready.mjs', 'build'], { stdio: 'inherit' })
  const first = await startProduct()
  await first.stop()
  project.config.env = { ...project.config.env, TEMPLATE_DIR: first.dataDir }
  return first.remove
}
