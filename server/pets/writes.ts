import { randomBytes } from 'node:crypto'
import { and, count, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { accountChanged } from '#contract/accounts.ts'
import type { Parsed } from '#contract/call.ts'
import { fail, failAt, Failure } from '#contract/errors.ts'
import type * as calls from '#contract/pets.ts'
import {
  type Pet,
  CATS_AND_DOGS,
  couldBeBorn,
  PETS_PER_MEMBERSHIP,
  PICTURE_BYTES,
  PICTURE_WIDTHS,
} from '#contract/pets.ts'
import type { Handler } from '../http/serve.ts'
import { recordConsent } from '../identity/consent.ts'
import { take } from '../identity/limits.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { breeds, cards, consultations, pets, policies, species, uploads } from '../db/schema.ts'
import {
  keepPlace,
  leavePawCare,
  placeWithRoom,
  takePlace,
  takePlaceAgain,
  leavePlace,
} from '../memberships/writes.ts'
import { subscriptionsOf } from '../memberships/reads.ts'
import { isPetStock } from '../memberships/rules.ts'
import { isActive } from '#contract/memberships.ts'
import type { OpenPolicy } from '../policies/reads.ts'
import { askForPolicy, findPolicy, policyPlace } from '../policies/writes.ts'
import { addUpload, checkQuota, forgetUpload, storeNamed, letPictureGo } from '../documents/uploads.ts'
import { remakePicture } from '../providers/pictures.ts'
import { personRoom } from '../live/connections.ts'
import { lockPerson } from '../identity/session.ts'
import { startCare } from './care-writes.ts'
import { petOf } from './reads.ts'
import { BLANK_PET, isOptedOut, pictureKeys } from './rules.ts'

type OwnerCtx = Ctx<readonly ['owner']>
type Place = Pick<World, 'db' | 'now'>

/** Checks the size, then the type by content. A refused picture leaves nothing behind. */
export const uploadPicture: Handler<typeof calls.uploadPicture> = async (ctx, { image }) => {
  const { userId } = ctx.actor
  if (image.truncated || image.size > PICTURE_BYTES) fail('PICTURE_TOO_LARGE')
  await checkQuota(ctx, { userId, bytes: 0 })
  const made = (await remakePicture(userId, image.path, PICTURE_WIDTHS)) ?? fail('PICTURE_WRONG_TYPE')
  const filename = randomBytes(16).toString('hex')
  const side = PICTURE_WIDTHS.at(-1)!
  const bytes = made.reduce((sum, { content }) => sum + content.length, 0)
  const picture = { name: filename, userId, type: 'image', bytes, width: side, height: side }
  const id = await addUpload(ctx, picture)
  return storeNamed(
    async () => {
      for (const { width, ending, content } of made)
        await ctx.files.put(`pets/${filename}-${width}.${ending}`, content)
    },
    async () => ({ filename }),
    async () => {
      await Promise.all(pictureKeys(filename).map((key) => ctx.files.remove(key)))
      await forgetUpload(ctx, id)
    },
  )
}

/** The description of a pet to add. */
export type PetDetails = Pick<
  Pet,
  'name' | 'species_id' | 'breed_id' | 'sex' | 'dob' | 'desexed' | 'microchip'
> &
  Partial<Pick<Pet, 'dob_approximate' | 'pet_image'>>

/** Checked details. Plain values, so a purchase can store them until it is paid. */
export type CheckedPet = PetDetails & { pet_image: string | null }

/** Checks whether a pet could be added: species, breed, date of birth, and who uploaded its picture. */
export async function checkPet(ctx: Place, userId: number, pet: PetDetails): Promise<CheckedPet> {
  const { db } = ctx
  const [known] = await db.select({ id: species.id }).from(species).where(eq(species.id, pet.species_id))
  if (!known) failAt('species_id', 'PET_DETAILS_MISSING')
  checkBirth(ctx, pet.dob)
  const { name, species_id, sex, dob, desexed, microchip } = pet
  const pet_image = pet.pet_image || null
  if (pet_image !== null && (await db.$count(uploads, isOwnPicture(userId, pet_image))) === 0)
    fail('PICTURE_NOT_YOURS')
  const breed_id = await breedOf(ctx, species_id, pet.breed_id)
  return {
    name,
    species_id,
    breed_id,
    sex,
    dob,
    dob_approximate: pet.dob_approximate,
    desexed,
    microchip,
    pet_image,
  }
}

/** It belongs to nobody yet. */
const NO_OWNER = 0

type FirstPet = Pick<PetDetails, 'name' | 'species_id' | 'dob_approximate'> & {
  [field in 'breed_id' | 'sex' | 'dob']?: PetDetails[field] | undefined
}

/** Checks the pet of a person without an account. Errors name the fields as the call does, with `prefix` in front. */
export async function checkFirstPet(
  ctx: Place,
  { breed_id = null, sex = null, dob = null, ...pet }: FirstPet,
  prefix: 'pet.' | 'pet_',
): Promise<CheckedPet> {
  return checkPet(ctx, NO_OWNER, { ...BLANK_PET, ...pet, breed_id, sex, dob }).catch((error: unknown) => {
    const code = error instanceof Failure && error.code
    if (code === 'PET_DETAILS_MISSING') return failAt(`${prefix}breed`, 'PET_BREED_MISSING')
    if (code === 'PET_DOB_WRONG') return failAt(`${prefix}dob`, code)
    throw error
  })
}

/** Adds a checked pet. A picture that was deleted meanwhile is left out. */
export async function insertPet(
  ctx: Place,
  userId: number,
  pet: CheckedPet,
  policyId: number | null = null,
): Promise<number> {
  const [added] = await ctx.db
    .insert(pets)
    .values({
      ownerId: userId,
      name: pet.name,
      speciesId: pet.species_id,
      breedId: pet.breed_id,
      sex: pet.sex,
      dob: pet.dob,
      dobApproximate: pet.dob !== null && pet.dob_approximate === true,
      desexed: pet.desexed,
      microchip: pet.microchip,
      uploadId: pet.pet_image === null ? null : await namePicture(ctx, userId, pet.pet_image),
      policyId,
      createdAt: ctx.now(),
    })
    .returning({ id: pets.id })
  return added!.id
}

export const addPet: Handler<typeof calls.addPet> = async (ctx, sent) => {
  if (sent.agreed === false) fail('PET_TERMS_NOT_AGREED')
  const { userId } = ctx.actor
  const before = await addedBefore(ctx)
  if (before !== null) return petOf(ctx, userId, before)
  try {
    return await addOnce(ctx, userId, sent)
  } catch (error) {
    // The same request was faster and has the policy by now.
    const meanwhile = await addedBefore(ctx)
    if (meanwhile !== null) return petOf(ctx, userId, meanwhile)
    throw error
  }
}

async function addOnce(ctx: OwnerCtx, userId: number, sent: Parsed<typeof calls.addPet>) {
  const pet = await checkPet(ctx, userId, { ...sent, species_id: sent.pet_species, breed_id: sent.breed })
  const policy = sent.policy ? await findPolicy(ctx, sent.policy) : null
  if (policy && policy.speciesId !== pet.species_id) failAt('policy', 'POLICY_INVALID')
  return transaction(ctx, async (ctx) => {
    // Parallel additions wait here, so a membership never gets more than five pets.
    await lockPerson(ctx, userId)
    const meanwhile = await addedBefore(ctx)
    if (meanwhile !== null) return petOf(ctx, userId, meanwhile)
    await take(ctx, 'petsAdded', String(userId))
    const petId = policy
      ? await addWithPolicy(ctx, userId, pet, policy)
      : await addToMembership(ctx, userId, pet)
    if (ctx.idempotency)
      await ctx.db
        .update(pets)
        .set({ addedKey: keyOf(ctx), addedPayload: ctx.idempotency.payload })
        .where(eq(pets.id, petId))
    await recordConsent(ctx, userId, 'addPet', sent)
    ctx.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
    return petOf(ctx, userId, petId)
  })
}

const keyOf = ({ actor, idempotency }: OwnerCtx) => `${actor.userId} ${idempotency!.key}`

/** The pet that the same request added before its answer got lost. */
async function addedBefore(ctx: OwnerCtx): Promise<number | null> {
  if (!ctx.idempotency) return null
  const [known] = await ctx.db
    .select({ id: pets.id, payload: pets.addedPayload })
    .from(pets)
    .where(eq(pets.addedKey, keyOf(ctx)))
  if (known && known.payload !== ctx.idempotency.payload) fail('IDEMPOTENCY_KEY_REUSED')
  return known?.id ?? null
}

/** Takes a free place. Without an active membership, an account may have a few pets without cover. */
async function addToMembership(ctx: OwnerCtx, userId: number, pet: CheckedPet) {
  const memberships = await subscriptionsOf(ctx, userId)
  if (memberships.some(isPetStock)) fail('PETS_MANAGED_BY_PARTNER')
  const [card] = await ctx.db.select({ id: cards.userId }).from(cards).where(eq(cards.userId, userId))
  const active = memberships.filter((one) => isActive(one, ctx.now()))
  if (!card && !active.some(({ source }) => source === 'insurer')) fail('PET_NEEDS_PAYMENT_METHOD')
  const place = await placeFor(ctx, userId, active)
  const petId = await insertPet(ctx, userId, pet)
  if (place) {
    await takePlace(ctx, place, petId, pet.species_id)
    await startCare(ctx, petId)
  }
  return petId
}

/** A free place for one more pet; null if it may be in the account without one. */
async function placeFor(ctx: Place, userId: number, active: { id: number }[]) {
  const place = await placeWithRoom(ctx, active)
  if (!place && (active.length > 0 || (await countPets(ctx, userId)) >= PETS_PER_MEMBERSHIP))
    fail('MEMBERSHIP_FULL')
  return place
}

/** Until the policy's holder confirms, the pet has neither a place nor cover. */
async function addWithPolicy(ctx: OwnerCtx, userId: number, pet: CheckedPet, policy: OpenPolicy) {
  const petId = await insertPet(ctx, userId, pet, policy.id)
  const isBound = await askForPolicy(ctx, { userId, petId, policy })
  if (isBound) await startCare(ctx, petId)
  else if ((await countThatWait(ctx, userId)) > PETS_PER_MEMBERSHIP) fail('MEMBERSHIP_FULL')
  return petId
}

/** Pets whose policy isn't confirmed. */
async function countThatWait({ db }: Place, ownerId: number) {
  const [row] = await db
    .select({ n: count() })
    .from(pets)
    .innerJoin(policies, eq(policies.id, pets.policyId))
    .where(
      and(
        eq(pets.ownerId, ownerId),
        isNull(pets.putAwayAt),
        sql`${policies.petId} is distinct from ${pets.id}`,
      ),
    )
  return row!.n
}

const countPets = ({ db }: Place, ownerId: number) =>
  db.$count(pets, and(eq(pets.ownerId, ownerId), isNull(pets.putAwayAt)))

function checkBirth({ now }: Place, dob: string | null) {
  if (dob !== null && !couldBeBorn(dob, now())) failAt('dob', 'PET_DOB_WRONG')
}

/** Dogs and cats need a breed of their own species; other species have none. */
async function breedOf({ db }: Place, speciesId: number, breedId: number | null) {
  if (!CATS_AND_DOGS.includes(speciesId)) return null
  const [breed] =
    breedId === null
      ? []
      : await db
          .select({ id: breeds.id })
          .from(breeds)
          .where(and(eq(breeds.id, breedId), eq(breeds.speciesId, speciesId)))
  return breed ? breed.id : fail('PET_DETAILS_MISSING', { fields: { breed: 'Pet breed is required' } })
}

/** Only the person who uploaded a picture can use it. */
const isOwnPicture = (userId: number, name: string) =>
  and(eq(uploads.name, name), eq(uploads.userId, userId), eq(uploads.type, 'image'))

/** Keeps the picture, because a pet or a vet's card now uses it. An admin's upload becomes the vet's. */
export async function namePicture({ db, now }: Place, userId: number, name: string, becomes = userId) {
  const [upload] = await db
    .update(uploads)
    .set({ userId: becomes, namedAt: sql`coalesce(${uploads.namedAt}, ${now().toISOString()}::timestamptz)` })
    .where(isOwnPicture(userId, name))
    .returning({ id: uploads.id })
  return upload?.id ?? null
}

export const updatePet: Handler<typeof calls.updatePet> = async (ctx, sent) => {
  const { userId } = ctx.actor
  return transaction(ctx, async (ctx) => {
    const before = await petOf(ctx, userId, sent.id)
    const { name, sex, dob, desexed, microchip, pet_image } = sent
    if (dob) checkBirth(ctx, dob)
    // If the picture's current address is sent back, the picture stays.
    const staysPictured = pet_image === undefined || pet_image === before.pet_image
    const [pictured] = await ctx.db.select({ by: pets.uploadId }).from(pets).where(eq(pets.id, sent.id))
    await ctx.db
      .update(pets)
      .set({
        name: name ?? before.name,
        sex,
        dob,
        ...(dob !== undefined && { dobApproximate: dob !== null && sent.dob_approximate === true }),
        desexed,
        ...(microchip !== undefined && { microchip: microchip ?? '' }),
        ...(!staysPictured && {
          uploadId: pet_image
            ? ((await namePicture(ctx, userId, pet_image)) ?? fail('PICTURE_NOT_YOURS'))
            : null,
        }),
      })
      .where(and(eq(pets.id, sent.id), eq(pets.ownerId, userId)))
    if (!staysPictured && pictured?.by != null) await letPictureGo(ctx, pictured.by)
    if (sent.pawcare_out) await leavePawCare(ctx, sent.id, ctx.now())
    if (sent.pawcare_out === false && isOptedOut(before)) failAt('pawcare_out', 'PAWCARE_ENDED')
    ctx.tell(personRoom(userId), accountChanged, { what: ['pets'] })
    return petOf(ctx, userId, sent.id)
  })
}

/** A pet that died or moved on leaves the lists. Its place and cover end with the period. */
export const putPetAway: Handler<typeof calls.putPetAway> = async (ctx, { id, why }) => {
  const { userId } = ctx.actor
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    // A consult that starts in parallel waits here.
    await lockPerson(ctx, userId)
    await petOf(ctx, userId, id)
    const isOpen = and(eq(consultations.petId, id), isNull(consultations.end))
    if ((await db.$count(consultations, isOpen)) > 0) fail('PET_IN_CONSULT')
    await db
      .update(pets)
      .set({ putAwayAt: ctx.now(), putAwayWhy: why })
      .where(and(eq(pets.id, id), eq(pets.ownerId, userId)))
    await leavePlace(ctx, id)
    ctx.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
  })
  return {}
}

/** A pet that was put away by mistake, or that came home. Asking twice changes nothing. */
export const takePetBack: Handler<typeof calls.takePetBack> = async (ctx, { id }) => {
  const { userId } = ctx.actor
  return transaction(ctx, async (ctx) => {
    await lockPerson(ctx, userId)
    const own = and(eq(pets.id, id), eq(pets.ownerId, userId))
    const [away] = await ctx.db
      .select({ id: pets.id, speciesId: pets.speciesId, putAwayAt: pets.putAwayAt })
      .from(pets)
      .where(and(own, isNotNull(pets.putAwayAt)))
    if (!away) return petOf(ctx, userId, id)
    await take(ctx, 'petsAdded', String(userId))
    const keeps = await keepPlace(ctx, id)
    const place = keeps ? null : await placeAgain(ctx, userId, id)
    await ctx.db.update(pets).set({ putAwayAt: null, putAwayWhy: null }).where(own)
    if (place) await takePlaceAgain(ctx, place, away)
    if (keeps || place) await startCare(ctx, id)
    ctx.tell(personRoom(userId), accountChanged, { what: ['me', 'pets'] })
    return petOf(ctx, userId, id)
  })
}

/** As if the pet was added now: with its policy, or on a membership that has room. */
async function placeAgain(ctx: Place, userId: number, petId: number) {
  const insured = await policyPlace(ctx, userId, petId)
  if (insured) return insured
  const active = (await subscriptionsOf(ctx, userId)).filter((one) => isActive(one, ctx.now()))
  return placeFor(ctx, userId, active)
}
