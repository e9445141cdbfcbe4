import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type * as calls from '#contract/accounts.ts'
import { accountChanged, USER_TYPES } from '#contract/accounts.ts'
import { EMAIL_LINK_HOURS } from '#contract/profile.ts'
import { fail } from '#contract/errors.ts'
import type { Region } from '#contract/regions.ts'
import { addHours } from '#contract/time.ts'
import { idsOf } from '../db/ids-of.ts'
import type { Handler } from '../http/serve.ts'
import { record } from '../identity/audit.ts'
import { newLinkCode, openCode, replaceCode, useUp, voidCodes, type OpenCode } from '../identity/codes.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { violates } from '../db/errors.ts'
import { columnsOf } from '../db/columns-of.ts'
import { codeRequests, sessions, users } from '../db/schema.ts'
import { tryTake } from '../identity/limits.ts'
import { signIn } from '../identity/sign-in.ts'
import type { Part } from '../mail/mail-template.ts'
import { mail } from '../mail/outbox.ts'
import { endSessions, endSessionsOf, type SessionWorld } from '../identity/end-sessions.ts'
import { hashPassword, openSession, passwordMatches } from '../identity/session.ts'
import { personRoom } from '../live/connections.ts'
import { handBackConsultations, moveConsultations, tellWaiting } from '../consultations/writes.ts'
import { factorOf } from '../factor/reads.ts'
import { forgetFactorOf, provenByCode } from '../factor/writes.ts'
import { openShiftsOf } from '../roster/writes.ts'
import { movePurchases } from '../purchases/writes.ts'
import { movePets, type SamePet, unitePet } from '../pets/join-writes.ts'
import { bindPoliciesOfHolder } from '../policies/writes.ts'
import { passwordChangedLetter, passwordSetLetter, welcomeLetter } from './emails.ts'
import { sendClaimLink } from './claim-writes.ts'
import { accountOf, guestsOf, isEmailConfirmed } from './reads.ts'
import { newPublicId } from './rules.ts'

export const login: Handler<typeof calls.login> = async (ctx, { email, password, remember, code }) => {
  const account = await signIn(ctx, `email ${email}`, 'SIGN_IN_FAILED', async () => {
    const account = await accountOf(ctx, email)
    const matches = await passwordMatches(account?.passwordHash, password)
    return matches && account && (!account.isDemo || ctx.env.demo) ? account : undefined
  })
  const options = { remember: remember && account.type === USER_TYPES.owner, agent: ctx.agent }
  const open = async (ctx: World) => {
    await lockPassword(ctx, account)
    return { token: await openSession(ctx, { userId: account.id }, options), id: account.id }
  }
  return account.hasFactor ? provenByCode(ctx, account.id, code, open) : transaction(ctx, open)
}

/** A password change waits until this session is open, then ends it. If the change came first, no session opens. */
async function lockPassword(
  { db }: Pick<World, 'db'>,
  { id, passwordHash }: { id: number; passwordHash: string | null },
) {
  const [held] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash ?? ''), isNull(users.deletedAt)))
    .for('share')
  if (!held) fail('SIGN_IN_FAILED')
}

export const logout: Handler<typeof calls.logout> = async (ctx) => {
  if (ctx.actor) await endSessions(ctx, eq(sessions.id, ctx.actor.sessionId))
  return {}
}

/** Does the same for known and unknown emails; only a later job tells them apart. */
export const requestResetCode: Handler<typeof calls.requestResetCode> = async (ctx, { email }) => {
  const spent = await tryTake(ctx, 'resetCodeEmail', email)
  if (spent === 0) await askForResetCode(ctx, email)
  return {}
}

/** A job mails the code. */
export async function askForResetCode({ db, now, wake }: Pick<World, 'db' | 'now' | 'wake'>, email: string) {
  await db.insert(codeRequests).values({ email, at: now() })
  wake()
}

export const resetPassword: Handler<typeof calls.resetPassword> = async (ctx, { code, password }) => {
  const open = (await openCode(ctx, 'reset', code)) ?? (await wrongCode(ctx))
  const passwordHash = await hashPassword(password)
  await transaction(ctx, async (ctx) => {
    await lockMailbox(ctx, open.email)
    if (!(await useUp(ctx, open.id))) fail('RESET_CODE_WRONG')
    await setPassword(ctx, open, passwordHash)
  })
  // The person who reads the mailbox can sign in here, however often strangers tried this email.
  ctx.markBrowser(`email ${open.email}`)
  return {}
}

/** A code has 100 bits and can't be guessed, so wrong codes lock nobody out. They are only logged. */
async function wrongCode(ctx: Ctx<'anyone'>) {
  if ((await tryTake(ctx, 'resetOverAll', 'all')) > 0) ctx.log.warn({ event: 'many wrong reset codes' })
  return fail('RESET_CODE_WRONG')
}

/** A new password ends every session, confirms the email that got the code, and is announced by mail. */
async function setPassword(
  ctx: Ctx<'anyone'>,
  { userId, email, firstName, region }: { userId: number; email: string; firstName: string; region: Region },
  passwordHash: string,
) {
  const [before] = await ctx.db
    .select({ hadPassword: isNotNull(users.passwordHash).mapWith(Boolean) })
    .from(users)
    .where(eq(users.id, userId))
  await ctx.db.update(users).set({ passwordHash, guest: false }).where(eq(users.id, userId))
  await confirmMailbox(ctx, userId)
  await endSessionsOf(ctx, userId)
  await voidCodes(ctx, userId)
  const letter = before?.hadPassword
    ? passwordChangedLetter(firstName, 'every device')
    : passwordSetLetter(firstName)
  await mail(ctx, region, email, 'password changed', letter)
}

/** Adds a guest, who buys a consult without an account. Even with an account's email, a guest stays apart from that account. */
export async function addGuest(
  { db, now }: Pick<World, 'db' | 'now'>,
  guest: Pick<
    typeof users.$inferInsert,
    'email' | 'firstName' | 'lastName' | 'mobile' | 'postcode' | 'address' | 'userClinic' | 'region'
  > & { news: boolean },
): Promise<{ id: number; publicId: string }> {
  const { news, ...values } = guest
  const [row] = await db
    .insert(users)
    .values({ ...values, publicId: newPublicId(), guest: true, notifications: { news }, createdAt: now() })
    .returning({ id: users.id, publicId: users.publicId })
  return row!
}

/** Corrects a guest's address. An account changes its own, with a link to the new address. */
export async function readdressGuest({ db }: Pick<World, 'db'>, userId: number, email: string) {
  const [row] = await db
    .update(users)
    .set({ email })
    .where(and(eq(users.id, userId), users.guest, isNull(users.deletedAt)))
    .returning({ id: users.id })
  return row !== undefined
}

type NewAccount = Pick<typeof users.$inferInsert, 'email' | 'firstName' | 'lastName' | 'mobile' | 'region'> &
  Partial<Pick<typeof users.$inferInsert, 'postcode' | 'address' | 'userClinic' | 'notifications'>> & {
    passwordHash: string
  }

/** Adds an account. If two use the same email, the second gets undefined. */
export async function addAccount({ db, now }: Pick<World, 'db' | 'now'>, account: NewAccount) {
  const [added] = await db
    .insert(users)
    .values({ ...account, publicId: newPublicId(), createdAt: now() })
    .onConflictDoNothing()
    .returning({ id: users.id })
  return added?.id
}

/** Changes to the people of one mailbox wait for each other. */
export const lockMailbox = ({ db }: Pick<World, 'db'>, email: string) =>
  db.execute(sql`select pg_advisory_xact_lock(hashtext(${`mailbox ${email}`}))`)

/** Records that an email belongs to the account's owner. The first time, what guests bought with it joins the account. */
export async function confirmMailbox(ctx: SessionWorld, userId: number) {
  const [first] = await ctx.db
    .update(users)
    .set({ emailConfirmedAt: ctx.now() })
    .where(and(eq(users.id, userId), isNull(users.emailConfirmedAt)))
    .returning({ email: users.email })
  await bindPoliciesOfHolder(ctx, userId)
  if (first) await joinGuests(ctx, first.email, userId)
}

/** Moves what a mailbox's guests bought to its account, and deletes the guests. The caller has locked the mailbox. */
async function joinGuests(ctx: SessionWorld, email: string, accountId: number) {
  // A person is locked before their consultations, as when a consult is reopened.
  const guests = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(guestsOf(email))
    .orderBy(users.id)
    .for('no key update')
  if (guests.length === 0) return
  const same: SamePet[] = []
  for (const { id } of guests) {
    // Anybody can type this email when they buy. From here on, only the account has access to what was bought.
    await endSessionsOf(ctx, id)
    await voidCodes(ctx, id)
    same.push(...(await movePets(ctx, id, accountId)))
    await movePurchases(ctx, id, accountId)
    await ctx.db.update(users).set({ deletedAt: ctx.now() }).where(eq(users.id, id))
  }
  await moveConsultations(ctx, idsOf(guests), accountId, same)
  for (const one of same) await unitePet(ctx, one)
  ctx.tell(personRoom(accountId), accountChanged, { what: ['me', 'pets', 'consultations'] })
}

/** Welcomes a new owner. The email counts as theirs only after they use the link in this mail. */
export async function welcome(
  ctx: Pick<World, 'env' | 'db' | 'now' | 'wake'>,
  userId: number,
  { email, firstName, region }: Pick<typeof users.$inferSelect, 'email' | 'firstName' | 'region'>,
  also: Part[] = [],
) {
  const code = newLinkCode()
  const expiresAt = addHours(ctx.now(), EMAIL_LINK_HOURS)
  await replaceCode(ctx, userId, 'confirm', code, expiresAt, { email })
  const guests = await ctx.db.select({ id: users.id }).from(users).where(guestsOf(email)).limit(1)
  const letter = welcomeLetter(firstName, code, { also, joins: guests.length > 0 })
  await mail(ctx, region, email, 'welcome', letter)
}

export const claimAccount: Handler<typeof calls.claimAccount> = async (ctx, { code, password }) => {
  const open = (await openCode(ctx, 'claim', code)) ?? fail('CLAIM_LINK_WRONG')
  const passwordHash = await hashPassword(password)
  const claim = () => takeOver(ctx, open, passwordHash)
  // The email got an account at the same moment, so now there is one to join.
  const claimed = await claim().catch((error: unknown) =>
    violates(error, 'users_email') ? claim() : Promise.reject(error),
  )
  if (claimed.token !== null) ctx.markBrowser(`email ${open.email}`)
  return claimed
}

/**
 * A link may be forwarded together with the plan. It gives access to the purchase, but never to an account in use: the
 * purchase joins that account, and its password stays. An unconfirmed account may have been made by a stranger.
 */
function takeOver(ctx: Ctx<'anyone'>, open: OpenCode, passwordHash: string) {
  return transaction(ctx, async (ctx) => {
    await lockMailbox(ctx, open.email)
    if (!(await useUp(ctx, open.id))) fail('CLAIM_LINK_WRONG')
    const account = open.guest ? await accountOf(ctx, open.email) : undefined
    if (account?.isConfirmed) {
      await joinGuests(ctx, open.email, account.id)
      return { token: null, joined: true }
    }
    const { id: userId, region } = account ?? { id: open.userId, region: open.region }
    await setPassword(ctx, { ...open, userId, region }, passwordHash)
    // A link must not skip the second factor, so a person who has one signs in instead.
    const asksForCode = (await factorOf(ctx, userId))?.onAt
    const token = asksForCode ? null : await openSession(ctx, { userId }, { agent: ctx.agent })
    return { token, joined: false }
  })
}

type AdminWorld = SessionWorld & Pick<World, 'env' | 'wake'>

/** Makes a person an admin, even without an account, and mails the link that sets their password. */
export const makeAdmin = (world: AdminWorld, email: string): Promise<'made' | 'was one already'> =>
  transaction(world, async (world) => {
    const person = await addPerson(world, email)
    if (person.type !== USER_TYPES.admin) await changeType(world, person, USER_TYPES.admin)
    await sendClaimLink(world, person.id)
    return person.type === USER_TYPES.admin ? 'was one already' : 'made'
  })

/** Locks the person with this email, who is added without a password if there is none. */
export async function addPerson(
  world: Pick<World, 'env' | 'db' | 'now'>,
  email: string,
  region: Region = world.env.sites[0]!.region,
  details: Partial<Pick<typeof users.$inferInsert, 'firstName' | 'lastName' | 'registration'>> = {},
) {
  const added = await world.db
    .insert(users)
    .values({ email, publicId: newPublicId(), region, createdAt: world.now(), ...details })
    .onConflictDoNothing()
    .returning({ id: users.id })
  return { ...(await personForChange(world, email))!, isNew: added.length > 0 }
}

/** Makes an admin a vet again, or an owner if they have no registration. The last admin stays. */
export const unmakeAdmin = (
  world: AdminWorld,
  email: string,
): Promise<'unmade' | 'is none' | 'is the last one'> =>
  transaction(world, async (world) => {
    // The lock makes a parallel call wait, so two calls can't each see another admin left.
    const admins = await world.db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.type, USER_TYPES.admin), isNull(users.deletedAt)))
      .orderBy(users.id)
      .for('no key update')
    const person = await personForChange(world, email)
    if (person?.type !== USER_TYPES.admin) return 'is none'
    if (admins.length === 1) return 'is the last one'
    await changeType(world, person, person.registration === null ? USER_TYPES.owner : USER_TYPES.vet)
    return 'unmade'
  })

async function personForChange({ db }: Pick<World, 'db'>, email: string) {
  const [person] = await db
    .select({
      ...columnsOf(users, 'id', 'type', 'region', 'registration'),
      hasPassword: isNotNull(users.passwordHash).mapWith(Boolean),
      isConfirmed: isEmailConfirmed,
    })
    .from(users)
    .where(and(eq(users.email, email), eq(users.guest, false), isNull(users.deletedAt)))
    .for('no key update')
  return person
}

/**
 * Changes what a person may do, on every device straight away, and records it. A stranger may have made an account whose
 * email isn't confirmed, so before it becomes staff's, its password and open links end, and the caller mails a new link.
 */
export async function changeType(
  ctx: SessionWorld,
  { id, type, region, isConfirmed }: { id: number; type: number; region: Region; isConfirmed: boolean },
  to: 1 | 2 | 3,
  by: number | null = null,
) {
  await ctx.db
    .update(users)
    .set({ type: to, ...(to !== USER_TYPES.vet && { onDutySince: null }) })
    .where(eq(users.id, id))
  if (to !== USER_TYPES.vet) {
    await handBackConsultations(ctx, id)
    await openShiftsOf(ctx, id)
    await tellWaiting(ctx, region)
  }
  if (to === USER_TYPES.owner) await forgetFactorOf(ctx, id)
  else if (!isConfirmed) {
    await ctx.db.update(users).set({ passwordHash: null }).where(eq(users.id, id))
    await voidCodes(ctx, id)
  }
  await endSessionsOf(ctx, id)
  await record(ctx, by, 'type changed', ['user', id], { details: { from: type, to } })
}
