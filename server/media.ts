import type { FastifyInstance } from 'fastify'
import { fail } from '#contract/errors.ts'
import type { World } from './context.ts'

const YEAR = 365 * 86_400

/** Pictures of pets are public under names that nobody can guess; a name never changes its content. */
export function serveMedia(app: FastifyInstance, { files }: World): void {
  app.get<{ Params: { name: string } }>('/media/pets/:name', async ({ params }, reply) => {
    const file = (await files.get(`pets/${params.name}`)) ?? fail('NOT_FOUND')
    return reply
      .header('cache-control', `public, max-age=${YEAR}, immutable`)
      .header('content-length', file.size)
      .type(file.type)
      .send(file.stream)
  })
  app.all('/media/*', () => fail('NOT_FOUND'))
}
