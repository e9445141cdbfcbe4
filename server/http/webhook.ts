import type { FastifyInstance } from 'fastify'
import { fail } from '#contract/errors.ts'
import type { World } from '../context.ts'
import type { ProviderEvent } from '../providers/payments.ts'

export const WEBHOOK = '/api/stripe/webhook'
const LARGEST = 1024 * 1024

/**
 * Receives the payment provider's events. The signature covers the exact bytes of the body, so we read it raw. The
 * provider repeats an event that we answer with an error.
 */
export function serveWebhook(
  app: FastifyInstance,
  { payments, log }: World,
  apply: (event: ProviderEvent) => Promise<void>,
): void {
  void app.register(async (hook) => {
    hook.removeAllContentTypeParsers()
    hook.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    hook.post(WEBHOOK, { bodyLimit: LARGEST, config: { name: 'webhook' } }, async (request, reply) => {
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
    })
  })
}
