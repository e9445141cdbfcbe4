import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { fail } from '#contract/errors.ts'
import type { World } from '../context.ts'
import { isDirectLoopback } from '../http/serve.ts'
import { whoOf } from '../identity/session.ts'
import { answersSoon, serviceFigures, type ServiceFigures } from './reads.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call's name in the contract. */
    name?: string
  }
}

/** What this instance knows about itself. */
export interface Instance {
  sockets: () => number
  /** Null with the embedded database, which has one connection. */
  pool: { totalCount: number; idleCount: number; waitingCount: number } | null
  /** Whether the configured way to reach other instances with live messages works. */
  isCarrierUp: () => boolean
  /** Whether the file store takes files. */
  areFilesUp: () => boolean
}

const OF_INSTANCE: [name: string, help: string, read: (instance: Instance) => number][] = [
  ['vetchat_sockets', 'Open sockets', ({ sockets }) => sockets()],
  ['vetchat_database_connections', 'Open connections to the database', ({ pool }) => pool?.totalCount ?? 1],
  ['vetchat_database_idle_connections', 'Those of them that do nothing', ({ pool }) => pool?.idleCount ?? 0],
  [
    'vetchat_database_waiting',
    'Statements that wait for a connection',
    ({ pool }) => pool?.waitingCount ?? 0,
  ],
  [
    'vetchat_carrier_up',
    'Whether live messages reach the other instances the way that is configured',
    ({ isCarrierUp }) => Number(isCarrierUp()),
  ],
  ['vetchat_files_up', 'Whether the file store takes files', ({ areFilesUp }) => Number(areFilesUp())],
]

const ofService: { [Name in keyof ServiceFigures]: { name: string; help: string } } = {
  waiting: { name: 'vetchat_queue_waiting', help: 'Consults that wait for a vet' },
  oldestWait: { name: 'vetchat_queue_oldest_seconds', help: 'How long the oldest of them has waited' },
  late: { name: 'vetchat_queue_late', help: 'Those of them that wait longer than we promise' },
  inProgress: { name: 'vetchat_consults_in_progress', help: 'Consults that a vet has taken' },
  onDuty: { name: 'vetchat_vets_on_duty', help: 'Vets on duty' },
  mailsDue: { name: 'vetchat_mails_due', help: 'Mails that are due' },
  oldestMail: { name: 'vetchat_mails_oldest_seconds', help: 'How long the oldest of them has been due' },
  unfinished: { name: 'vetchat_purchases_unfinished', help: 'Purchases under way for more than a minute' },
  refundsDue: { name: 'vetchat_refunds_due', help: 'Refunds that the payment provider hasn’t accepted' },
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Writes one log entry and one measurement per answer. Uses the route pattern, since paths can contain codes and emails. */
export function watchAnswers(app: FastifyInstance, world: World, instance: Instance): Registry {
  const { env } = world
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'vetchat_answer_seconds',
    help: 'How long answers took, by call and status',
    labelNames: ['method', 'call', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  })
  for (const [name, help, read] of OF_INSTANCE)
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read(instance))
        },
      }),
    )
  const databaseUp = new Gauge({
    name: 'vetchat_database_up',
    help: 'Whether the database answers; if not, the figures that it holds are NaN',
    registers,
  })
  const service = Object.entries(ofService).map(
    ([figure, { name, help }]) =>
      [figure as keyof ServiceFigures, new Gauge({ name, help, registers })] as const,
  )
  app.addHook('onResponse', async (request, reply) => {
    const call = request.routeOptions.config.name ?? request.routeOptions.url ?? 'none'
    seconds.observe({ method: request.method, call, status: reply.statusCode }, reply.elapsedTime / 1000)
    request.log.info({
      event: 'answered',
      method: request.method,
      call,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...whoOf(request.caller),
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
    const figures = await answersSoon(serviceFigures(world))
    databaseUp.set(Number(figures !== undefined))
    for (const [figure, gauge] of service) gauge.set(figures?.[figure] ?? NaN)
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return registry
}

/** What only a person can settle. deploy/alerts.yml has an alert for each. */
export const NEED_A_PERSON = [
  'mail given up',
  'refund refused',
  'refund failed',
  'charge disputed',
  'ledger does not add up',
  'ledger not checked',
  'purchase given up',
  'paid after it was closed',
  'feed waiting',
]

/**
 * Counts logged events, so that an alert can be set for each event in docs/running.md. Prometheus sees no increase in a
 * count that first appears as 1, so the counts that alerts need are there from the start.
 */
export function countEvents(registry: Registry, events: ReadonlyMap<string, number>) {
  registry.registerMetric(
    new Counter({
      name: 'vetchat_events_total',
      help: 'Log entries, by event',
      labelNames: ['event'],
      registers: [],
      collect() {
        this.reset()
        for (const event of NEED_A_PERSON) this.inc({ event }, 0)
        for (const [event, times] of events) this.inc({ event }, times)
      },
    }),
  )
}

/** Measures what the clock's jobs do. Prometheus keeps the label `job` for itself. */
export function watchJobs(registry: Registry) {
  const registers = [registry]
  const seconds = new Histogram({
    name: 'vetchat_job_seconds',
    help: 'How long jobs took, by name',
    labelNames: ['name'],
    buckets: [0.01, 0.1, 1, 10, 60],
    registers,
  })
  const failed = new Counter({
    name: 'vetchat_jobs_failed_total',
    help: 'Jobs that failed, by name',
    labelNames: ['name'],
    registers,
  })
  return (job: string, ms: number, hasFailed: boolean) => {
    seconds.observe({ name: job }, ms / 1000)
    failed.inc({ name: job }, Number(hasFailed))
  }
}
