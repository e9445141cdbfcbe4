import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { fail, failAt } from '#contract/errors.ts'
import type * as calls from '#contract/portal.ts'
import type { Handler } from '../http/serve.ts'
import { signInsOf } from '../clinics/reads.ts'
import { NO_LINK } from '../clinics/rules.ts'
import { acceptForClinic } from '../consultations/clinic-writes.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { clinicPeople, clinics, sessions } from '../db/schema.ts'
import { record } from '../identity/audit.ts'
import { inTurn } from '../concurrency/in-turn.ts'
import { take, uncount } from '../identity/limits.ts'
import { endSessions } from '../identity/end-sessions.ts'
import { hashPassword, openSession, passwordMatches } from '../identity/session.ts'
import { signIn } from '../identity/sign-in.ts'
import { mail } from '../mail/outbox.ts'
import { clinicPasswordLetter } from './emails.ts'
import { clinicConsultation, signedInClinic, signInName } from './reads.ts'

type ClinicCtx = Ctx<readonly ['clinic']>

/** Signs in with the clinic's own username, or with the email of one of its people. */
export const loginClinic: Handler<typeof calls.loginClinic> = async (ctx, { username, password }) => {
  const { clinicId, personId, passwordHash } = await signIn(
    ctx,
    `clinic ${username}`,
    'CLINIC_SIGN_IN_FAILED',
    async () => {
      // Always checks two passwords, so that the time doesn't tell how many clinics have this email.
      const [own, other] = await signInsOf(ctx, username)
      if (await passwordMatches(own?.passwordHash, password)) return own
      return (await passwordMatches(other?.passwordHash, password)) ? other : undefined
    },
  )
  const token = await transaction(ctx, async (ctx) => {
    // A change of username or password, or a deletion, waits for this session and then ends it.
    const [held] = await passwordOf(ctx, { clinicId, personId }).read().for('share')
    if (held?.hash !== passwordHash || held.typed !== username) fail('CLINIC_SIGN_IN_FAILED')
    return openSession(ctx, { clinicId, clinicPersonId: personId }, { agent: ctx.agent })
  })
  return { token, clinic: await signedInClinic(ctx, { clinicId, personId }) }
}

/** If two people press at the same time, one confirms the case, and both see who and when. */
export const acceptConsultation: Handler<typeof calls.acceptConsultation> = async (ctx, { id }) => {
  await clinicConsultation(ctx, id)
  const { personId } = ctx.actor
  await acceptForClinic(ctx, id, { personId, name: await signInName(ctx, ctx.actor) })
  return clinicConsultation(ctx, id)
}

/** What was typed when signing in: the clinic's own password, or that of one of its people. */
function passwordOf(
  { db }: Pick<World, 'db'>,
  { clinicId, personId }: Pick<ClinicCtx['actor'], 'clinicId' | 'personId'>,
) {
  const whose =
    personId === null
      ? { named: clinics, id: clinicId, typed: clinics.username, name: clinics.clinic }
      : { named: clinicPeople, id: personId, typed: clinicPeople.email, name: clinicPeople.name }
  // Drizzle can't follow a union through a query; both tables have these columns.
  const table: typeof clinics | typeof clinicPeople = whose.named
  const isTheirs = and(eq(table.id, whose.id), isNull(table.deletedAt))
  return {
    read: () =>
      db
        .select({ typed: whose.typed, hash: table.passwordHash, email: table.email, whose: whose.name })
        .from(table)
        .where(isTheirs),
    write: (passwordHash: string, before: string, db: World['db']) =>
      db
        .update(table)
        .set({ passwordHash, ...NO_LINK })
        .where(and(isTheirs, eq(table.passwordHash, before)))
        .returning({ id: table.id }),
    sessions:
      personId === null
        ? and(eq(sessions.clinicId, clinicId), isNull(sessions.clinicPersonId))
        : eq(sessions.clinicPersonId, personId),
  }
}

/** Attempts count before the check, and right ones are uncounted. Everybody else who used the password is signed out. */
export const resetClinicPassword: Handler<typeof calls.resetClinicPassword> = (
  ctx,
  { current, password },
) => {
  const { clinicId, personId, sessionId, region } = ctx.actor
  const key = `clinic ${clinicId} ${personId ?? ''}`
  const theirs = passwordOf(ctx, ctx.actor)
  return inTurn(`password of ${key}`, async () => {
    await take(ctx, 'currentPassword', key)
    const [known] = await theirs.read()
    const { hash, email, whose } = known ?? { hash: null, email: '', whose: '' }
    if (!(await passwordMatches(hash, current)) || hash === null) return isWrong()
    await uncount(ctx, 'currentPassword', key)
    const passwordHash = await hashPassword(password)
    return transaction(ctx, async (ctx) => {
      // If somebody else was faster, the password typed here is no longer the current one.
      const [changed] = await theirs.write(passwordHash, hash, ctx.db)
      if (!changed) return isWrong()
      await endSessions(ctx, and(theirs.sessions, ne(sessions.id, sessionId))!)
      await log(ctx, 'clinic password changed')
      if (email) await mail(ctx, region, email, 'clinic password', clinicPasswordLetter(whose))
      return {}
    })
  })
}

const isWrong = () => failAt('current', 'CURRENT_PASSWORD_WRONG')

export const setClinicMail: Handler<typeof calls.setClinicMail> = async (ctx, { notify }) => {
  await transaction(ctx, async (ctx) => {
    const [changed] = await ctx.db
      .update(clinics)
      .set({ notify, version: sql`${clinics.version} + 1`, savedAt: ctx.now(), savedBy: null })
      .where(and(eq(clinics.id, ctx.actor.clinicId), ne(clinics.notify, notify)))
      .returning({ id: clinics.id })
    if (!changed) return
    await take(ctx, 'clinicMail', String(ctx.actor.clinicId))
    await log(ctx, 'clinic saved', { notify })
  })
  return signedInClinic(ctx, ctx.actor)
}

/** What somebody at the clinic changed, with their name. */
const log = async (ctx: Pick<ClinicCtx, 'db' | 'now' | 'actor'>, action: string, details = {}) =>
  record(ctx, null, action, ['clinic', ctx.actor.clinicId], {
    details: { by: await signInName(ctx, ctx.actor), ...details },
  })
