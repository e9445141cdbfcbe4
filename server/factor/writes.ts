import { and, eq, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import { fail, failAt } from '#contract/errors.ts'
import type * as calls from '#contract/factor.ts'
import { RECOVERY_CODES } from '#contract/factor.ts'
import type { Handler } from '../http/serve.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { factors, recoveryCodes, users } from '../db/schema.ts'
import { wasThere } from '../db/was-there.ts'
import { record } from '../identity/audit.ts'
import { readable } from '../identity/codes.ts'
import { refuse, tryTake, uncount } from '../identity/limits.ts'
import { endSessionsOf } from '../identity/end-sessions.ts'
import { personById, proven } from '../identity/session.ts'
import { personRoom } from '../live/connections.ts'
import type { Letter } from '../mail/mail-template.ts'
import { mail } from '../mail/outbox.ts'
import {
  codeUsedLetter,
  factorOffLetter,
  factorOnLetter,
  newCodesLetter,
  wrongCodesLetter,
} from './emails.ts'
import { factorOf } from './reads.ts'
import {
  earlierHashesOf,
  hashOfRecoveryCode,
  isOfApp,
  newKey,
  newRecoveryCode,
  qrOf,
  seal,
  stepOf,
  unseal,
} from './rules.ts'

type StaffCtx = Ctx<typeof calls.getFactor.access>
type MailWorld = Pick<World, 'env' | 'db' | 'now' | 'wake'>

async function tell(
  world: MailWorld,
  userId: number,
  template: string,
  letter: (firstName: string) => Letter,
) {
  const { email, firstName, region } = (await personById(world, userId)) ?? fail('NOT_FOUND')
  await mail(world, region, email, template, letter(firstName))
}

const isOn = (userId: number) => and(eq(factors.userId, userId), isNotNull(factors.onAt))

/** Starting again replaces the earlier key, until the factor is on. */
export const startFactor: Handler<typeof calls.startFactor> = async (ctx) => {
  const { userId } = ctx.actor
  const key = newKey()
  const fresh = { secret: seal(ctx.secrets, userId, key), lastStep: 0, checkedAt: null, createdAt: ctx.now() }
  const [started] = await ctx.db
    .insert(factors)
    .values({ userId, ...fresh })
    .onConflictDoUpdate({ target: factors.userId, set: fresh, setWhere: isNull(factors.onAt) })
    .returning({ userId: factors.userId })
  if (!started) fail('FACTOR_IS_ON')
  const { email } = (await personById(ctx, userId)) ?? fail('NOT_FOUND')
  return { key, qr: qrOf(key, email) }
}

/** Accepts a code of the app once. After that, this code and all earlier ones are refused. */
async function useAppCode(ctx: Pick<World, 'db' | 'now' | 'secrets'>, userId: number, code: string) {
  const factor = await factorOf(ctx, userId)
  const step = factor && stepOf(unseal(ctx.secrets, userId, factor.secret).key, code, ctx.now())
  if (step === undefined) return false
  const used = await ctx.db
    .update(factors)
    .set({ lastStep: step })
    .where(and(eq(factors.userId, userId), eq(factors.secret, factor!.secret), lt(factors.lastStep, step)))
    .returning({ userId: factors.userId })
  return used.length === 1
}

/** Two uses of one person's codes wait for each other here. */
const lockFactor = async ({ db }: Pick<World, 'db'>, userId: number) =>
  (await db.select().from(factors).where(eq(factors.userId, userId)).for('no key update'))[0]

async function useRecoveryCode(ctx: MailWorld & Pick<World, 'secrets'>, userId: number, code: string) {
  const factor = await lockFactor(ctx, userId)
  if (!factor) return false
  const { key } = unseal(ctx.secrets, userId, factor.secret)
  const hashes = [hashOfRecoveryCode(key, code), ...earlierHashesOf(ctx.secrets, code)]
  const used = await ctx.db
    .update(recoveryCodes)
    .set({ usedAt: ctx.now() })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        inArray(recoveryCodes.codeHash, hashes),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ id: recoveryCodes.id })
  if (used.length === 0) return false
  const unused = and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))
  const left = await ctx.db.$count(recoveryCodes, unused)
  await tell(ctx, userId, 'recovery code used', (name) => codeUsedLetter(name, left))
  return true
}

const useCode: typeof useRecoveryCode = (ctx, userId, code) =>
  (isOfApp(code) ? useAppCode : useRecoveryCode)(ctx, userId, code)

/**
 * Uses a code, which works once, and does the work that it's for. If the work fails, the code still works. Counts an
 * attempt before the code is looked at, and uncounts it if the code was right.
 */
export async function provenByCode<T>(
  ctx: Ctx,
  userId: number,
  code: string | null | undefined,
  work: (ctx: Ctx) => Promise<T>,
  use = useCode,
): Promise<T> {
  if (!code) return fail('FACTOR_NEEDED')
  const key = String(userId)
  const wait = await tryTake(ctx, 'factorCode', key)
  if (wait > 0) {
    if ((await tryTake(ctx, 'factorWarning', key)) === 0)
      await tell(ctx, userId, 'wrong codes', wrongCodesLetter)
    refuse(wait)
  }
  const done = await transaction(ctx, async (ctx) => {
    if (!(await use(ctx, userId, code)))
      failAt('code', /[A-Z]/i.test(code) ? 'RECOVERY_CODE_WRONG' : 'FACTOR_CODE_WRONG')
    return work(ctx)
  })
  await uncount(ctx, 'factorCode', key)
  return done
}

/** New recovery codes, which replace the old ones. We store only their hashes. */
async function replaceCodes(ctx: Pick<World, 'db' | 'secrets'>, userId: number) {
  const { db, secrets } = ctx
  // Of two requests, the second waits here, then replaces the first one's codes.
  const factor = await lockFactor(ctx, userId)
  const { key } = unseal(secrets, userId, (factor ?? fail('FACTOR_IS_OFF')).secret)
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await db
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, codeHash: hashOfRecoveryCode(key, code) })))
  return { recovery_codes: codes.map((code) => readable(code)) }
}

export const checkFactor: Handler<typeof calls.checkFactor> = async (ctx, { code }) => {
  const { userId } = ctx.actor
  const factor = await factorOf(ctx, userId)
  if (!factor) return fail('FACTOR_NOT_CHECKED')
  if (factor.onAt) fail('FACTOR_IS_ON')
  const check = async (ctx: Pick<World, 'db' | 'now' | 'secrets'>) => {
    const [checked] = await ctx.db
      .update(factors)
      .set({ checkedAt: ctx.now() })
      .where(and(eq(factors.userId, userId), isNull(factors.onAt)))
      .returning({ userId: factors.userId })
    if (!checked) fail('FACTOR_IS_ON')
    return replaceCodes(ctx, userId)
  }
  return provenByCode(ctx, userId, code, check, useAppCode)
}

export const turnOnFactor: Handler<typeof calls.turnOnFactor> = (ctx) =>
  transaction(ctx, async (ctx) => {
    const { userId } = ctx.actor
    const [on] = await ctx.db
      .update(factors)
      .set({ onAt: ctx.now() })
      .where(and(eq(factors.userId, userId), isNotNull(factors.checkedAt), isNull(factors.onAt)))
      .returning({ userId: factors.userId })
    if (on) {
      await endSessionsOf(ctx, userId, ctx.actor.sessionId)
      await record(ctx, userId, 'second factor on', ['user', userId])
      await tell(ctx, userId, 'second factor on', factorOnLetter)
    } else if (!(await factorOf(ctx, userId))?.onAt) fail('FACTOR_NOT_CHECKED')
    return {}
  })

/** Turning the factor off and getting new codes need both the password and a code. */
async function provenTwice<T>(
  ctx: StaffCtx,
  { password, code }: { password: string; code: string },
  work: (ctx: StaffCtx) => Promise<T>,
) {
  const { userId } = ctx.actor
  if (!(await factorOf(ctx, userId))?.onAt) fail('FACTOR_IS_OFF')
  await proven(ctx, password, 'password')
  return provenByCode(ctx, userId, code, work)
}

export const turnOffFactor: Handler<typeof calls.turnOffFactor> = async (ctx, sent) => {
  if (ctx.env.requireFactor) fail('FACTOR_STAYS_ON')
  const { userId } = ctx.actor
  await provenTwice(ctx, sent, (ctx) => takeAway(ctx, userId, userId))
  return {}
}

export const renewRecoveryCodes: Handler<typeof calls.renewRecoveryCodes> = (ctx, sent) =>
  provenTwice(ctx, sent, async (ctx) => {
    const { userId } = ctx.actor
    await record(ctx, userId, 'recovery codes renewed', ['user', userId])
    await tell(ctx, userId, 'recovery codes renewed', newCodesLetter)
    return replaceCodes(ctx, userId)
  })

export const removeFactor: Handler<typeof calls.removeFactor> = async (ctx, { id }) => {
  if (id === ctx.actor.userId) fail('FACTOR_OWN')
  return (await takeAway(ctx, id, ctx.actor.userId)) ? {} : wasThere(ctx, users, id)
}

type TakingWorld = MailWorld & Pick<World, 'tell' | 'hangUp'>

/** Turns off one's own factor, or removes another's: as an admin, or by the command, where `by` is null. False if there was none. */
export const takeAway = (world: TakingWorld, userId: number, by: number | null) =>
  transaction(world, async (world) => {
    const [removed] = await world.db.delete(factors).where(isOn(userId)).returning({ id: factors.userId })
    if (!removed) return false
    const who = by === userId ? 'you' : 'an admin'
    const action = who === 'you' ? 'second factor off' : 'second factor removed'
    await record(world, by, action, ['user', userId])
    await tell(world, userId, 'second factor off', (name) => factorOffLetter(name, who))
    // Where a second factor is required, calls are refused until there is a new one. A socket asked only as it opened.
    if (world.env.requireFactor) world.hangUp(personRoom(userId))
    return true
  })

/** A person who is no longer staff needs no second factor, and couldn't turn it off. */
export async function forgetFactorOf({ db }: Pick<World, 'db'>, userId: number) {
  await db.delete(factors).where(eq(factors.userId, userId))
}

/** Seals everything with the secret that signs now, so that older secrets can be dropped. */
export async function sealAnew({ db, secrets }: Pick<World, 'db' | 'secrets'>): Promise<number> {
  let sealed = 0
  for (const { userId, secret } of await db
    .select({ userId: factors.userId, secret: factors.secret })
    .from(factors)) {
    const { key, isOld } = unseal(secrets, userId, secret)
    if (!isOld) continue
    const done = await db
      .update(factors)
      .set({ secret: seal(secrets, userId, key) })
      .where(and(eq(factors.userId, userId), eq(factors.secret, secret)))
      .returning({ userId: factors.userId })
    sealed += done.length
  }
  return sealed
}
