import type { AddressInfo } from 'node:net'
import type { Region } from '#contract/regions.ts'
import { DAY } from '#contract/time.ts'
import { WrongEnv, readEnv, siteOf, type Env } from './env.ts'
import { secretIn, type Secrets } from './identity/secrets.ts'

const STOP_WITHIN = 9000
/** The origins that the provider's script loads from and talks to. */
const STRIPE_HOSTS = [
  'https://js.stripe.com',
  'https://*.js.stripe.com',
  'https://api.stripe.com',
  'https://hooks.stripe.com',
]

/** Prints in one line why the product can't run, and exits. */
function refuse(line: string): never {
  process.stderr.write(`VetChat can’t start: ${line}\n`)
  process.exit(1)
}

/** Without SECRET we make one and keep it beside the embedded database. */
function secretsOf({ secret, secretAlso, dataDir }: Env): Secrets {
  const bytes = (text: string) => new TextEncoder().encode(text)
  if (secret) return secretAlso ? [bytes(secret), bytes(secretAlso)] : [bytes(secret)]
  return [bytes(secretIn(dataDir))]
}

function envOrRefuse(): Env {
  try {
    return readEnv()
  } catch (error) {
    if (error instanceof WrongEnv) refuse(error.message)
    throw error
  }
}

/** Refuses to start because a variable's target is out of reach. */
const unreachable = (name: string) => (error: NodeJS.ErrnoException) =>
  refuse(`${name} can’t be opened: ${(error.message || String(error.code)).split('\n')[0]}`)

// Other users of this machine must not read records and pictures.
process.umask(0o077)
const env = envOrRefuse()

/** During the start there is nothing to close yet. */
let close = async () => {}
let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(0), STOP_WITHIN).unref()
  await close()
  process.exit(0)
}
process.on('SIGTERM', stop).on('SIGINT', stop)

const { DatabaseInUse, openEmbedded, openPostgres } = await import('./db/client.ts')
// The database opens while the modules load.
const opening = (env.databaseUrl ? openPostgres(env.databaseUrl) : openEmbedded(env.dataDir)).catch(
  (error: NodeJS.ErrnoException) => {
    if (error instanceof DatabaseInUse) refuse(error.message)
    return unreachable(env.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR')(error)
  },
)
const [
  { buildApp },
  { openClock },
  { openFiles },
  { openPostman },
  { openTexter },
  { openPayments },
  { openCarrier },
  { pages },
  { standardOutput },
  { reachesSandbox },
  { holdsDemo, seed },
  { readingAddresses },
  { previewed },
  { readDraftCode },
  { presentOf },
  { sellerIn, soldBy },
] = await Promise.all([
  import('./app.ts'),
  import('./jobs/moved-clock.ts'),
  import('./providers/files.ts'),
  import('./providers/mail.ts'),
  import('./providers/sms.ts'),
  import('./providers/stripe.ts'),
  import('./providers/carrier.ts'),
  import('./http/pages.ts'),
  import('./http/log.ts'),
  import('./http/serve.ts'),
  import('./db/seed.ts'),
  import('./library/reads.ts'),
  import('./content/reads.ts'),
  import('./content/rules.ts'),
  import('./queue/reads.ts'),
  import('./ledger/rules.ts'),
])
const database = await opening
if (env.looksReal && !env.demo && (await holdsDemo(database.db))) {
  await database.close()
  refuse(
    'DEMO is off and this looks like production, but the database holds demo data. Start with an empty database',
  )
}
await seed(database.db, env)
const carrier = await openCarrier(env, database).catch(unreachable('REDIS_URL'))
const files = openFiles(env)
await files.check().catch(unreachable('FILES_URL'))
const clock = await (env.stripe ? undefined : openClock(database))
const secrets = secretsOf(env)
const built = await buildApp({
  env,
  database,
  secrets,
  files,
  postman: openPostman(env),
  texter: openTexter(env),
  payments: openPayments(env, { db: database.db, now: clock?.now ?? (() => new Date()), secret: secrets[0] }),
  ...(clock && { clock }),
  carrier,
  logStream: standardOutput,
})
const { app, world } = built
process.on('uncaughtException', (error) => {
  world.log.fatal({ event: 'crashed', err: error })
  process.exit(1)
})
close = async () => {
  world.log.info({ event: 'stopping' })
  await built.stop()
  await carrier.close()
  await database.close()
}

let contentVersion = 0
await database.listen('content', () => void contentVersion++)
const { support, wording, legalEntities, shops } = env
/** What the configuration says about a region, for its pages. */
function regionally(region: Region) {
  const reach = {
    ...(support.phone[region] && { phone: support.phone[region] }),
    ...(support.whatsapp[region] && { whatsapp: support.whatsapp[region] }),
    ...(support.email[region] && { email: support.email[region] }),
  }
  return {
    ...(Object.keys(reach).length > 0 && { reach }),
    ...(wording[region] && { wording: wording[region] }),
    ...(legalEntities[region] && { legal: sellerIn(region, soldBy(region, env)) }),
    ...(shops[region] && { shop: shops[region] }),
  }
}
await pages(
  app,
  {
    mode: env.mode,
    siteOf: (host) => {
      const site = siteOf(env.sites, host)
      const others = env.sites.filter((other) => other !== site)
      return {
        ...site,
        others,
        ...regionally(site.region),
        ...(env.analyticsUrl !== undefined && { analytics: true as const }),
      }
    },
    ask: (definition, input, region, address, draft) => {
      const ask = () => built.ask(definition, input, region, address)
      return (draft === null ? ask() : previewed(world, draft, definition, ask)) as never
    },
    isDraft: (code) => readDraftCode(secrets, world.now(), code) !== null,
    // Public pages also show figures that are measured each day.
    version: () => `${contentVersion}.${Math.floor(world.now().getTime() / DAY)}`,
    present: (region) => presentOf(world, region),
    cardKey: world.payments.publishableKey,
    expo: env.expo,
    readings: () => readingAddresses(world),
    ...(env.stripe && { providerHosts: STRIPE_HOSTS }),
    takesCards: (request) =>
      !world.payments.isOff && (env.stripe !== undefined || reachesSandbox(env, 'payments', request)),
    reachesSandbox: (of, request) => reachesSandbox(env, of, request),
  },
  world,
)

// In development Vite also listens for SIGTERM and would end the process too early.
process.removeAllListeners('SIGTERM').on('SIGTERM', stop)

await app.listen({ port: env.port, host: env.host }).catch(async (error: NodeJS.ErrnoException) => {
  await close()
  if (error.code === 'EADDRINUSE') refuse(`PORT ${env.port} on ${env.host} is taken by another program`)
  if (error.code === 'EACCES') refuse(`PORT ${env.port} needs rights that this user does not have`)
  unreachable('HOST')(error)
})
const { port } = app.server.address() as AddressInfo
world.log.info({
  event: 'listening',
  host: env.host,
  port,
  mode: env.mode,
  database: env.databaseUrl ? 'postgres' : 'embedded',
})
const here = `http://${env.host.includes(':') ? `[${env.host}]` : env.host}:${port}`
process.stderr.write(`\nVetChat is at ${here}\n`)
if (env.demo)
  process.stderr.write(
    `Demo accounts, password Demo1234: owner@demo.vetchat.example, lapsed@…, new@…, petstock@…, vet@…, vet2@…, vet-au@…, admin@…; clinics democlinic and kloofview, which has a month of calls\n`,
  )
if (env.isIdle)
  process.stderr.write('JOBS is off: this instance sends nothing, charges nobody and runs no jobs\n')
else if (world.payments.isOff)
  process.stderr.write(
    'Nothing is sold: SANDBOX is off and STRIPE_SECRET_KEY is not set, so purchases are refused\n',
  )
if (!env.smtpUrl && env.sandbox !== 'off')
  process.stderr.write(`Mail is not sent; read it at ${here}/sandbox/mail\n`)
if (!env.smsUrl && env.sandbox !== 'off')
  process.stderr.write(`SMS are not sent; read them at ${here}/sandbox/sms\n`)

// Returns the memory that loading took: 143 MiB when idle instead of 188. A bare Fastify takes 78.
void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
