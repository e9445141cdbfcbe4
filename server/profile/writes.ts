import { and, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import { fail, failAt } from '#contract/errors.ts'
import { EMAIL_LINK_HOURS, RECORDS_KEPT_YEARS } from '#contract/profile.ts'
import type * as calls from '#contract/profile.ts'
import { addHours, addMonths } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { passwordChangedLetter } from '../accounts/emails.ts'
import { accountOf, guestsOf, me } from '../accounts/reads.ts'
import { confirmMailbox, lockMailbox } from '../accounts/writes.ts'
import { oneConsult } from '../checkout/writes.ts'
import { openClaimsOf } from '../claims/reads.ts'
import { forgetClaimsOf } from '../claims/writes.ts'
import {
  forgetCodesOf,
  newLinkCode,
  type OpenCode,
  openCode,
  replaceCode,
  useUp,
  voidCodes,
} from '../identity/codes.ts'
import { lastConsultationOf } from '../consultations/reads.ts'
import { forgetNotes } from '../clinical/writes.ts'
import { closeQuestionsOf } from '../consultations/question-writes.ts'
import { forgetConsultations } from '../consultations/writes.ts'
import { forgetWriter } from '../contact/writes.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { violates } from '../db/errors.ts'
import { auditLog, codeRequests, consultations, mails, sessions, users } from '../db/schema.ts'
import { isAbout, record } from '../identity/audit.ts'
import { take } from '../identity/limits.ts'
import { neededPhone, phoneToRead } from '../identity/phone-number.ts'
import { membership } from '../joining/writes.ts'
import { mail } from '../mail/outbox.ts'
import { mayMail, mayMailUnconfirmed } from '../mail/unconfirmed.ts'
import { payerOf } from '../payments/reads.ts'
import { endMembershipsOf } from '../payments/writes.ts'
import { forgetReceiptsOf } from '../ledger/writes.ts'
import { forgetPurchasesOf, endUnfinished } from '../purchases/writes.ts'
import { forgetPetsOf } from '../pets/forget-writes.ts'
import { releasePoliciesOf } from '../policies/writes.ts'
import { forgetCardOf } from '../vets/writes.ts'
import { personRoom } from '../live/connections.ts'
import { endSessions, endSessionsOf } from '../identity/end-sessions.ts'
import {
  hashPassword,
  isPerson,
  notePassword,
  personById,
  prolongSession,
  proven,
} from '../identity/session.ts'
import {
  accountDeletedLetter,
  confirmEmailLetter,
  emailChangedLetter,
  newEmail,
  emailChangeLetter,
  emailTakenLetter,
} from './emails.ts'
import { type Addressee, mailedTo } from './reads.ts'
import { goneAddress } from './rules.ts'

export const updateMe: Handler<typeof calls.updateMe> = async (ctx, sent) => {
  const { userId, region } = ctx.actor
  const before = await personById(ctx, userId)
  // A number that was stored before we checked them stays until it changes, so that choices can still be saved.
  const isKept = before !== undefined && sent.mobile === phoneToRead(before.mobile, region)
  const [changed] = await ctx.db
    .update(users)
    .set({
      firstName: sent.firstName,
      lastName: sent.lastName,
      ...(!isKept && { mobile: neededPhone(sent.mobile, region) }),
      postcode: sent.postcode,
      address: sent.address,
      userClinic: sent.user_clinic,
      ...(sent.notifications && {
        notifications: sql`${users.notifications} || ${JSON.stringify(sent.notifications)}::jsonb`,
      }),
    })
    .where(isPerson(userId))
    .returning({ id: users.id })
  if (!changed) fail('UNAUTHORIZED')
  ctx.tell(personRoom(userId), accountChanged, { what: ['me'] })
  return me(ctx)
}

export const confirmPassword: Handler<typeof calls.confirmPassword> = async (ctx, { password }) => {
  await proven(ctx, password, 'password')
  await notePassword(ctx, ctx.actor.sessionId)
  return {}
}

export const updatePassword: Handler<typeof calls.updatePassword> = async (
  ctx,
  { passwordCurrent, passwordNew },
) => {
  const person = await proven(ctx, passwordCurrent, 'passwordCurrent')
  const passwordHash = await hashPassword(passwordNew)
  const { sessionId } = ctx.actor
  const isMailed = await mayMail(ctx, person)
  return transaction(ctx, async (ctx) => {
    // If another device was faster, the password typed here is no longer the current one.
    const [changed] = await ctx.db
      .update(users)
      .set({ passwordHash })
      .where(and(isPerson(person.id), eq(users.passwordHash, person.passwordHash)))
      .returning({ id: users.id })
    if (!changed) return failAt('passwordCurrent', 'CURRENT_PASSWORD_WRONG')
    await endSessionsOf(ctx, person.id, sessionId)
    await voidCodes(ctx, person.id)
    const letter = passwordChangedLetter(person.firstName, 'every other device')
    if (isMailed) await mail(ctx, person.region, person.email, 'password changed', letter)
    return { token: (await prolongSession(ctx, sessionId)) ?? fail('UNAUTHORIZED') }
  })
}

/** Stores the same rows whether or not the new address has an account; only its mailbox shows the difference. */
export const changeEmail: Handler<typeof calls.changeEmail> = async (ctx, { email, password }) => {
  const person = await proven(ctx, password, 'password')
  if (email === person.email) {
    const same = 'This is already your email.'
    fail('INVALID_INPUT', { errors: [same], fields: { email: same } })
  }
  await take(ctx, 'changeEmail', String(person.id))
  const isTaken = (await accountOf(ctx, email)) !== undefined
  const code = newLinkCode()
  const until = addHours(ctx.now(), EMAIL_LINK_HOURS)
  const joins = (await ctx.db.$count(users, guestsOf(email))) > 0
  const isMailed = await mayMailUnconfirmed(ctx, email)
  const isTold = await mayMail(ctx, person)
  await transaction(ctx, async (ctx) => {
    await replaceCode(ctx, person.id, 'change_email', code, until, { email })
    if (isMailed)
      await (isTaken
        ? mail(ctx, person.region, email, 'email taken', emailTakenLetter)
        : mail(ctx, person.region, email, 'confirm email', confirmEmailLetter(code, { joins }), { until }))
    const notice = emailChangeLetter(person.firstName, newEmail(email, person.emailConfirmedAt))
    if (isTold) await mail(ctx, person.region, person.email, 'email change asked', notice)
  })
  return {}
}

export const confirmEmail: Handler<typeof calls.confirmEmail> = async (ctx, { code }) => {
  const first = await openCode(ctx, 'confirm', code)
  if (first) return confirmFirst(ctx, first)
  const open = (await openCode(ctx, 'change_email', code)) ?? fail('EMAIL_LINK_WRONG')
  const email = open.about['email'] ?? fail('EMAIL_LINK_WRONG')
  await transaction(ctx, (ctx) => takeEmail(ctx, open, email)).catch((error: unknown) =>
    violates(error, 'users_email') ? fail('EMAIL_LINK_WRONG') : Promise.reject(error),
  )
  const { customer, firstName, lastName } = await payerOf(ctx, open.userId)
  if (customer !== null)
    await ctx.payments
      .updateCustomer(customer, { email, name: `${firstName} ${lastName}`.trim() })
      .catch((err: unknown) => ctx.log.warn({ event: 'provider has the old email', user: open.userId, err }))
  return { email }
}

/** Confirms the email that an account was made with, and starts what waited for that. */
const confirmFirst = (ctx: Ctx<'anyone'>, { id, userId, about, email }: OpenCode) =>
  transaction(ctx, async (ctx) => {
    await lockMailbox(ctx, email)
    if (about['email'] !== email || !(await useUp(ctx, id))) fail('EMAIL_LINK_WRONG')
    await confirmMailbox(ctx, userId)
    ctx.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
    return { email }
  })

async function takeEmail(ctx: Ctx<'anyone'>, { id, userId }: { id: number; userId: number }, email: string) {
  await lockMailbox(ctx, email)
  if (!(await useUp(ctx, id))) fail('EMAIL_LINK_WRONG')
  const [person] = await ctx.db.select().from(users).where(isPerson(userId)).for('no key update')
  if (!person) return fail('EMAIL_LINK_WRONG')
  await ctx.db.update(users).set({ email, emailConfirmedAt: null }).where(eq(users.id, userId))
  await confirmMailbox(ctx, userId)
  await voidCodes(ctx, userId)
  const letter = emailChangedLetter(person.firstName, newEmail(email, person.emailConfirmedAt))
  await mail(ctx, person.region, person.email, 'email changed', letter)
  // This comes last: mails to the old address are theirs up to this moment.
  await record(ctx, userId, 'email changed', ['user', userId], {
    details: {
      from: person.email,
      to: email,
      ...(person.emailConfirmedAt === null && { unconfirmed: true }),
    },
  })
  ctx.tell(personRoom(userId), accountChanged, { what: ['me'] })
}

export const endSession: Handler<typeof calls.endSession> = async (ctx, { id }) => {
  const { userId } = ctx.actor
  const ended = await endSessions(
    ctx,
    and(eq(sessions.id, id), eq(sessions.userId, userId), gt(sessions.expiresAt, ctx.now()))!,
  )
  if (ended === 0) fail('NOT_FOUND')
  return {}
}

export const endOtherSessions: Handler<typeof calls.endOtherSessions> = async (ctx) => {
  await endSessionsOf(ctx, ctx.actor.userId, ctx.actor.sessionId)
  return {}
}

/**
 * Erases now what we needn't keep by law, and the rest when we no longer have to. If a consultation starts while the
 * membership is being ended, the account stays, without its membership.
 */
export const deleteAccount: Handler<typeof calls.deleteAccount> = async (ctx, { password }) => {
  const person = await proven(ctx, password, 'password')
  // A consult whose bank's challenge nobody answered doesn't keep the account; one that was just paid does.
  await endUnfinished(ctx, oneConsult, person.id)
  if ((await lastConsultationOf(ctx, person.id)).isOpen) fail('CONSULT_STILL_OPEN')
  // This comes first, outside the transaction: if the provider is out of reach, the account stays as it was.
  await endUnfinished(ctx, membership, person.id)
  await endMembershipsOf(ctx, person.id)
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    // Starting a consultation locks this row too, so none can start meanwhile.
    const [here] = await db
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(isPerson(person.id))
      .for('no key update')
    if (!here) return fail('UNAUTHORIZED')
    const { isOpen, last } = await lastConsultationOf(ctx, person.id)
    if (isOpen) fail('CONSULT_STILL_OPEN')
    const claimed = (await openClaimsOf(ctx, person.id)).map(({ petId }) => petId)
    await removeDetails(ctx, { ...person, email: here.email }, claimed)
    await record(ctx, person.id, 'account deleted', ['user', person.id])
    const at = ctx.now()
    if (!last && claimed.length === 0)
      await erase(ctx, { ...person, email: here.email, deletedAt: at, isGuest: false })
    const letter = accountDeletedLetter(
      person.region,
      person.firstName,
      last && addMonths(last, RECORDS_KEPT_YEARS * 12),
      claimed.length > 0,
    )
    await mail(ctx, person.region, here.email, 'account deleted', letter)
  })
  return {}
}

/** Erases everything about a person except what clinical records and open claims need. */
async function removeDetails(
  ctx: World,
  { id, email, emailConfirmedAt, createdAt }: Addressee,
  claimed: number[],
) {
  const { db, now } = ctx
  await endSessionsOf(ctx, id)
  await forgetCodesOf(ctx, id)
  await db.delete(codeRequests).where(eq(codeRequests.email, email))
  await db
    .update(mails)
    .set({ text: '', html: '' })
    .where(
      and(
        mailedTo({ id, email, emailConfirmedAt, createdAt }),
        or(isNotNull(mails.sentAt), isNotNull(mails.failedAt)),
      ),
    )
  if (emailConfirmedAt) await forgetWriter(ctx, email)
  await closeQuestionsOf(ctx, id)
  await releasePoliciesOf(ctx, id)
  await forgetCardOf(ctx, id)
  await forgetPetsOf(ctx, id, { neverSeenBut: claimed })
  await db
    .update(users)
    .set({
      passwordHash: null,
      mobile: '',
      postcode: '',
      address: '',
      userClinic: '',
      notifications: {},
      deletedAt: now(),
    })
    .where(eq(users.id, id))
}

/** Leaves anonymous rows, for the statistics and the ledger. */
export async function erase(
  ctx: Pick<World, 'db' | 'now'>,
  { isGuest, ...person }: Addressee & { isGuest: boolean; deletedAt: Date | null },
) {
  const { id } = person
  const { db } = ctx
  await forgetNotes(ctx, eq(consultations.userId, id))
  await forgetConsultations(ctx, eq(consultations.userId, id))
  const toInsurer = inArray(mails.key, await forgetClaimsOf(ctx, id))
  await forgetPetsOf(ctx, id, 'all')
  // A guest who became part of the account shared its mailbox.
  const theirs = isGuest ? toInsurer : or(toInsurer, mailedTo(person))
  // Unsent mails belong to an account that no longer exists.
  await db.delete(mails).where(and(theirs, isNull(mails.sentAt)))
  await db
    .update(mails)
    .set({ to: goneAddress(id), subject: '', text: '', html: '', attachments: [] })
    .where(theirs)
  await forgetReceiptsOf(ctx, id)
  await forgetPurchasesOf(ctx, id, goneAddress(id))
  await db
    .update(auditLog)
    .set({ details: {} })
    .where(and(isAbout(['user', id]), eq(auditLog.action, 'email changed')))
  await db
    .update(users)
    .set({ email: goneAddress(id), emailConfirmedAt: null })
    .where(eq(users.id, id))
  // A vet's name stays, because the records that they wrote need it.
  await db
    .update(users)
    .set({ firstName: '', lastName: '' })
    .where(and(eq(users.id, id), isNull(users.registration)))
}
