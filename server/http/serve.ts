import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { type Access, type Call, type Event, type Parsed, people } from '#contract/call.ts'
import { fail, failAt, sentenceOf } from '#contract/errors.ts'
import { AT_WORK, LIMITS, UPLOADS_AT_WORK } from '#contract/limits.ts'
import { REGIONS, type Region } from '#contract/regions.ts'
import { atOnce } from '../concurrency/at-once.ts'
import { hashOf } from '../identity/secrets.ts'
import { withFiles } from './body.ts'
import { sendCompressed } from './compression.ts'
import type { Actor, Ctx, World } from '../context.ts'
import { isSecure, siteOf, type Env } from '../env.ts'
import { countedFor, withMark } from '../identity/browser-marks.ts'
import { checkHuman } from '../identity/human-check.ts'
import { networkOf, refuse, take, tryTake } from '../identity/limits.ts'
import { countingUnderWay, underWay } from '../concurrency/under-way.ts'
import { callerOf, fileMark, viewerOf, whoOf, type Caller } from '../identity/session.ts'
import { Streamed } from './streamed.ts'
import { isKnown } from './answers.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Answers with this many bytes are worth compressing. We compress only what anyone may read: if an answer had a secret
 * and a stranger's words in it, its length could give the secret away.
 */
const SMALL = 1000

/** All calls and events are answered by functions of this shape. */
export type Handler<D extends Call | Event> = (
  ctx: Ctx<D['access']>,
  input: Parsed<D>,
) => Promise<Answer<D>> | Answer<D>
type Answer<D extends Call | Event> = z.core.input<D['output']> | Streamed<z.core.input<D['output']>>

type Of<M, Kind> = { [K in keyof M as M[K] extends { kind: Kind } ? K : never]: M[K] }
type Handlers<M, D extends Call | Event> = { [K in keyof M]: M[K] extends D ? Handler<M[K]> : never }

/** The version of a read. While it stays the same, so does the answer to the same caller and address. */
type Version<D extends Call> = (ctx: Ctx<D['access']>) => Promise<string>
type Versions<M> = { [K in keyof M]?: M[K] extends Call ? Version<M[K]> : never }

export interface Served<D extends Call | Event = Call | Event> {
  name: string
  definition: D
  handler: (ctx: never, input: never) => unknown
  version?: (ctx: never) => Promise<string>
}

/** Each call of a contract file is answered by the export of its name. */
const pair = <D extends Call | Event>(kind: D['kind'], contract: object, handlers: object): Served<D>[] =>
  Object.entries(contract as Record<string, Partial<D>>).flatMap(([name, definition]) =>
    definition.kind === kind
      ? { name, definition: definition as D, handler: (handlers as Record<string, Served['handler']>)[name]! }
      : [],
  )

/** Pairs the calls of a contract file with what a slice exports. A missing or wrong handler doesn't compile. */
export const serve = <M extends object>(
  contract: M,
  handlers: Handlers<Of<M, 'call'>, Call>,
  versions: Versions<Of<M, 'call'>> = {},
) =>
  pair<Call>('call', contract, handlers).map((one): Served<Call> => {
    const version = versions[one.name as keyof typeof versions]
    return version ? { ...one, version } : one
  })

/** The same for socket events. */
export const listen = <M extends object>(contract: M, handlers: Handlers<Of<M, 'event'>, Event>) =>
  pair<Event>('event', contract, handlers)

/** A guest's or a clinic's token counts as no token on calls that aren't theirs, so that pages lead to signing in. */
export function admit(access: Access, actor: Actor | null): void {
  if (access === 'anyone' || (actor && access.includes(actor.kind))) return
  const isPerson = people.some((kind) => kind === actor?.kind)
  fail(isPerson ? 'NOT_THIS_ROLE' : 'UNAUTHORIZED')
}

const DEEPEST = 30
const MOST_PARTS = 5000

/**
 * Finds the field that PostgreSQL can't store because its text has a NUL, at any depth of the input. We also refuse
 * input that is nested deeply or has very many parts: no call needs it, and searching it could overflow or take too long.
 * A lone surrogate, such as half an emoji, can't be stored either and is replaced. For a field whose name is harmful, we
 * report the field around it.
 */
function harmIn(value: unknown, path: string[] = [], seen = { parts: 0 }): string[] | undefined {
  if (seen.parts++ > MOST_PARTS || path.length > DEEPEST) return path.slice(0, 1)
  if (typeof value === 'string') return value.includes('\0') ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const parts = value as Record<string, unknown>
  for (const key in parts) {
    const part = parts[key]
    if (key.includes('\0') || !key.isWellFormed()) return path
    const harm = harmIn(part, [...path, key], seen)
    if (harm) return harm
    if (typeof part === 'string' && !part.isWellFormed()) parts[key] = part.toWellFormed()
  }
  return undefined
}

const nameOf = (path: PropertyKey[]) => path.join('.') || 'input'

type Parts = Record<PropertyKey, unknown>

/**
 * Many programs send null for a field that they leave out. Where a call has no meaning for null, it counts as left out.
 * Returns whether there was such a field.
 */
function dropNulls(raw: unknown, issues: readonly z.core.$ZodIssue[]): boolean {
  let dropped = false
  for (const { path, input } of issues) {
    if (input !== null) continue
    const name = path.at(-1)
    const holder = path
      .slice(0, -1)
      .reduce((part, step) => part?.[step] as Parts | undefined, raw as Parts | undefined)
    if (name === undefined || Array.isArray(holder) || holder?.[name] !== null) continue
    delete holder[name]
    dropped = true
  }
  return dropped
}

export function readInput<D extends Call | Event>(definition: D, raw: unknown): Parsed<D> {
  const harm = harmIn(raw)
  if (harm) failAt(nameOf(harm), 'INVALID_INPUT')
  const read = () =>
    z.safeParse(definition.input, raw, { error: () => sentenceOf('INVALID_INPUT'), reportInput: true })
  let result = read()
  if (!result.success && dropNulls(raw, result.error.issues)) result = read()
  if (result.success) return result.data as Parsed<D>
  const fields: Record<string, string> = {}
  for (const { path, message } of result.error.issues) fields[nameOf(path)] ??= message
  return fail('INVALID_INPUT', { fields, errors: [...new Set(Object.values(fields))] })
}

/** Runs a handler and sends only the fields that the contract has. */
export async function answer({ definition, handler }: Served, ctx: Ctx, input: unknown): Promise<unknown> {
  const said = await handler(ctx as never, input as never)
  return said instanceof Streamed ? said : z.parse(definition.output, said)
}

const BROWSER_COOKIE = 'vetchat_browser'
const BROWSER_DAYS = 400
const BROWSER_MARK = new RegExp(`(?:^|; )${BROWSER_COOKIE}=([\\w.-]{1,400})`)

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may take as long as a file over a slow connection. */
    upload?: boolean
  }
  interface FastifyRequest {
    caller: Caller | null
    /** Seconds until the call's limit is open again, 0 if it is. */
    wait: number
  }
}

/** Dangerous actions need the password again, because somebody else may be using an open session. */
const again = (caller: Caller | null) => void (caller?.gavePassword || fail('PASSWORD_AGAIN'))

/** Reads that anyone may repeat freely. They also answer HEAD, for monitors. */
const isPublicRead = ({ method, access, effect, limit, sandbox }: Call) =>
  method === 'GET' && access === 'anyone' && !effect && !limit && !sandbox

const COUNTS_FOR = AT_WORK.seconds * 1000

const nameOfActor = (actor: Actor) => Object.values(whoOf({ actor })).join(' ')

/** A caller who begins many things at once waits for their own, and holds nobody else up. */
export const inPlace = <T>(actor: Actor, work: () => Promise<T>) =>
  atOnce(nameOfActor(actor), AT_WORK.session, work, COUNTS_FOR)

export function mountCalls(app: FastifyInstance, world: World, served: Served<Call>[]): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('wait', 0)
  for (const one of served) {
    const { definition, name } = one
    const { method, path: url, upload, effect } = definition
    app.route({
      method,
      url,
      exposeHeadRoute: isPublicRead(definition),
      config: { name, upload: upload !== undefined },
      preParsing: (request, reply) => receive(world, definition, request, reply),
      handler: async (request, reply) => {
        const respond = (body: unknown) => {
          const begin = () => respondTo(world, one, request, reply, body)
          if (request.caller) return inPlace(request.caller.actor, begin)
          return atOnce(countedFor(callingFrom(world, request)), AT_WORK.address, begin, COUNTS_FOR)
        }
        if (!upload) {
          if (request.isMultipart()) fail('WRONG_CONTENT_TYPE')
          return respond(request.body)
        }
        const who = request.caller ? nameOfActor(request.caller.actor) : networkOf(request.ip)
        if (underWay(`uploads of ${who}`) >= UPLOADS_AT_WORK) refuse(60)
        return countingUnderWay(`uploads of ${who}`, () => withFiles(request, upload, world, respond))
      },
    })
    if (effect) app.route({ method: 'HEAD', url, handler: () => fail('METHOD_NOT_ALLOWED') })
  }
}

/** Admits who calls, and takes from the call's limit, before the body is read. */
async function receive(world: World, definition: Call, request: FastifyRequest, reply: FastifyReply) {
  const { access, effect, limit, sandbox } = definition
  // Pages take the time from here, so waits and sessions follow a moved clock too.
  reply.headers({ 'cache-control': 'no-store', date: world.now().toUTCString() })
  const purposes = `${request.headers['sec-purpose']} ${request.headers['purpose']}`
  if (effect && /prefetch|prerender/.test(purposes)) fail('METHOD_NOT_ALLOWED')
  if (sandbox && !reachesSandbox(world.env, sandbox, request)) fail('UNKNOWN_CALL')
  const { region } = siteOf(world.env.sites, request.host)
  const named = request.headers['app_module']
  const expected = REGIONS[region].appModule
  if (named !== undefined && named !== expected) fail('WRONG_REGION', { values: { expected } })
  request.caller = await callerFrom(world, request.headers.authorization)
  if (request.caller?.isSettingUp && !definition.settingUp) {
    admit(access, request.caller.actor)
    if (access !== 'anyone') fail('FACTOR_REQUIRED')
    request.caller = null
  }
  admit(access, request.caller?.actor ?? null)
  if (definition.again === true) again(request.caller)
  if (limit) {
    const wait = await tryTake(world, limit, countedFor(callingFrom(world, request)))
    if (wait > 0 && LIMITS[limit].full !== 'human check') refuse(wait)
    request.wait = wait
  }
}

async function respondTo(
  world: World,
  one: Served<Call>,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
) {
  const { definition } = one
  const { method, files } = definition
  // Secrets must not appear in an address, so these calls read only the body.
  const sent = method === 'POST' || method === 'PUT' ? body : request.query
  const raw = { ...asObject(sent), ...(request.params as object) }
  if (request.caller?.renewed) reply.header('x-vetchat-token', request.caller.renewed)
  if (files) setFileCookie(world, request, reply, files)
  const input = readInput(definition, raw)
  const ctx = contextOf(world, request, reply, definition, raw)
  if (one.version && hasIt(request, reply, await one.version(ctx as never))) return reply.code(304).send()
  if (request.wait > 0) await ctx.human('try_again', request.wait)
  const said = await answer(one, ctx, input)
  if (said instanceof Streamed) return reply.type(JSON_TYPE).send(Readable.from(said.pieces))
  // Fastify would send an empty answer for null.
  if (said === null) return reply.type(JSON_TYPE).send('null')
  if (!isPublicRead(definition)) return said
  const json = Buffer.from(JSON.stringify(said))
  return json.length < SMALL ? said : sendCompressed(request, reply.type(JSON_TYPE), json)
}

const FILE_COOKIE = 'vetchat_files'
const FILE_COOKIES: Partial<Record<Actor['kind'], string>> = {
  guest: `${FILE_COOKIE}_guest`,
  clinic: `${FILE_COOKIE}_clinic`,
}

/**
 * The browser requests pictures and films without our token, so it gets a cookie for the session. A person, a guest and
 * a clinic may share a browser.
 */
function setFileCookie(world: World, request: FastifyRequest, reply: FastifyReply, files: Call['files']) {
  const secure = isSecure(siteOf(world.env.sites, request.host)) ? '; Secure' : ''
  const set = (name: string, value: string) =>
    reply.header('set-cookie', `${name}=${value}; Path=/media; HttpOnly; SameSite=Strict${secure}`)
  if (files === 'closed')
    for (const name of [FILE_COOKIE, ...Object.values(FILE_COOKIES)]) set(name, '; Max-Age=0')
  if (files !== 'opened' || !request.caller) return
  const { kind, sessionId } = request.caller.actor
  set(FILE_COOKIES[kind] ?? FILE_COOKIE, fileMark(world.secrets, sessionId))
}

const FILE_MARKS = new RegExp(`(?:^|; )${FILE_COOKIE}(?:_(?:guest|clinic))?=([\\w.-]{1,200})`, 'g')

/** Everyone that a browser may be when it requests a file. */
export async function viewersOf(world: World, { headers }: FastifyRequest): Promise<Actor[]> {
  const marks = [...(headers.cookie ?? '').matchAll(FILE_MARKS)].slice(0, 3)
  const found = await Promise.all([
    callerFrom(world, headers.authorization).then((caller) =>
      caller?.isSettingUp ? undefined : caller?.actor,
    ),
    ...marks.map(([, mark]) => viewerOf(world, mark!)),
  ])
  return found.filter((actor) => actor !== null && actor !== undefined)
}

/** Tags the answer with the version read before it, and says whether the caller already has that version. */
function hasIt({ caller, headers }: FastifyRequest, reply: FastifyReply, version: string) {
  const etag = `W/"${version}.${caller?.actor.sessionId ?? ''}"`
  reply.header('etag', etag)
  return isKnown(headers['if-none-match'], etag)
}

const LOOPBACK_HOST = /^(([\w-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
const FORWARDED =
  /^(forwarded|via|x-forwarded.*|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-.*)$/

/**
 * Whether a connection comes straight from this machine. A proxy shows in its headers, in the site's name as the host
 * or, like nginx without any settings, in HTTP/1.0.
 */
export const isDirectLoopback = ({ socket, headers, raw }: FastifyRequest) =>
  raw.httpVersion !== '1.0' &&
  /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '') &&
  LOOPBACK_HOST.test(headers.host ?? '') &&
  !Object.keys(headers).some((header) => FORWARDED.test(header))

/** The sandbox answers only while it replaces a provider. */
export function reachesSandbox(
  { sandbox, smtpUrl, smsUrl, stripe }: Env,
  of: 'mail' | 'sms' | 'payments',
  request: FastifyRequest,
) {
  const provider = { mail: smtpUrl, sms: smsUrl, payments: stripe }[of]
  if (provider !== undefined) return false
  return sandbox === 'open' || (sandbox === 'loopback' && isDirectLoopback(request))
}

export function asObject(body: unknown): object {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) fail('MALFORMED')
  return body
}

async function callerFrom(world: World, authorization: string | undefined): Promise<Caller | null> {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  return token ? callerOf(world, token) : null
}

export const contextFor = (world: World, region: Region, actor: Actor | null, own: Partial<Ctx>): Ctx => ({
  ...world,
  actor,
  region,
  address: '',
  agent: '',
  idempotency: null,
  join: () => {},
  leave: () => {},
  isIn: () => false,
  browserMark: '',
  markBrowser: () => {},
  human: humanOf(world, undefined),
  passwordAgain: () => fail('PASSWORD_AGAIN'),
  ...own,
})

/** The human check of one request. A solution works once, so a second question gets the first one's answer. */
function humanOf(world: World, solution: unknown): Ctx['human'] {
  let passed: Promise<void> | undefined
  return (action, wait) => {
    if (typeof solution === 'string' && solution !== '')
      return (passed ??= checkHuman(world, action, solution))
    return wait ? refuse(wait, { body: { human: action } }) : checkHuman(world, action, undefined)
  }
}

const callingFrom = ({ secrets }: World, { caller, headers, ip }: FastifyRequest) => ({
  secrets,
  actor: caller?.actor ?? null,
  address: networkOf(ip),
  browserMark: BROWSER_MARK.exec(headers.cookie ?? '')?.[1] ?? '',
})

function contextOf(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  definition: Call,
  input: { userConfirmation?: unknown },
): Ctx {
  const site = siteOf(world.env.sites, request.host)
  const { actor, address, browserMark } = callingFrom(world, request)
  return contextFor(world, site.region, actor, {
    address,
    browserMark,
    human: humanOf(world, input.userConfirmation),
    passwordAgain: () => again(request.caller),
    agent: (request.headers['user-agent'] ?? '').slice(0, 300),
    idempotency: definition.idempotent ? idempotencyOf(request) : null,
    markBrowser: (earned) => {
      const secure = isSecure(site) ? '; Secure' : ''
      const lives = `Path=/api; Max-Age=${BROWSER_DAYS * 86_400}; HttpOnly; SameSite=Strict${secure}`
      reply.header(
        'set-cookie',
        `${BROWSER_COOKIE}=${withMark(world.secrets, browserMark, earned)}; ${lives}`,
      )
    },
  })
}

function idempotencyOf(request: FastifyRequest): Ctx['idempotency'] {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\w-]{1,100}$/.test(key)) fail('INVALID_IDEMPOTENCY_KEY')
  return { key, payload: hashOf(JSON.stringify(request.body ?? null)) }
}

/** Answers calls inside the process as nobody, for the loaders and forms of public pages. */
export function asker(world: World, served: Served<Call>[]) {
  const byDefinition = new Map(served.map((one) => [`${one.definition.method} ${one.definition.path}`, one]))
  return async (
    definition: Pick<Call, 'method' | 'path'>,
    raw: { userConfirmation?: unknown },
    region: Region,
    address = '',
  ) => {
    const one = byDefinition.get(`${definition.method} ${definition.path}`) ?? fail('UNKNOWN_CALL')
    admit(one.definition.access, null)
    if (one.definition.limit) await take(world, one.definition.limit, networkOf(address))
    const human = humanOf(world, raw.userConfirmation)
    const ctx = contextFor(world, region, null, { address: networkOf(address), human })
    return answer(one, ctx, readInput(one.definition, raw))
  }
}
