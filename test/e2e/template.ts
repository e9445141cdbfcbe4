import type { TestProject } from 'vitest/node'
import { startProduct } from './product.ts'

/**
 * Set-up of the journeys: the product starts for the first time, on an empty folder, and stops. Those that start
 * later without a folder that is given begin with a copy of this one, so that the demo is filled in once.
 */
export default async function setup(project: TestProject) {
  const first = await startProduct()
  await first.stop()
  project.config.env = { ...project.config.env, TEMPLATE_DIR: first.dataDir }
  return first.remove
}
