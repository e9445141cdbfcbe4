import { execFileSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { createDatabase, findPostgres, startPostgres } from '#test/postgres.ts'
import { onPostgres, startProduct } from './product.ts'

/**
 * Set-up of the journeys: a product starts on an empty folder, and stops. Products that start later without a folder
 * of their own begin with a copy of this one, so that the demo is filled in once. The same goes for a PostgreSQL
 * database, if there is one.
 */
export default async function setup(project: TestProject) {
  // The journeys use what is built, so a change to the sources must be in it.
  execFileSync(process.execPath, ['scripts/ready.mjs', 'build'], { stdio: 'inherit' })
  const [first, server] = await Promise.all([filledFolder(), findPostgres() ? filledPostgres() : undefined])
  project.config.env = { ...project.config.env, TEMPLATE_DIR: first.dataDir }
  if (!server) return first.remove
  project.config.env = { ...project.config.env, TEST_DATABASE_URL: server.url }
  return async () => {
    await Promise.all([first.remove(), server.stop()])
  }
}

async function filledFolder() {
  const product = await startProduct()
  await product.stop()
  return product
}

async function filledPostgres() {
  const server = await startPostgres()
  await createDatabase(server.url, async (url) => {
    const product = await startProduct({ env: onPostgres(url) })
    await product.stop()
    await product.remove()
  })
  return server
}
