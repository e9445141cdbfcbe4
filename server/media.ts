import type { FastifyInstance } from 'fastify'
import { fail } from '#contract/errors.ts'
import { signedName } from './chat/rules.ts'
import { attachmentKey } from './consultations/rules.ts'
import type { World } from './context.ts'
import { isSigned, SIGNED_DAYS, type Signed } from './signed.ts'

const YEAR = 365 * 86_400

/** Pictures of pets are public under names that nobody can guess; a name never changes its content. */
export function serveMedia(app: FastifyInstance, { files, secret, now }: World): void {
  app.get<{ Params: { name: string } }>('/media/pets/:name', async ({ params }, reply) => {
    const file = (await files.get(`pets/${params.name}`)) ?? fail('NOT_FOUND')
    return reply
      .header('cache-control', `public, max-age=${YEAR}, immutable`)
      .header('content-length', file.size)
      .type(file.type)
      .send(file.stream)
  })
  app.get<{ Params: { name: string }; Querystring: Signed }>(
    '/media/consultations/:name',
    async ({ params: { name }, query }, reply) => {
      if (!isSigned(secret, now(), signedName(name), query)) fail('NOT_FOUND')
      const file = (await files.get(attachmentKey(name))) ?? fail('NOT_FOUND')
      return reply
        .header('cache-control', `private, max-age=${SIGNED_DAYS * 86_400}`)
        .header(
          'content-security-policy',
          "sandbox; default-src 'none'; media-src 'self'; style-src 'unsafe-inline'",
        )
        .header('content-disposition', name.endsWith('.pdf') ? 'attachment' : 'inline')
        .header('content-length', file.size)
        .type(file.type)
        .send(file.stream)
    },
  )
  app.all('/media/*', () => fail('NOT_FOUND'))
}
