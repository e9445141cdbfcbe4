import { execFileSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { createDatabase, findPostgres, startPostgres } from '#test/postgres.ts'
import { onPostgres, startProduct } from './product.ts'

/**
 * Set-up of the journeys: the product starts for the first time, on an empty folder, and stops. Those that start
 * later without a folder that is given begin with a copy of this one, so that the demo is filled in once. The same
 * goes for a database of PostgreSQL, where there is one.
 */
export default async function setup(project: TestProject) {
  // The journeys use what is built, so a change to the sources must be in it.
  execFileSync(process.execPath, ['scripts/ready.mjs', 'build'], { stdio: 'inherit' })
  const first = await startProduct()
  await first.stop()
  project.config.env = { ...project.config.env, TEMPLATE_DIR: first.dataDir }
  if (!findPostgres()) return first.remove
  const server = await startPostgres()
  await createDatabase(server.url, async (url) => {
    const filled = await startProduct({ env: onPostgres(url) })
    await filled.stop()
    await filled.remove()
  })
  project.config.env = { ...project.config.env, TEST_DATABASE_URL: server.url }
  return async () => {
    await Promise.all([first.remove(), server.stop()])
  }
}
