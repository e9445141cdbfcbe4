import { columnsOf } from '../db/columns-of.ts'
import { desc, eq } from 'drizzle-orm'
import { CLAIM_LINK_HOURS, USER_TYPES } from '#contract/accounts.ts'
import { addHours } from '#contract/time.ts'
import { ownerOf } from '../consultations/reads.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { users } from '../db/schema.ts'
import { newLinkCode, replaceCode } from '../identity/codes.ts'
import { tryTake } from '../identity/limits.ts'
import { mailboxOf } from '../mail/mailbox.ts'
import { mail } from '../mail/outbox.ts'
import { mayMailAlias } from '../mail/unconfirmed.ts'
import { claimLetter, claimLink } from './emails.ts'
import { accountOf, guestsOf } from './reads.ts'

type LinkWorld = Pick<World, 'db' | 'env' | 'now' | 'wake'>

const OPENS = {
  [USER_TYPES.owner]: 'open',
  [USER_TYPES.vet]: 'begin as a vet',
  [USER_TYPES.admin]: 'begin as an admin',
} as const

/** The part of a mail that lets a guest, a partner's customer, or a new vet or admin take over their account. */
export async function claimParts(ctx: Pick<World, 'db' | 'now'>, userId: number) {
  const code = newLinkCode()
  const expiresAt = addHours(ctx.now(), CLAIM_LINK_HOURS)
  await replaceCode(ctx, userId, 'claim', code, expiresAt)
  const [person] = await ctx.db
    .select(columnsOf(users, 'email', 'firstName', 'region', 'type', 'guest'))
    .from(users)
    .where(eq(users.id, userId))
  const { guest, type, ...to } = person!
  const account = guest ? await accountOf(ctx, to.email) : undefined
  return { ...to, parts: claimLink(code, account?.isConfirmed ? 'join' : OPENS[type]) }
}

export async function sendClaimLink(ctx: LinkWorld, userId: number) {
  const { email, firstName, region, parts } = await claimParts(ctx, userId)
  await mail(ctx, region, email, 'claim account', claimLetter(firstName, parts))
}

/** Mails the link to the latest guest with an email. */
export async function mailGuest(ctx: LinkWorld, email: string) {
  const [guest] = await ctx.db
    .select({ id: users.id, region: users.region })
    .from(users)
    .where(guestsOf(email))
    .orderBy(desc(users.id))
    .limit(1)
  if (guest && (await mayMailAlias(ctx, email))) await sendClaimLink(ctx, guest.id)
}

/** Mails the link to the buyer of this consult, never to the person who asks. */
export async function askForClaimLink(ctx: Ctx<readonly ['guest']>) {
  const owner = await ownerOf(ctx, ctx.actor.consultationId)
  if (owner?.isGuest && (await tryTake(ctx, 'claimMails', mailboxOf(owner.email))) === 0)
    await transaction(ctx, (ctx) => sendClaimLink(ctx, owner.userId))
  return {}
}
