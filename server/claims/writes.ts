import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { eq, inArray } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import { type Claim, claimPays, INVOICE_BYTES } from '#contract/claims.ts'
import type * as calls from '#contract/claims.ts'
import { fail, failAt } from '#contract/errors.ts'
import { localDay } from '#contract/regions.ts'
import type { Handler } from '../http/serve.ts'
import { kindOf } from '../documents/content-types.ts'
import {
  addUpload,
  checkQuota,
  forgetUpload,
  letInvoicesGo,
  nameUpload,
  storeNamed,
} from '../documents/uploads.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { speciesNamed } from '../db/breeds.ts'
import { claims, pets } from '../db/schema.ts'
import { record } from '../identity/audit.ts'
import { take } from '../identity/limits.ts'
import { personById } from '../identity/session.ts'
import { iso } from '../http/answers.ts'
import { mail } from '../mail/outbox.ts'
import { isNear } from '../pets/rules.ts'
import { remakePage } from '../providers/pictures.ts'
import { claimDecidedLetter, claimReceivedLetter, insurerLetter } from './emails.ts'
import { asAdminsClaim, asClaim, casesOf, everyClaim } from './reads.ts'
import { CLAIM, judge, paysOtherwise } from './rules.ts'

type OwnerCtx = Ctx<readonly ['owner']>
type Said = Omit<Parsed<typeof calls.makeClaim>, 'invoice'>
type Invoice = NonNullable<Awaited<ReturnType<typeof readInvoice>>> & { uploadId: number }

/** Enough pixels to read every line of a page. */
const LONGEST = 2400

/** Stores the invoice and mails it to the insurer. */
export const makeClaim: Handler<typeof calls.makeClaim> = async (ctx, { invoice, ...said }) => {
  const insurer = ctx.env.insurerEmail ?? fail('CLAIM_NOT_FROM_HERE')
  const today = localDay(ctx.actor.region, ctx.now())
  if (said.happened_on > today || !isNear(said.happened_on, today)) failAt('happened_on', 'CLAIM_DATE_WRONG')
  const found = await judged(ctx, said)
  if (found.same) return found.same
  if (invoice.truncated || invoice.size > INVOICE_BYTES) failAt('invoice', 'CLAIM_INVOICE_TOO_LARGE')
  await checkQuota(ctx, { userId: ctx.actor.userId, bytes: 0 })
  const file =
    (await readInvoice(ctx.actor.userId, invoice.path)) ?? failAt('invoice', 'CLAIM_INVOICE_WRONG_TYPE')
  // Claims that pay nothing don't count towards the year's claims, so another limit keeps them from flooding the insurer.
  if (claimPays(found.place.region, said.amount, found.paid) === 0)
    await take(ctx, 'claimsUnpaid', String(ctx.actor.userId))
  const { name, key, content } = file
  const upload = { name, userId: ctx.actor.userId, type: 'invoice', bytes: content.length }
  const uploadId = await addUpload(ctx, upload)
  const forget = async () => {
    await ctx.files.remove(key)
    await forgetUpload(ctx, uploadId)
  }
  const { claim, isNew } = await storeNamed(
    () => ctx.files.put(key, content),
    () => transaction(ctx, (ctx) => writeClaim(ctx, said, { ...file, uploadId }, insurer)),
    forget,
  )
  if (!isNew) await forget()
  return claim
}

/**
 * The pet, and the membership that its claim is for; throws the reason if there is none. A claim sent again after a
 * lost answer counts as the same claim.
 */
async function judged(ctx: OwnerCtx, { pet_id, incident, happened_on, amount }: Said) {
  const [pet] = await casesOf(ctx, ctx.actor.userId, pet_id)
  if (!pet) return fail('NOT_FOUND')
  const same = pet.claims.find(
    (row) => row.incident === incident && row.happenedOn === happened_on && row.amount === amount,
  )
  if (same) return { same: asClaim(pet, same) }
  const judgement = judge(pet, happened_on, ctx.now())
  if ('refused' in judgement) return fail(judgement.refused, { values: judgement.values ?? {} })
  return { pet, ...judgement }
}

/** Detects the type by content, not by name. Pictures are re-encoded. */
async function readInvoice(userId: number, path: string) {
  const name = randomBytes(16).toString('hex')
  if ((await kindOf(path)) === 'pdf') {
    const content = await readFile(path)
    return { name, key: `claims/${name}.pdf`, ending: 'pdf', type: 'application/pdf', content }
  }
  const page = await remakePage(userId, path, LONGEST)
  return page && { name, key: `claims/${name}.jpg`, ending: 'jpg', type: 'image/jpeg', content: page.content }
}

/** Claims of one pet wait for each other, so the yearly limit holds. */
const lockPet = ({ db }: Pick<World, 'db'>, id: number) =>
  db.select({ id: pets.id }).from(pets).where(eq(pets.id, id)).for('no key update')

async function writeClaim(
  ctx: OwnerCtx,
  said: Said,
  file: Invoice,
  insurer: string,
): Promise<{ claim: Claim; isNew: boolean }> {
  const { db } = ctx
  const { userId } = ctx.actor
  await lockPet(ctx, said.pet_id)
  const found = await judged(ctx, said)
  if (found.same) return { claim: found.same, isNew: false }
  const { pet, place, paid } = found
  await nameUpload(ctx, file.uploadId)
  const [row] = await db
    .insert(claims)
    .values({
      petId: pet.id,
      subscriptionId: place.subscriptionId,
      incident: said.incident,
      happenedOn: said.happened_on,
      amount: said.amount,
      currency: place.currency,
      wouldPay: claimPays(place.region, said.amount, paid),
      uploadId: file.uploadId,
      createdAt: ctx.now(),
    })
    .returning()
  const claim = asClaim(pet, row!)
  const owner = await personById(ctx, userId)
  const invoice = { filename: `claim-${claim.id}.${file.ending}`, key: file.key, type: file.type }
  const letter = insurerLetter(claim, { ...pet, species: speciesNamed(pet.speciesId) }, owner!)
  await mail(ctx, place.region, insurer, 'claim', letter, {
    key: `${CLAIM}${claim.id}`,
    attachments: [invoice],
  })
  await mail(
    ctx,
    place.region,
    owner!.email,
    'claim received',
    claimReceivedLetter(place.region, claim, owner!),
  )
  return { claim, isNew: true }
}

/** Records or corrects what the insurer decided, and writes to the owner. The same decision again changes nothing. */
export const decideClaim: Handler<typeof calls.decideClaim> = (ctx, { id, paid, seen, ...said }) =>
  transaction(ctx, async (ctx) => {
    const { db, now } = ctx
    const { userId } = ctx.actor
    const read = async () => (await everyClaim(ctx).where(eq(claims.id, id)))[0] ?? fail('CLAIM_REMOVED')
    // Two admins who decide the same claim wait here for each other, and a new claim of this pet waits for them.
    await lockPet(ctx, (await read()).pet.id)
    const known = await read()
    const { row, owner } = known
    const decision = said.decision ?? row.decision
    if (row.paid === paid && row.decision === decision) return asAdminsClaim(known)
    if (paid > row.amount) failAt('paid', 'CLAIM_PAID_TOO_MUCH')
    if (paid === 0 && decision === '') failAt('decision', 'CLAIM_WHY_MISSING')
    if (seen !== undefined && seen !== iso(row.decidedAt))
      fail('CHANGED_UNDER_YOU', { body: { current: asAdminsClaim(known) } })
    const isFirst = row.decidedAt === null
    await db
      .update(claims)
      .set({ state: 'decided', paid, decision, decidedAt: now(), decidedBy: userId })
      .where(eq(claims.id, id))
    const [pet] = await casesOf(ctx, owner.id, known.pet.id)
    for (const { id, wouldPay } of paysOtherwise(pet!))
      await db.update(claims).set({ wouldPay }).where(eq(claims.id, id))
    await record(ctx, userId, isFirst ? 'decided a claim' : 'corrected a claim', ['user', owner.id], {
      reason: decision,
      details: { amount: paid, currency: row.currency, claim: id },
    })
    const decided = asAdminsClaim(await read())
    // An owner who deleted their account hears from the insurer.
    if (known.leftAt === null)
      await mail(
        ctx,
        known.region,
        owner.email,
        'claim decided',
        claimDecidedLetter(known.region, decided, isFirst),
      )
    return decided
  })

/** Deletes a deleted account's claims and leaves their invoices to the sweep. Returns the keys of the mails to the insurer. */
export async function forgetClaimsOf(ctx: Pick<World, 'db' | 'now'>, userId: number): Promise<string[]> {
  const { db } = ctx
  const theirs = db.select({ id: pets.id }).from(pets).where(eq(pets.ownerId, userId))
  const gone = await db
    .delete(claims)
    .where(inArray(claims.petId, theirs))
    .returning({ id: claims.id, uploadId: claims.uploadId })
  await letInvoicesGo(
    ctx,
    gone.map(({ uploadId }) => uploadId),
  )
  return gone.map(({ id }) => `${CLAIM}${id}`)
}
