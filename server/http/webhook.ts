import type { FastifyInstance } from 'fastify'
import { fail } from '#contract/errors.ts'
import type { World } from '../context.ts'
import type { ProviderEvent } from '../providers/payments.ts'

const LARGEST = 1024 * 1024

/**
 * Where the payment provider tells of what happened. Its signature is over the body's very bytes, so these are read as
 * they come. What is answered with an error the provider sends again.
 */
export function serveWebhook(
  app: FastifyInstance,
  { payments, log }: World,
  apply: (event: ProviderEvent) => Promise<void>,
): void {
  void app.register(async (hook) => {
    hook.removeAllContentTypeParsers()
    hook.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    hook.post(
      '/api/stripe/webhook',
      { bodyLimit: LARGEST, config: { name: 'webhook' } },
      async (request, reply) => {
        const signature = request.headers['stripe-signature']
        const event =
          Buffer.isBuffer(request.body) && typeof signature === 'string'
            ? await payments.eventOf(request.body, signature)
            : null
        if (!event) {
          log.warn({ event: 'webhook refused' })
          return fail('MALFORMED')
        }
        await apply(event)
        return reply.header('cache-control', 'no-store').send({})
      },
    )
  })
}
