import { and, desc, eq, gt, inArray, isNull, or, type Column } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type * as calls from '#contract/claims.ts'
import type { AdminsClaim, Claim, Incident } from '#contract/claims.ts'
import { RECORDS_KEPT_YEARS } from '#contract/profile.ts'
import { localDay } from '#contract/regions.ts'
import { addMonths } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import type { World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { adminName } from '../db/names.ts'
import { personBegins, petBegins } from '../db/like.ts'
import { after, PAGE, paged } from '../db/pagination.ts'
import { claims, pawcarePets, pets, subscriptionPets, subscriptions, uploads, users } from '../db/schema.ts'
import { demoInvoice } from '../db/demo/claims.ts'
import { pdf } from '../documents/pdf.ts'
import { iso } from '../http/answers.ts'
import { invoiceAddress, invoiceKeys, usedIn } from './rules.ts'

/** Loads what decides an owner's claims. Includes pets that were put away, since one may have died of the incident. */
export async function casesOf({ db }: Pick<World, 'db'>, ownerId: number, petId?: number) {
  const own = await db
    .select({ pet: pets, region: users.region })
    .from(pets)
    .innerJoin(users, eq(users.id, pets.ownerId))
    .where(and(eq(pets.ownerId, ownerId), petId === undefined ? undefined : eq(pets.id, petId)))
    .orderBy(pets.id)
  const ids = own.map(({ pet }) => pet.id)
  const places = await db
    .select({
      ...columnsOf(subscriptionPets, 'petId', 'addedAt', 'freeAt'),
      subscriptionId: subscriptions.id,
      ...columnsOf(subscriptions, 'end', 'recurringStart', 'currency', 'region'),
    })
    .from(subscriptionPets)
    .innerJoin(subscriptions, eq(subscriptions.id, subscriptionPets.subscriptionId))
    .where(inArray(subscriptionPets.petId, ids))
    .orderBy(desc(subscriptionPets.id))
  const registrations = await db.select().from(pawcarePets).where(inArray(pawcarePets.petId, ids))
  const made = await db.select().from(claims).where(inArray(claims.petId, ids)).orderBy(desc(claims.id))
  return own.map(({ pet, region }) => ({
    ...pet,
    region,
    places: places.filter((one) => one.petId === pet.id),
    registrations: registrations.filter((one) => one.petId === pet.id),
    claims: made.filter((one) => one.petId === pet.id),
  }))
}

type OwnersPet = Awaited<ReturnType<typeof casesOf>>[number]

export const asClaim = (pet: Pick<OwnersPet, 'id' | 'name'>, row: OwnersPet['claims'][number]): Claim => ({
  id: row.id,
  pet: { id: pet.id, name: pet.name },
  incident: row.incident as Incident,
  happened_on: row.happenedOn,
  amount: row.amount,
  currency: row.currency,
  would_pay: row.wouldPay,
  state: row.state,
  paid: row.paid,
  decision: row.decision,
  at: iso(row.createdAt),
})

const claimsOn = (pets: OwnersPet[]) =>
  pets
    .flatMap((pet) => pet.claims.map((row) => asClaim(pet, row)))
    .toSorted((one, other) => other.id - one.id)

/** An owner's claims, newest first. */
export const claimsOf = async (ctx: Pick<World, 'db'>, ownerId: number) =>
  claimsOn(await casesOf(ctx, ownerId))

export const listClaims: Handler<typeof calls.listClaims> = async (ctx) => {
  const own = await casesOf(ctx, ctx.actor.userId)
  const today = localDay(ctx.actor.region, ctx.now())
  return {
    claims: claimsOn(own),
    sent_from_here: ctx.env.insurerEmail !== undefined,
    used: own
      .filter(({ places }) => places.length > 0)
      .map((pet) => ({ pet_id: pet.id, ...usedIn(pet, pet.places[0]!, today) })),
  }
}

/** The claims that the insurer may still decide. They outlive their owner's account, but no longer than clinical records do. */
export const openClaimsOf = ({ db, now }: Pick<World, 'db' | 'now'>, owner: number | Column) =>
  db
    .select({ petId: claims.petId })
    .from(claims)
    .innerJoin(pets, eq(pets.id, claims.petId))
    .where(
      and(
        eq(pets.ownerId, owner),
        isNull(claims.decidedAt),
        gt(claims.createdAt, addMonths(now(), -RECORDS_KEPT_YEARS * 12)),
      ),
    )

const deciders = alias(users, 'deciders')

/** Claims with what an admin sees of them, newest first. */
export const everyClaim = ({ db }: Pick<World, 'db'>) =>
  db
    .select({
      id: claims.id,
      row: claims,
      pet: { id: pets.id, name: pets.name },
      owner: columnsOf(users, 'id', 'firstName', 'lastName', 'email'),
      isDemo: users.demo,
      leftAt: users.deletedAt,
      region: subscriptions.region,
      invoice: uploads.name,
      by: adminName<string | null>(deciders),
    })
    .from(claims)
    .innerJoin(pets, eq(pets.id, claims.petId))
    .innerJoin(users, eq(users.id, pets.ownerId))
    .innerJoin(subscriptions, eq(subscriptions.id, claims.subscriptionId))
    .innerJoin(uploads, eq(uploads.id, claims.uploadId))
    .leftJoin(deciders, eq(deciders.id, claims.decidedBy))
    .orderBy(desc(claims.id))

type AnyClaim = Awaited<ReturnType<typeof everyClaim>>[number]

export const asAdminsClaim = ({ row, pet, owner, leftAt, invoice, by }: AnyClaim): AdminsClaim => ({
  ...asClaim(pet, row),
  owner: { ...owner, has_left: leftAt !== null },
  invoice: invoiceAddress(invoice),
  decided: row.decidedAt && { at: iso(row.decidedAt), by: by! },
})

export const listEveryClaim: Handler<typeof calls.listEveryClaim> = async (ctx, { q, state, cursor }) => {
  const rows = await everyClaim(ctx)
    .where(
      and(
        q ? or(...personBegins(q), petBegins(q)) : undefined,
        state && eq(claims.state, state),
        after(claims.id, cursor),
      ),
    )
    .limit(PAGE + 1)
  const { page, next } = paged(rows)
  return { claims: page.map(asAdminsClaim), next, sent_from_here: ctx.env.insurerEmail !== undefined }
}

/** The claim that an invoice belongs to. */
export async function claimOfInvoice(world: Pick<World, 'db'>, name: string) {
  const [found] = await everyClaim(world).where(eq(uploads.name, name))
  return found
}

/** The invoice of a claim. The demo's invoices are made when they are opened. */
export async function invoiceFile({ files }: Pick<World, 'files'>, claim: AnyClaim) {
  for (const key of invoiceKeys(claim.invoice)) {
    const file = await files.get(key)
    if (file) return file
  }
  if (!claim.isDemo) return undefined
  const stream = await pdf(demoInvoice(asAdminsClaim(claim)))
  return { stream, size: stream.length, type: 'application/pdf' }
}
