import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Call, type Input, type Output, urlOf } from '#contract/call.ts'
import { type ErrorCode, ERRORS } from '#contract/errors.ts'
import type { Plan } from '#contract/memberships.ts'
import { subscribePet, updatePaymentMethod } from '#contract/payments.ts'
import { addPet } from '#contract/pets.ts'
import { takeConsultation } from '#contract/queue.ts'
import type { Region } from '#contract/regions.ts'
import { addDays } from '#contract/time.ts'
import type { World } from '#server/context.ts'
import {
  breeds,
  cards,
  clinics,
  consultations,
  pets,
  policies,
  subscriptionPets,
  subscriptions,
  users,
} from '#server/db/schema.ts'
import { hashPassword, openSession } from '#server/identity/session.ts'
import { rowsIn } from './rows.ts'
import { addedRabbit } from './samples.ts'

export const PASSWORD = 'Passw0rd'
let passwordHash: Promise<string> | undefined
let count = 0

export interface Reply<O> {
  status: number
  body: O & { errors?: string[]; code?: string; fields?: Record<string, string>; ref?: string }
  text: string
  headers: Record<string, string | string[] | number | undefined>
}

/** A call was refused where a test expected an answer. */
class Refused extends Error {
  readonly reply: Reply<unknown>
  constructor(reply: Reply<unknown>) {
    super(`${reply.status} ${reply.text}`)
    this.reply = reply
  }
}

/** Makes calls from its own address, with or without a token. */
export function browserOf(app: FastifyInstance, token?: string, from = '127.0.0.1') {
  let cookie = ''
  async function send<D extends Call>(
    definition: D,
    input: Input<D> | object = {},
    headers: Record<string, string> = {},
  ): Promise<Reply<Output<D>>> {
    const { url, body } = urlOf(definition, input as object)
    const response = await app.inject({
      method: definition.method,
      url: `/api${url}`,
      remoteAddress: from,
      ...(body && { payload: body }),
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...(cookie && { cookie }), ...headers },
    })
    const set = response.headers['set-cookie']
    if (set) cookie = [set].flat()[0]!.split(';')[0]!
    const json = String(response.headers['content-type']).includes('json')
    return {
      status: response.statusCode,
      body: (json ? response.json() : {}) as Reply<Output<D>>['body'],
      text: response.body,
      headers: response.headers as Reply<unknown>['headers'],
    }
  }
  return {
    token,
    /** Returns any answer, even a refusal. */
    send,
    /** Returns the answer, and throws if the call is refused. */
    async call<D extends Call>(definition: D, input: Input<D>): Promise<Output<D>> {
      const reply = await send(definition, input)
      if (reply.status !== 200) throw new Refused(reply)
      return reply.body
    },
    /** Returns the code of a refusal, and throws unless the status is that code's. */
    async refusal<D extends Call>(...sent: Parameters<typeof send<D>>): Promise<ErrorCode> {
      const { status, text, body } = await send(...sent)
      const code = body.code as ErrorCode
      if (status !== ERRORS[code]?.status) throw new Error(`${status} ${text}`)
      return code
    },
    /** Opens an address that no call has, such as a file's. */
    open: (url: string) =>
      app.inject({ url, remoteAddress: from, headers: token ? { authorization: `Bearer ${token}` } : {} }),
    /** The same browser, signed in. */
    with: (token: string) => browserOf(app, token, from),
    from: (address: string) => browserOf(app, token, address),
  }
}

type ConsultRow = Partial<typeof consultations.$inferInsert>

/** Ready-made people. Each is new and signed in. */
export function peopleOf(world: World, app: FastifyInstance) {
  const { add } = rowsIn(world.db)
  async function person(values: Partial<typeof users.$inferInsert> = {}) {
    const n = ++count
    const user = await add(users, {
      publicId: `person_test${n}`,
      email: `person${n}@example.com`,
      passwordHash: await (passwordHash ??= hashPassword(PASSWORD)),
      firstName: 'Thandi',
      lastName: `Mokoena ${n}`,
      mobile: '082 123 4567',
      region: 'za',
      emailConfirmedAt: world.now(),
      ...values,
    })
    const token = await openSession(world, { userId: user.id })
    return { ...user, ...browserOf(app, token), token }
  }
  const pet = (ownerId: number, values: Partial<typeof pets.$inferInsert> = {}) =>
    add(pets, { ownerId, name: 'Biscuit', speciesId: 1, ...values })
  const consultation = (values: ConsultRow & { userId: number; petId: number }) =>
    add(consultations, {
      type: 1,
      region: 'za',
      petIssue: 'She will not eat',
      start: values.vetStart ?? world.now(),
      ...values,
    })
  /** A member's consult, about their pet. */
  const consultOf = (owner: { id: number; pet: { id: number } }, values: ConsultRow = {}) =>
    consultation({ ...values, userId: owner.id, petId: owner.pet.id })
  /** A card on file that the payment sandbox doesn't know. */
  const card = (userId: number) =>
    add(cards, {
      userId,
      stripePaymentMethod: `pm_test${userId}`,
      brand: 'visa',
      last4: '4242',
      expMonth: 1,
      expYear: 2031,
    })
  /** A membership that a partner sold, so the payment sandbox doesn't know it. */
  const partnersMembership = (userId: number, values: Partial<typeof subscriptions.$inferInsert> = {}) =>
    add(subscriptions, {
      userId,
      plan: 'annual',
      region: 'za',
      price: 0,
      currency: 'zar',
      status: 'active',
      source: 'insurer',
      recurringStart: world.now(),
      ...values,
    })
  /** An owner who bought a membership through the payment sandbox: a card on file, a dog, and a plan that renews. */
  async function memberWithCard({ region = 'za', plan = 'annual' }: { region?: Region; plan?: Plan } = {}) {
    const owner = await person({ region })
    await owner.call(updatePaymentMethod, { payload: { token: 'tok_visa' } })
    const [breed] = await world.db.select().from(breeds).where(eq(breeds.speciesId, 1)).limit(1)
    const pet = { name: 'Biscuit', species_id: 1, breed_id: breed!.id, sex: null, dob: null, desexed: null }
    const bought = await owner.call(subscribePet, { pet, plan, agreed: true, terms: '1' })
    if (!('pet' in bought)) throw new Error('The sandbox asked for a challenge')
    return { ...owner, ...bought }
  }
  /** An owner with an active membership and one pet in it. */
  async function member(region: Region = 'za') {
    const owner = await person({ region })
    const petRow = await pet(owner.id)
    const at = world.now()
    const subscription = await add(subscriptions, {
      userId: owner.id,
      plan: 'annual',
      region,
      price: 200_000,
      currency: region === 'za' ? 'zar' : 'aud',
      stripeSubscription: `sub_test${owner.id}`,
      status: 'active',
      recurringStart: at,
      currentPeriodEnd: addDays(at, 365),
    })
    await add(subscriptionPets, { subscriptionId: subscription.id, petId: petRow.id, place: 1 })
    return { ...owner, pet: petRow, subscription }
  }
  const vet = (region: Region = 'za') => person({ type: 2, region, registration: `TEST-${count + 1}` })
  /** A member's consult that waits for a vet. */
  async function waiting(values: ConsultRow = {}) {
    const owner = await member()
    const { id } = await consultOf(owner, values)
    return { owner, id }
  }
  return {
    person,
    pet,
    card,
    memberWithCard,
    /** The same without a free place. */
    async fullMember(region: Region = 'za') {
      const member = await memberWithCard({ region })
      for (let n = 2; n <= 5; n++) await member.call(addPet, { ...addedRabbit, name: `Pixel ${n}` })
      return member
    },
    partnersMembership,
    consultation,
    consultOf,
    owner: person,
    /** A new session of an existing person. */
    signIn: (userId: number) => openSession(world, { userId }),
    member,
    waiting,
    /** The same, once a vet has taken it. */
    async taken(values?: Parameters<typeof waiting>[0]) {
      const [one, by] = [await waiting(values), await vet()]
      await by.call(takeConsultation, { id: one.id })
      return { ...one, vet: by }
    },
    vet,
    /** A pet's policy in the insurer's feed. */
    policy(values: Partial<typeof policies.$inferInsert> = {}) {
      const n = ++count
      const holderEmail = `holder${n}@example.com`
      return add(policies, { policy: `TEST-${n}`, holderEmail, petName: 'Bella', speciesId: 1, ...values })
    },
    admin: () => person({ type: 3 }),
    /** A guest who bought one consultation and holds its token. */
    async guest(region: Region = 'za') {
      const user = await person({ guest: true, passwordHash: null, emailConfirmedAt: null, region })
      const row = await consultation({ userId: user.id, petId: (await pet(user.id)).id, region })
      const token = await openSession(world, { consultationId: row.id })
      return { user, consultation: row, ...browserOf(app, token), token }
    },
    async clinic(values: Partial<typeof clinics.$inferInsert> = {}) {
      const day = { vetName: 'Dr Test', contact: '082 000 0000', na: false, note: '' }
      const row = await add(clinics, {
        clinic: `Clinic ${++count}`,
        email: `clinic${count}@example.com`,
        username: `testclinic${count}`,
        passwordHash: await (passwordHash ??= hashPassword(PASSWORD)),
        region: 'za',
        contacts: { mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day },
        ...values,
      })
      const token = await openSession(world, { clinicId: row.id })
      return { ...row, ...browserOf(app, token), token }
    },
  }
}
