import { eq } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { PASSWORD_AGAIN_MINUTES } from '#contract/accounts.ts'
import { type ActorKind, type Call, type Event, people, urlOf } from '#contract/call.ts'
import { addMinutes } from '#contract/time.ts'
import { consultations, sessions, summaries } from '#server/db/schema.ts'
import { mountCalls, serve } from '#server/http/serve.ts'
import { contractOf } from './contract-calls.ts'
import { sendForm } from './forms.ts'
import { openSocket } from './open-socket.ts'
import { createWorld, type TestWorld } from './world.ts'
import Fastify from 'fastify'

const calls = await contractOf<Call>('call')
const events = await contractOf<Event>('event')

type Person = Awaited<ReturnType<TestWorld['owner']>>
const sessionOf = (token: string) => ({ id: String(decodeJwt(token)['sid']) })

/**
 * Calls about one object, by path, with the ids of the actor's own object, of somebody else's and of none.
 * A call with a path parameter that isn't listed here fails the test, so that its ownership is never forgotten.
 */
const OBJECTS: Record<
  string,
  (world: TestWorld, owner: Person) => Promise<{ own: object; foreign: object; absent: object }>
> = {
  '/subscription/:userId': async (world, owner) => ({
    own: { userId: owner.id },
    foreign: { userId: (await world.member()).id },
    absent: { userId: 2_000_000_000 },
  }),
  '/user/sessions/:id': async (world, owner) => ({
    own: sessionOf(await world.signIn(owner.id)),
    foreign: sessionOf((await world.owner()).token),
    absent: { id: 'absent' },
  }),
  '/pet/policy/:policy': async (world) => {
    const [open, bound] = [
      await world.policy(),
      await world.policy({ userId: (await world.owner()).id, boundAt: world.now() }),
    ]
    const [own, foreign] = [{ policy: open.policy.toLowerCase() }, { policy: bound.policy }]
    return { own, foreign, absent: { policy: 'POL-NONE' } }
  },
}

const ofConsultation = (more: object) => async (world: TestWorld, owner: Person) => {
  const [pet, other] = [await world.pet(owner.id), await world.member()]
  const own = await world.consultation({ userId: owner.id, petId: pet.id })
  const foreign = await world.consultOf(other)
  const named = (id: number) => ({ id, consultation: id, ...more })
  return { own: named(own.id), foreign: named(foreign.id), absent: named(2_000_000_000) }
}
for (const [path, more] of [
  ['/consultation/:id', {}],
  ['/consultation/:consultation/call', {}],
  ['/consultation/:id/cancel', {}],
  ['/consultation/:id/mail-me', {}],
  ['/consultation/:id/rating', { stars: 5 }],
  ['/consultation/:id/access', {}],
  ['/consultation/:id/check-in', { answer: 'better' }],
  ['/consultation/:id/reopen', { query: 'She is worse' }],
  ['/consultation/:id/clinic', { clinic: null, agreed: false }],
  ['/consultation/:id/offer', { plan: 'annual' }],
  ['/consultation/:id/shares', {}],
  ['/consultation/:consultation/messages', { client_id: 'a-message', body: 'Hello' }],
  ['/consultation/:consultation/attachments/:client_id', { client_id: 'a-message' }],
  ['/consultation/:consultation/marks', { delivered: 0, seen: 0 }],
] as const)
  OBJECTS[path] = ofConsultation(more)
OBJECTS['/consultation/:id/plan'] = async (world, owner) => {
  const objects = await ofConsultation({})(world, owner)
  const { id: vetId } = await world.vet()
  const { id: consultationId } = objects.own
  await world.add(summaries, { consultationId, vetId, summary: 'Rest', at: world.now() })
  return objects
}
/** Calls about a pet. */
for (const [path, more] of [
  ['/pet/update', { name: 'Biscuit' }],
  ['/pet/:id/record', {}],
  ['/pet/:id/weight', { kg: 20 }],
  ['/pet/:id/weight/remove', { weight: 1 }],
  ['/pet/:id/fact', { kind: 'allergy', name: 'Chicken' }],
  ['/pet/:id/none', { kind: 'allergy' }],
  ['/pet/:id/fact/end', { fact: 1 }],
] as const)
  OBJECTS[path] = async (world, owner) => ({
    own: { id: (await world.pet(owner.id)).id, ...more },
    foreign: { id: (await world.member()).pet.id, ...more },
    absent: { id: 2_000_000_000, ...more },
  })
OBJECTS['/pet/back'] = async (world, owner) => {
  const putAway = async (ownerId: number) =>
    world.pet(ownerId, { putAwayAt: world.now(), putAwayWhy: 'moved' })
  return {
    own: { id: (await putAway(owner.id)).id },
    foreign: { id: (await putAway((await world.owner()).id)).id },
    absent: { id: 2_000_000_000 },
  }
}
/** Calls about a clinic's own objects. */
OBJECTS['/roster/clinic/accept/:id/VETCHAT'] = async (world) => {
  const at = world.now()
  const caller = { name: 'Marius', phone: '083', email: '', pet: 'Luna', speciesId: 2 }
  const of = async ({ id: clinicId }: { id: number }) => {
    const [row] = await world.db
      .insert(consultations)
      .values({ type: 3, region: 'za', petIssue: 'Limps', start: at, clinicId, clinicNotifiedAt: at, caller })
      .returning({ id: consultations.id })
    return row!
  }
  return { own: await of(clinics.own), foreign: await of(clinics.other), absent: { id: 2_000_000_000 } }
}
/** Staff can see every case and person. */
const isForStaff = ({ access }: Call) =>
  access !== 'anyone' && access.every((kind) => kind === 'vet' || kind === 'admin')
const OTHER_OBJECTS = [
  // This call checks its file first. Its own tests cover it.
  '/consultation/:consultation/attachments',
  // Anyone may read these: nobody owns the library.
  '/resources/type/:type',
  '/resources/:resource',
]

/** Addresses that the server answers outside the contract. */
const OWN_ROUTES = [
  '/api/openapi.json',
  '/api/metrics',
  '/api',
  '/api/',
  '/api/*',
  '/media/*',
  '/media/pets/:name',
  '/media/consultations/:name',
  '/media/claims/:name',
  '/media/receipts/:name',
  '/media/invoices/:name',
  '/media/library/:name',
  '/api/live',
  '/api/stripe/webhook',
]

const world = await createWorld()
// The matrix names person 1, whose sessions an admin may end.
await world.owner()
const owner = await world.owner()
// The matrix names 1 to every call, and one of them deletes that clinic.
await world.clinic()
const clinics = { own: await world.clinic(), other: await world.clinic() }
const actors = {
  nobody: world.nobody,
  owner,
  otherOwner: await world.member(),
  vet: await world.vet(),
  admin: await world.admin(),
  guest: await world.guest(),
  clinic: clinics.own,
  otherClinic: clinics.other,
}

const kindOf = (actor: string) =>
  actor.replace('otherOwner', 'owner').replace('otherClinic', 'clinic') as ActorKind | 'nobody'

/** A guest's or clinic's token counts as signed out where it doesn't belong. */
function expectedOf({ access }: Pick<Call | Event, 'access'>, actor: ActorKind | 'nobody') {
  if (access === 'anyone' || access.some((kind) => kind === actor)) return 'let in'
  return people.some((kind) => kind === actor) ? 'wrong role' : 'unknown'
}

/** Reads only whether access was granted, whatever the answer says about the input. */
function verdictOf({ status, text }: { status: number; text: string }) {
  if (status === 401 && text === 'Unauthorized') return 'unknown'
  if (status === 403 && text.includes('Unauthorized access!')) return 'wrong role'
  return 'let in'
}

it('the contract has calls', () => expect(calls.map(([name]) => name)).toContain('login'))

it('every call has a route in the server [API-1]', () => {
  const bare = (url: string) => url.replace(/\/$/, '')
  const routes = new Set(world.routes.map(bare))
  const missing = calls.filter(([, { path }]) => !routes.has(bare(`/api${path}`))).map(([name]) => name)
  expect(missing).toEqual([])
})

it('every route belongs to a call or is known', () => {
  const known = new Set([...OWN_ROUTES, ...calls.map(([, { path }]) => `/api${path}`)])
  expect(world.routes.filter((route) => !known.has(route))).toEqual([])
})

it('every call that names an object has objects to be tried with', () => {
  const paths = calls
    .filter(([, call]) => call.path.includes(':') && !isForStaff(call))
    .map(([, { path }]) => path)
  expect(paths.filter((path) => !(path in OBJECTS) && !OTHER_OBJECTS.includes(path))).toEqual([])
})

for (const [name, definition] of calls)
  it(`${name} lets in only those it is for [API-2, SAF-1]`, async () => {
    for (const [actor, browser] of Object.entries(actors)) {
      if (name === 'logout') continue
      const reply = await browser.send(definition, { id: 1 })
      expect(verdictOf(reply), `${actor} on ${name}: ${reply.status}`).toBe(
        expectedOf(definition, kindOf(actor)),
      )
      expect(reply.status, `${actor} on ${name}: ${reply.text}`).toBeLessThan(500)
    }
  })

for (const [name, definition] of calls.filter(([, { path }]) => path in OBJECTS))
  it(`${name} gives the same answer for somebody else's object as for a missing one [API-2]`, async () => {
    const { own, foreign, absent } = await OBJECTS[definition.path]!(world, owner)
    const asking = definition.access.includes('clinic') ? actors.clinic : actors.owner
    const [mine, theirs, none] = await Promise.all(
      [own, foreign, absent].map((input) => asking.send(definition, input)),
    )
    expect(mine!.status).not.toBe(404)
    expect([theirs!.status, theirs!.text]).toEqual([404, none!.text])
  })

/** What they removed leaves no row, so a repeat can't be told from a mistake. */
const LEAVES_NO_ROW = ['removeShift', 'discardDraft']
const removing = calls.filter(
  ([name, { method, path }]) => method === 'DELETE' && path.includes(':') && !LEAVES_NO_ROW.includes(name),
)

it('calls that remove are found', () => expect(removing.map(([name]) => name)).toContain('deleteCoupon'))

for (const [name, definition] of removing)
  it(`${name} answers 404 for what never existed [API-2]`, async () => {
    const admin = await world.admin()
    const names = [...definition.path.matchAll(/:(\w+)/g)].map(([, param]) => param!)
    const absent = Object.fromEntries(names.map((param) => [param, 2_000_000_000]))
    const { status, body } = await admin.send(definition, absent)
    expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
  })

const guarded = calls.filter(([, { again }]) => again === true)

it('dangerous calls are found', () => expect(guarded.map(([name]) => name)).toContain('setUserType'))

for (const [name, definition] of guarded)
  it(`${name} takes the password again if it was given long ago [SAF-1]`, async () => {
    for (const kind of definition.access as ActorKind[]) {
      const { token } = actors[kind]
      const mine = eq(sessions.id, sessionOf(token!).id)
      const passwordAt = addMinutes(world.now(), -PASSWORD_AGAIN_MINUTES)
      await world.db.update(sessions).set({ passwordAt }).where(mine)
      const stale = await actors[kind].send(definition, { id: 1 })
      await world.db.update(sessions).set({ passwordAt: world.now() }).where(mine)
      const fresh = await actors[kind].send(definition, { id: 1 })
      expect([stale.status, stale.body.code], kind).toEqual([403, 'PASSWORD_AGAIN'])
      expect(fresh.body.code, kind).not.toBe('PASSWORD_AGAIN')
    }
  })

const fieldsOf = ({ input }: Call) => Object.keys((input as unknown as { shape: object }).shape)
let count = 0
/** Sends it as somebody who may make the call, each time from another address, so that no limit answers first. */
async function refusalOf(definition: Call, input: Record<string, unknown>) {
  const { access, upload, sandbox } = definition
  const actor = access === 'anyone' ? world.nobody : actors[access[0]!]
  const named = { id: 1, consultation: 1, ...input }
  if (upload) return uploaded(definition, named, actor.token)
  const address = sandbox ? '127.0.0.1' : `10.80.${++count >> 8}.${count & 255}`
  return actor.from(address).send(definition, named)
}
/** The same as a form, as files are sent. */
function uploaded(definition: Call, input: Record<string, unknown>, token: string | undefined) {
  const { url, body } = urlOf(definition, input)
  return sendForm(world.app, url, token, body as Record<string, string>, definition.method)
}

for (const [name, definition] of calls.filter(([, one]) => fieldsOf(one).length > 0))
  it(`${name} names a malformed field [API-3]`, async () => {
    for (const field of fieldsOf(definition)) {
      const { status, body } = await refusalOf(definition, { [field]: 'a\0b' })
      expect([status, Object.keys(body.fields ?? {})], `${name}: NUL in ${field}`).toEqual([400, [field]])
      // Values of the wrong kind: whatever is refused, each sentence is for a field of the call.
      for (const value of [{ a: ['b'] }, ['x'], 'x'.repeat(5000), -1]) {
        if (definition.upload) continue
        const wrong = await refusalOf(definition, { [field]: value })
        expect(wrong.status, `${name}: ${field}`).toBeLessThan(500)
        if (wrong.status !== 400) continue
        const roots = Object.keys(wrong.body.fields ?? {}).map((path) => path.split('.')[0])
        expect(roots.length, `${name}: ${field}`).toBeGreaterThan(0)
        for (const root of roots) expect(fieldsOf(definition), `${name}: ${field}`).toContain(root)
      }
    }
  })

const cursors = calls.filter(([, one]) => fieldsOf(one).includes('cursor'))
it('every list names a malformed field that says where a page begins [API-3]', async () => {
  expect(cursors.map(([name]) => name)).toContain('listConsultations')
  for (const [name, definition] of cursors)
    for (const actor of definition.access as ActorKind[])
      for (const more of [{}, { q: 'Bis' }])
        for (const cursor of ['nonsense', '-1', '9.9.9', '0.1', "0'", '0.123456789012345.1']) {
          const reply = await actors[actor].send(definition, { cursor, ...more })
          expect([reply.status, Object.keys(reply.body.fields ?? {})], `${actor} ${name} ${cursor}`).toEqual([
            400,
            ['cursor'],
          ])
        }
})

it('a malformed field inside another is named by its whole path, and a harmful name by the field around it [API-3]', async () => {
  const { subscribe } = await import('#contract/joining.ts')
  const { login } = await import('#contract/accounts.ts')
  const fields = async (definition: Call, input: object) =>
    Object.keys((await world.nobody.from('10.81.0.1').send(definition, input)).body.fields ?? {})
  expect(await fields(subscribe, { pet: { name: 'Bis\0cuit' } })).toEqual(['pet.name'])
  expect(await fields(subscribe, { pet: { 'na\0me': 'Biscuit' } })).toEqual(['pet'])
  expect(await fields(login, { 'ema\0il': 'x' })).toEqual(['input'])
  const deep = JSON.parse(`${'{"email":'.repeat(40)}1${'}'.repeat(40)}`) as object
  expect(await fields(login, deep)).toEqual(['email'])
})

/** The answer to an event, from a socket that signs in with this token; the socket of an unknown caller isn't opened. */
async function codesOf(address: string, token: string | undefined) {
  const socket = openSocket(address, token)
  const isOpen = await new Promise((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('connect_error', () => resolve(false))
  })
  const codes = new Map<string, string | undefined>()
  for (const [name, { event }] of events)
    codes.set(
      name,
      isOpen ? ((await socket.emitWithAck(event, {})) as { code?: string }).code : 'UNAUTHORIZED',
    )
  return codes
}
const VERDICTS: Record<string, string> = { UNAUTHORIZED: 'unknown', NOT_THIS_ROLE: 'wrong role' }

it('events let in only those they are for [API-2, SAF-1]', async () => {
  const address = await world.listen()
  expect(events.length).toBeGreaterThan(0)
  for (const [actor, { token }] of Object.entries(actors)) {
    const codes = await codesOf(address, token)
    for (const [name, definition] of events)
      expect(VERDICTS[codes.get(name) ?? ''] ?? 'let in', `${actor} on ${name}`).toBe(
        expectedOf(definition, kindOf(actor)),
      )
  }
})

for (const [name, definition] of calls.filter(
  ([, { path, access }]) => path.startsWith('/consultation/:') && access.includes('guest'),
))
  it(`a guest sees only their own consultation in ${name} [CON-1, D24]`, async () => {
    const guest = await world.guest()
    const given = OBJECTS[definition.path]
    // The call that checks its file first has its own test.
    if (!given) return expect(OTHER_OBJECTS).toContain(definition.path)
    const { own, foreign, absent } = await given(world, owner)
    for (const others of [own, foreign]) {
      const [theirs, none] = await Promise.all([
        guest.send(definition, others),
        guest.send(definition, absent),
      ])
      expect([theirs.status, theirs.text]).toEqual([404, none.text])
    }
    const { id } = guest.consultation
    const mine = await guest.send(definition, { ...own, id, consultation: id })
    expect(mine.status, mine.text).not.toBe(404)
  })

it("the matrix itself notices a call that lets in somebody it shouldn't", async () => {
  const { me } = await import('#contract/accounts.ts')
  const careless = Fastify()
  mountCalls(
    careless,
    world.world,
    serve({ me: { ...me, access: 'anyone' } } as never, { me: () => ({}) } as never),
  )
  const reply = await careless.inject({ method: 'GET', url: me.path })
  expect(verdictOf({ status: reply.statusCode, text: reply.body })).not.toBe(expectedOf(me, 'nobody'))
})

/* This one is last, because its world empties the database. */

it('where staff must have a second factor, a session without one can only set one up [PRO-6]', async () => {
  const strict = await createWorld({ env: { REQUIRE_2FA: 'on' } })
  const wrong: string[] = []
  for (const browser of [await strict.vet(), await strict.admin()])
    for (const [name, definition] of calls) {
      if (name === 'logout') continue
      const reply = await browser.send(definition, { id: 1 })
      const isRefused = reply.text.includes('FACTOR_REQUIRED')
      const isTheirs = definition.access !== 'anyone' && verdictOf(reply) === 'let in'
      if (isRefused !== (isTheirs && !definition.settingUp)) wrong.push(`${name}: ${reply.text}`)
    }
  expect(wrong).toEqual([])
})
