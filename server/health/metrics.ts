import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { fail } from '#contract/errors.ts'
import type { World } from '../context.ts'
import { isDirectLoopback } from '../http/serve.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call's name in the contract. */
    name?: string
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Writes one log entry and one measurement per answer. Uses the route pattern, since paths can hold codes and emails. */
export function watchAnswers(app: FastifyInstance, { env, log }: World): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'vetchat_answer_seconds',
    help: 'How long answers took, by call and status',
    labelNames: ['method', 'call', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const call = request.routeOptions.config.name ?? request.routeOptions.url ?? 'none'
    seconds.observe({ method: request.method, call, status: reply.statusCode }, reply.elapsedTime / 1000)
    log.info({
      event: 'answered',
      method: request.method,
      call,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.caller && { as: request.caller.actor.kind }),
    })
  })
  app.get('/api/metrics', async (request, reply) => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const bears =
      token !== undefined &&
      env.metricsToken !== undefined &&
      timingSafeEqual(digest(token), digest(env.metricsToken))
    const allowed = bears || isDirectLoopback(request)
    if (!allowed) fail('UNKNOWN_CALL')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
