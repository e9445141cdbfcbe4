import { and, eq, gt } from 'drizzle-orm'
import { fail, failAt } from '#contract/errors.ts'
import { MOST_EXTENDED_DAYS, REASON_KINDS } from '#contract/people.ts'
import type * as calls from '#contract/people.ts'
import { localDay } from '#contract/regions.ts'
import { DAY } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { sendClaimLink } from '../accounts/claim-writes.ts'
import { askForResetCode } from '../accounts/writes.ts'
import { endSessions, endSessionsOf } from '../identity/end-sessions.ts'
import { extendUntil, look } from '../consultations/writes.ts'
import { transaction } from '../context.ts'
import { sessions } from '../db/schema.ts'
import { record, recordOnce } from '../identity/audit.ts'
import { take } from '../identity/limits.ts'
import { ledgerEntry } from '../ledger/reads.ts'
import { mailReceipt } from '../ledger/writes.ts'
import { receiptOf } from '../logs/rules.ts'
import { refuseToResendTooSoon } from '../logs/writes.ts'
import { resend } from '../mail/outbox.ts'
import { subscriptionOf } from '../memberships/reads.ts'
import { cancelMembership } from '../memberships/writes.ts'
import { isOpenSessionOf, mailOf, openedFor, personOf, someoneHere } from './reads.ts'

/** Opens a person and records the look, once for every few minutes. */
export const openPerson: Handler<typeof calls.openPerson> = async (ctx, { id }) => {
  await someoneHere(ctx, id)
  const at = await recordOnce(ctx, ctx.actor.userId, 'opened the person', ['user', id])
  return personOf(ctx, id, at)
}

/** Opens what a vet wrote for an owner. The owner's list shows the reason before we return the text. */
export const openSummary: Handler<typeof calls.openSummary> = async (ctx, { id, kind, words }) => {
  await look(ctx, id, 'opened', `${REASON_KINDS[kind]}: ${words}`)
  return (await openedFor(ctx, ctx.actor, id)) ?? fail('CONSULT_SAY_WHY')
}

export const extendFollowUp: Handler<typeof calls.extendFollowUp> = async (ctx, { id, until, reason }) => {
  const to = new Date(until)
  const ahead = to.getTime() - ctx.now().getTime()
  if (ahead <= 0) failAt('until', 'EXTENDED_TO_THE_PAST')
  // A chosen day counts until its end.
  if (ahead > (MOST_EXTENDED_DAYS + 1) * DAY) failAt('until', 'EXTENDED_TOO_FAR')
  return transaction(ctx, async (ctx) => {
    await extendUntil(ctx, id, to)
    const more = { reason, details: { until } }
    await record(ctx, ctx.actor.userId, 'extended the deadline', ['consultation', id], more)
    return { follow_up_until: until }
  })
}

/** Ends one session of a person, or all of them except the admin's own. */
export const endPersonSessions: Handler<typeof calls.endPersonSessions> = (ctx, { id, session }) =>
  transaction(ctx, async (ctx) => {
    await someoneHere(ctx, id)
    if (session === undefined) await endSessionsOf(ctx, id, ctx.actor.sessionId)
    else {
      if (!(await isOpenSessionOf(ctx, id, session))) return {}
      await endSessions(ctx, and(eq(sessions.id, session), gt(sessions.expiresAt, ctx.now()))!)
    }
    const action = session === undefined ? 'ended all sessions' : 'ended a session'
    await record(ctx, ctx.actor.userId, action, ['user', id])
    return {}
  })

/** An account gets a reset code as if it had asked for one. A person without a password gets the link that sets one. */
export const mailPasswordLink: Handler<typeof calls.mailPasswordLink> = (ctx, { id }) =>
  transaction(ctx, async (ctx) => {
    const person = await someoneHere(ctx, id)
    await refuseToResendTooSoon(ctx, `password ${id}`)
    if (person.passwordHash === null) await sendClaimLink(ctx, id)
    else {
      await take(ctx, 'resetCodeEmail', person.email)
      await askForResetCode(ctx, person.email)
    }
    await record(ctx, ctx.actor.userId, 'mailed a password link', ['user', id])
    return {}
  })

/** Sends to the current address. A receipt is made again, because its text was erased after it was sent. */
export const resendToPerson: Handler<typeof calls.resendToPerson> = (ctx, { id, mail }) =>
  transaction(ctx, async (ctx) => {
    const person = await someoneHere(ctx, id)
    const { isErased, key, subject } = await mailOf(ctx, person, mail)
    const receipt = isErased ? receiptOf(key) : undefined
    const entry = receipt === undefined ? undefined : await ledgerEntry(ctx, receipt)
    if (entry) await mailReceipt(ctx, entry)
    else await resend(ctx, mail, person.email)
    await refuseToResendTooSoon(ctx, String(mail))
    const details = { mail, subject }
    await record(ctx, ctx.actor.userId, 'sent a mail again', ['user', id], { details })
    return { to: entry?.email ?? person.email }
  })

/** The provider answers before we record it, so we record nothing that didn't happen. */
export const cancelForPerson: Handler<typeof calls.cancelForPerson> = async (
  ctx,
  { id, subscription, mailed_on },
) => {
  const person = await someoneHere(ctx, id)
  if (mailed_on > localDay(person.region, ctx.now())) failAt('mailed_on', 'MAILED_IN_FUTURE')
  const before = await subscriptionOf(ctx, id, subscription)
  const { end } = await cancelMembership(ctx, id, subscription)
  // Another admin may have been faster.
  if (before.end === null)
    await record(ctx, ctx.actor.userId, 'cancelled the membership', ['user', id], {
      reason: `Asked by email on ${mailed_on}`,
      details: { subscription, end },
    })
  return { end }
}
