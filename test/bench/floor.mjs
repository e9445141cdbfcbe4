import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import pg from 'pg'

// The floor for the product: a bare Fastify that runs the same SQL with the same driver, and serves
// files. Runs as a separate process, started with one line of JSON. Plain JavaScript needs no type stripping.
const { port, folder, databaseUrl, queries = [] } = JSON.parse(process.argv[2])

const app = Fastify()
if (databaseUrl) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  await pool.query('select 1')
  app.get('/sql', async () => {
    const answers = []
    for (const query of queries) answers.push((await pool.query({ ...query })).rows)
    return answers
  })
}
if (folder) await app.register(fastifyStatic, { root: folder, preCompressed: true })
app.get('/api/health', () => ({ ok: true }))
await app.listen({ port, host: '127.0.0.1' })
