import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { SignJWT, jwtVerify } from 'jose'
import { PASSWORD_AGAIN_MINUTES, SESSION_DAYS, SHORT_SESSION_HOURS } from '#contract/accounts.ts'
import type { ActorKind } from '#contract/call.ts'
import { fail, failAt } from '#contract/errors.ts'
import type { Region } from '#contract/regions.ts'
import { addDays, DAY, HOUR, MINUTE, secondsOf } from '#contract/time.ts'
import { isStaff, type Actor, type World } from '../context.ts'
import { prepared } from '../db/client.ts'
import { columnsOf } from '../db/columns-of.ts'
import { clinics, consultations, factors, sessions, users } from '../db/schema.ts'
import { atOnce } from '../concurrency/at-once.ts'
import { inTurn } from '../concurrency/in-turn.ts'
import { take, uncount } from './limits.ts'
import { isSignedBy, sign, type Secrets } from './secrets.ts'

const GUEST_DAYS = 7
/** A remembered session's token is renewed daily; its last use is stored every ten minutes. */
const RENEW_AFTER = DAY
const TOUCH_AFTER = HOUR / 6

const PERSON_KINDS = { 1: 'owner', 2: 'vet', 3: 'admin' } as const satisfies Record<1 | 2 | 3, ActorKind>

type Holder =
  | { userId: number }
  | { consultationId: number }
  | { clinicId: number; clinicPersonId?: number | null }

function kindOf(holder: Holder) {
  if ('userId' in holder) return 'user'
  return 'clinicId' in holder ? 'clinic' : 'guest'
}

/** Opens a session and returns its token. A person's begins with their password. An id that is already open stays as it is. */
export async function openSession(
  world: Pick<World, 'db' | 'now' | 'secrets'>,
  holder: Holder,
  { remember = false, agent = '', id = randomBytes(16).toString('base64url') } = {},
): Promise<string> {
  const kind = kindOf(holder)
  const now = world.now()
  const expiresAt = new Date(now.getTime() + livesOf(kind, remember))
  const times = { createdAt: now, lastUsedAt: now, expiresAt, passwordAt: kind === 'user' ? now : null }
  const [row] = await world.db
    .insert(sessions)
    .values({ id, kind, ...holder, remember, agent, ...times })
    .onConflictDoUpdate({ target: sessions.id, set: { id } })
    .returning({ expiresAt: sessions.expiresAt, endedAt: sessions.endedAt })
  const isOpen = row!.endedAt === null && row!.expiresAt > now
  return isOpen
    ? signToken(world.secrets, kind, id, row!.expiresAt)
    : openSession(world, holder, { remember, agent })
}

export const isSessionOpen = async ({ db, now }: Pick<World, 'db' | 'now'>, id: string): Promise<boolean> =>
  (await db.$count(
    sessions,
    and(eq(sessions.id, id), isNull(sessions.endedAt), gt(sessions.expiresAt, now())),
  )) > 0

function livesOf(kind: string, remember: boolean) {
  if (kind === 'guest') return GUEST_DAYS * DAY
  return remember ? SESSION_DAYS * DAY : SHORT_SESSION_HOURS * HOUR
}

/** After the password is proven again, the session lasts as long as a new one. Returns its token, or null if it has ended. */
export async function prolongSession(
  { db, now, secrets }: Pick<World, 'db' | 'now' | 'secrets'>,
  id: string,
): Promise<string | null> {
  const mine = and(eq(sessions.id, id), isNull(sessions.endedAt))
  const [row] = await db
    .select({ kind: sessions.kind, remember: sessions.remember })
    .from(sessions)
    .where(mine)
    .for('no key update')
  if (!row) return null
  const expiresAt = new Date(now().getTime() + livesOf(row.kind, row.remember))
  await db.update(sessions).set({ expiresAt, lastUsedAt: now(), passwordAt: now() }).where(mine)
  return signToken(secrets, row.kind, id, expiresAt)
}

const signToken = ([signing]: Secrets, kind: string, sid: string, expires: Date) =>
  new SignJWT({ kind, sid })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(secondsOf(expires))
    .sign(signing)

interface Claims {
  kind: unknown
  sid: string
  exp: number
}

const REMEMBERED = 5000
/** Verified tokens, by secrets. Every call brings a token and its signature never changes, so we verify it once. */
const verified = new WeakMap<Secrets, Map<string, Claims>>()

async function claimsOf(token: string, secrets: Secrets, now: Date): Promise<Claims | null> {
  const known = verified.get(secrets) ?? new Map<string, Claims>()
  verified.set(secrets, known)
  const claims = known.get(token) ?? (await provenBy(token, secrets, now))
  if (!claims || claims.exp * 1000 <= now.getTime()) return null
  // Evicts the oldest token; if it comes again, it is verified again.
  if (known.size >= REMEMBERED && !known.has(token)) known.delete(known.keys().next().value!)
  known.set(token, claims)
  return claims
}

/** The session of a token of ours, even if it was ended. */
export const sessionIdOf = async ({ secrets, now }: Pick<World, 'secrets' | 'now'>, token: string) =>
  (await claimsOf(token, secrets, now()))?.sid

async function provenBy(token: string, secrets: Secrets, now: Date): Promise<Claims | null> {
  for (const secret of secrets) {
    const claims = await prove(token, secret, now)
    if (claims) return claims
  }
  return null
}

async function prove(token: string, secret: Uint8Array, now: Date): Promise<Claims | null> {
  const { kind, sid, exp } = await jwtVerify(token, secret, { algorithms: ['HS256'], currentDate: now }).then(
    ({ payload }) => payload,
    () => ({ kind: undefined, sid: undefined, exp: undefined }),
  )
  return typeof sid === 'string' && typeof exp === 'number' ? { kind, sid, exp } : null
}

export interface Caller {
  actor: Actor
  /** Must first set up the required second factor, and may do nothing else until then. */
  isSettingUp: boolean
  /** Whether the session's password was given in the last minutes. */
  gavePassword: boolean
  /** When the session ends, and a new token if the old one needs renewal. */
  expires: Date
  renewed?: string
}

/** Who called, for the log: the kind of caller and its number, which the database resolves. */
export function whoOf(caller: Pick<Caller, 'actor'> | undefined | null) {
  if (!caller) return {}
  const { actor } = caller
  if ('userId' in actor) return { as: actor.kind, id: actor.userId }
  return { as: actor.kind, id: 'clinicId' in actor ? actor.clinicId : actor.consultationId }
}

const openSessionOf = prepared((db) =>
  db
    .select({
      ...columnsOf(sessions, 'id', 'kind', 'userId', 'consultationId', 'clinicId', 'clinicPersonId'),
      ...columnsOf(sessions, 'remember', 'lastUsedAt', 'passwordAt', 'expiresAt'),
      hasFactor: isNotNull(factors.onAt).mapWith(Boolean),
      type: users.type,
      isDemo: sql<boolean>`coalesce(${users.demo}, ${consultations.demo}, ${clinics.demo}, false)`,
      region: sql<Region>`coalesce(${users.region}, ${consultations.region}, ${clinics.region})`,
    })
    .from(sessions)
    .leftJoin(users, and(eq(users.id, sessions.userId), isNull(users.deletedAt)))
    .leftJoin(factors, eq(factors.userId, sessions.userId))
    .leftJoin(consultations, eq(consultations.id, sessions.consultationId))
    .leftJoin(clinics, and(eq(clinics.id, sessions.clinicId), isNull(clinics.deletedAt)))
    .where(
      and(
        eq(sessions.id, sql.placeholder('id')),
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, sql.placeholder('now')),
      ),
    )
    .prepare('open_session'),
)

type SessionRow = Awaited<ReturnType<ReturnType<typeof openSessionOf>['execute']>>[number]

function actorOf(row: SessionRow): Actor | null {
  const shared = { sessionId: row.id, region: row.region }
  if (row.kind === 'guest') return { kind: 'guest', consultationId: row.consultationId!, ...shared }
  if (row.kind === 'user' && row.type) return { kind: PERSON_KINDS[row.type], userId: row.userId!, ...shared }
  return row.kind === 'clinic' && row.region
    ? { kind: 'clinic', clinicId: row.clinicId!, personId: row.clinicPersonId, ...shared }
    : null
}

type Ruled = { env: Pick<World['env'], 'demo' | 'requireFactor'> }

const lacksFactor = ({ env }: Ruled, actor: Actor, { hasFactor }: SessionRow) =>
  env.requireFactor && !hasFactor && isStaff(actor)

/** Who has this session, while it's open. While the demo is off, its people have none. */
async function holderOf(world: Pick<World, 'db' | 'now'> & Ruled, sessionId: string) {
  const [row] = await openSessionOf(world.db).execute({ id: sessionId, now: world.now().toISOString() })
  if (!row || (row.isDemo && !world.env.demo)) return null
  const actor = actorOf(row)
  return actor && { actor, row }
}

/** The caller of a token. Its signature, its kind and the session's row must all agree. */
export async function callerOf(world: Pick<World, 'db' | 'now' | 'secrets'> & Ruled, token: string) {
  const now = world.now()
  const claims = await claimsOf(token, world.secrets, now)
  const holder = claims && (await holderOf(world, claims.sid))
  if (!holder || holder.row.kind !== claims.kind) return null
  const { actor, row } = holder
  const gaveAt = row.passwordAt?.getTime() ?? 0
  const caller = {
    actor,
    isSettingUp: lacksFactor(world, actor, row),
    // One that was given while the clock was ahead doesn't count until then.
    gavePassword: Math.abs(now.getTime() - gaveAt) < PASSWORD_AGAIN_MINUTES * MINUTE,
  }
  if (now.getTime() - row.lastUsedAt.getTime() < TOUCH_AFTER) return { ...caller, expires: row.expiresAt }
  const expires = row.remember ? addDays(now, SESSION_DAYS) : row.expiresAt
  await world.db.update(sessions).set({ lastUsedAt: now, expiresAt: expires }).where(eq(sessions.id, row.id))
  const aged = expires.getTime() - claims.exp * 1000 > RENEW_AFTER
  return {
    ...caller,
    expires,
    ...(aged && { renewed: await signToken(world.secrets, row.kind, row.id, expires) }),
  }
}

const filesOf = (sessionId: string) => `files ${sessionId}`

/** Identifies a session in requests for files, and gives access to nothing else. */
export const fileMark = (secrets: Secrets, sessionId: string) =>
  `${sessionId}.${sign(secrets, filesOf(sessionId))}`

/** The caller behind a file mark, while the session is open. */
export async function viewerOf(world: Pick<World, 'db' | 'now' | 'secrets'> & Ruled, mark: string) {
  const [sessionId = '', signature = ''] = mark.split('.')
  if (!isSignedBy(world.secrets, filesOf(sessionId), signature)) return null
  const holder = await holderOf(world, sessionId)
  return holder && !lacksFactor(world, holder.actor, holder.row) ? holder.actor : null
}

/** Hashing a password keeps one of four threads busy for 30 ms, and files wait for the same threads. */
const oneOfTwo = <T>(read: () => Promise<T>) => atOnce('passwords', 2, read)

export const hashPassword = (password: string) => oneOfTwo(() => hash(password.normalize('NFKC')))

/** Made before the first sign-in, so that even that one takes no longer for an unknown email. */
const nobodysHash = hash(randomBytes(16).toString('hex'))

/** Takes the same time for a wrong password, an account without one and an unknown email. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const known = stored ?? (await nobodysHash)
  const matches = await oneOfTwo(() => verify(known, password.normalize('NFKC')))
  return stored != null && matches
}

/** The person with this id, unless deleted. Of a deleted account, only what we keep by law is left. */
export const isPerson = (userId: number) => and(eq(users.id, userId), isNull(users.deletedAt))

export async function personById({ db }: Pick<World, 'db'>, userId: number) {
  const [person] = await db.select().from(users).where(isPerson(userId))
  return person
}

/** Locks a person, so that two changes to what they own run one after the other. A deleted person gets UNAUTHORIZED. */
export async function lockPerson({ db }: Pick<World, 'db'>, userId: number) {
  const [person] = await db.select().from(users).where(isPerson(userId)).for('no key update')
  return person ?? fail('UNAUTHORIZED')
}

/** The signed-in person, if the password is right. Attempts count before the check, and right ones are uncounted. */
export function proven(
  ctx: Pick<World, 'db' | 'now'> & { actor: { userId: number } },
  password: string,
  field: string,
) {
  const key = String(ctx.actor.userId)
  return inTurn(`password of ${key}`, async () => {
    await take(ctx, 'currentPassword', key)
    const person = await personById(ctx, ctx.actor.userId)
    const { passwordHash } = person ?? {}
    if (!(await passwordMatches(passwordHash, password)) || !person || !passwordHash)
      return failAt(field, 'CURRENT_PASSWORD_WRONG')
    await uncount(ctx, 'currentPassword', key)
    return { ...person, passwordHash }
  })
}

/** Records that the password was given again in this session. */
export async function notePassword({ db, now }: Pick<World, 'db' | 'now'>, sessionId: string) {
  await db.update(sessions).set({ passwordAt: now() }).where(eq(sessions.id, sessionId))
}
