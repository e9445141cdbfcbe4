import { and, eq, isNull, sql } from 'drizzle-orm'
import { fail, failAt } from '#contract/errors.ts'
import type * as calls from '#contract/vets.ts'
import type { Region } from '#contract/regions.ts'
import { USER_TYPES } from '#contract/accounts.ts'
import type { Handler } from '../http/serve.ts'
import { sendClaimLink } from '../accounts/claim-writes.ts'
import { isEmailConfirmed } from '../accounts/reads.ts'
import { addPerson, changeType } from '../accounts/writes.ts'
import { transaction, type World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { users, vetCards } from '../db/schema.ts'
import { record } from '../identity/audit.ts'
import { letPictureGo } from '../documents/uploads.ts'
import { namePicture } from '../pets/writes.ts'
import { personOf } from './reads.ts'

/** Locks the person's row, so that two admins change it one after the other. */
async function lockAccount({ db }: Pick<World, 'db'>, id: number) {
  const [person] = await db
    .select({
      ...columnsOf(users, 'id', 'type', 'region', 'registration'),
      isConfirmed: isEmailConfirmed,
    })
    .from(users)
    .where(and(eq(users.id, id), eq(users.guest, false), isNull(users.deletedAt)))
    .for('no key update')
  return person ?? fail('ACCOUNT_DELETED')
}

export const setUserType: Handler<typeof calls.setUserType> = (ctx, { id, type }) =>
  transaction(ctx, async (ctx) => {
    if (id === ctx.actor.userId) fail('USER_TYPE_OWN')
    const person = await lockAccount(ctx, id)
    if (person.type === USER_TYPES.admin) fail('USER_TYPE_ADMIN')
    if (type === USER_TYPES.vet && person.registration === null)
      failAt('registration', 'REGISTRATION_MISSING')
    if (person.type === type) return personOf(ctx, id)
    await changeType(ctx, person, type, ctx.actor.userId)
    if (type === USER_TYPES.vet && !person.isConfirmed) await sendClaimLink(ctx, id)
    return personOf(ctx, id)
  })

/** A person who already has an account becomes a vet by setUserType. */
export const inviteVet: Handler<typeof calls.inviteVet> = (ctx, { email, ...vet }) =>
  transaction(ctx, async (ctx) => {
    const person = await addPerson(ctx, email, ctx.region, vet)
    if (!person.isNew) failAt('email', 'PERSON_KNOWN')
    await changeType(ctx, person, USER_TYPES.vet, ctx.actor.userId)
    await sendClaimLink(ctx, person.id)
    return personOf(ctx, person.id)
  })

export const saveVet: Handler<typeof calls.saveVet> = (ctx, sent) =>
  transaction(ctx, async (ctx) => {
    const { id, registration, picture, saved_at, ...words } = sent
    const { userId } = ctx.actor
    const before = await lockAccount(ctx, id)
    const [card] = await ctx.db.select().from(vetCards).where(eq(vetCards.userId, id))
    if (saved_at !== undefined && saved_at !== (card?.changedAt.toISOString() ?? null))
      fail('CHANGED_UNDER_YOU', { body: { current: await personOf(ctx, id) } })
    if (registration !== undefined && registration !== before.registration) {
      // A vet with a number reviews clinical words, so a second person must enter it.
      if (id === userId) fail('REGISTRATION_OWN')
      ctx.passwordAgain()
    }
    if (registration !== undefined) await ctx.db.update(users).set({ registration }).where(eq(users.id, id))
    const uploadId = picture && (await namePicture(ctx, userId, picture, id))
    if (picture && uploadId === null)
      fail('INVALID_INPUT', { fields: { picture: 'Please add the picture again.' } })
    const values = {
      ...words,
      ...(uploadId !== undefined && { uploadId: uploadId || null }),
      changedAt: ctx.now(),
    }
    await ctx.db
      .insert(vetCards)
      .values({ userId: id, ...values })
      .onConflictDoUpdate({ target: vetCards.userId, set: values })
    if (uploadId !== undefined && card?.uploadId && card.uploadId !== uploadId)
      await letPictureGo(ctx, card.uploadId)
    // Public pages show the card.
    await ctx.db.execute(sql`select pg_notify('content', '')`)
    await record(ctx, userId, 'vet saved', ['user', id], {
      details: { ...sent, ...(registration !== undefined && { registrationBefore: before.registration }) },
    })
    return personOf(ctx, id)
  })

export const forgetCardOf = ({ db }: Pick<World, 'db'>, userId: number) =>
  db.delete(vetCards).where(eq(vetCards.userId, userId))

type CommandWorld = Pick<World, 'env' | 'db' | 'now' | 'tell' | 'hangUp' | 'wake'>

/** For the command. A person without a password gets the link that sets one. */
export const makeVet = (
  world: CommandWorld,
  { email, registration, region }: { email: string; registration: string; region: Region | undefined },
) =>
  transaction(world, async (world) => {
    const person = await addPerson(world, email, region)
    if (person.type === USER_TYPES.admin) return { result: 'is an admin', mailed: false } as const
    await world.db.update(users).set({ registration }).where(eq(users.id, person.id))
    if (person.type !== USER_TYPES.vet) await changeType(world, person, USER_TYPES.vet)
    const mailed = !person.hasPassword || !person.isConfirmed
    if (mailed) await sendClaimLink(world, person.id)
    return { result: person.type === USER_TYPES.vet ? 'was one already' : 'made', mailed } as const
  })
