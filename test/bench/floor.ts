import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * What the product is measured beside: a bare Fastify that runs the same SQL with the same driver, and serves
 * files. Started as a process of its own with one line of JSON.
 */
export interface FloorOrder {
  port: number
  folder?: string
  databaseUrl?: string
  /** Run one after the other for each GET /user/me; the last row is the answer. */
  queries?: { text: string; values: unknown[] }[]
}

const { port, folder, databaseUrl, queries = [] } = JSON.parse(process.argv[2]!) as FloorOrder

const app = Fastify()
if (databaseUrl) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  await pool.query('select 1')
  app.get('/user/me', async () => {
    let answer: unknown
    for (const query of queries) answer = (await pool.query({ ...query })).rows[0]
    return answer
  })
}
if (folder)
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    index: ['page.html'],
    wildcard: true,
  })
app.get('/api/health', () => ({ ok: true }))
await app.listen({ port, host: '127.0.0.1' })
