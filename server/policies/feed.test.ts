import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { me } from '#contract/accounts.ts'
import { addPet, listPets, putPetAway, takePetBack } from '#contract/pets.ts'
import { confirmPolicy, lookUpPolicy } from '#contract/policies.ts'
import { breeds, feedRuns, pets, policies } from '#server/db/schema.ts'
import { sampleBella } from '#test/samples.ts'
import { createWorld } from '#test/world.ts'
import { confirmMailbox } from '../accounts/writes.ts'
import { transaction } from '../context.ts'
import { loadFeed } from './feed-writes.ts'

const INSURER = 'feed@insurer.example'
const BOOKS = 'books@vetchat.example'
const HEAD = 'policy,holder_email,pet_name,species,state'

const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-feed-'))
const world = await createWorld({ env: { FEED_DIR: folder, INSURER_EMAIL: INSURER, LEDGER_EMAIL: BOOKS } })
const labrador = (await world.rows(breeds, { name: 'Labrador Retriever' }))[0]!.id
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(async () => {
  await world.db.update(pets).set({ policyId: null })
  await world.db.delete(policies)
})

let files = 0
function put(file: string, text: string) {
  writeFileSync(path.join(folder, file), text)
  utimesSync(path.join(folder, file), world.now(), world.now())
}
/** The insurer puts a file into the folder, and two minutes later it has been looked at. */
async function arrives(...lines: string[]) {
  const file = `feed-${++files}.csv`
  put(file, [HEAD, ...lines, ''].join('\r\n'))
  await world.pass({ minutes: 2 })
  const [run] = await world.rows(feedRuns, { file })
  return run
}
const agree = (...lines: string[]) =>
  loadFeed(world.world, 'by hand.csv', Buffer.from([HEAD, ...lines, ''].join('\r\n')), true)
const told = async (to: string, template: string) => (await world.mailsTo(to, template)).length
const lookUp = async (policy: string) =>
  (await world.nobody.from(`10.2.${files}.1`).send(lookUpPolicy, { policy })).status
const line = (
  policy: string,
  more: { email?: string; pet?: string; species?: string; state?: string } = {},
) =>
  [
    policy,
    more.email ?? 'holder@example.com',
    more.pet ?? 'Bella',
    more.species ?? 'Dog',
    more.state ?? 'live',
  ].join(',')
const bella = (policy: string) => sampleBella(policy, labrador)
/** Enough other policies that one ending isn't too many. */
const others = Array.from({ length: 9 }, (_, n) => line(`OTHER-${n}`))

it("the insurer's feed in the watched folder adds, changes and ends policies [JOI-10]", async () => {
  expect(
    await arrives(
      line(' feed-a1 '),
      line('FEED-A2', { species: '2', pet: '"Miau, the ""cat"""' }),
      ...others,
    ),
  ).toMatchObject({
    state: 'applied',
    added: 11,
    changed: 0,
    lapsed: 0,
    badRows: [],
  })
  const visitor = world.nobody.from('10.2.0.9')
  expect(await visitor.call(lookUpPolicy, { policy: 'feed-a2' })).toEqual({
    policy: { policy: 'FEED-A2', pet_name: 'Miau, the "cat"', pet_type: 2 },
  })
  expect(
    await arrives(line('FEED-A1', { pet: 'Bello' }), line('FEED-A2', { state: 'Lapsed' })),
  ).toMatchObject({
    added: 0,
    changed: 1,
    lapsed: 1,
  })
  expect((await visitor.call(lookUpPolicy, { policy: 'FEED-A1' })).policy.pet_name).toBe('Bello')
  expect(await lookUp('FEED-A2')).toBe(404)
  expect(await arrives(line('FEED-A2'))).toMatchObject({ added: 0, changed: 1, lapsed: 0 })
  expect(await lookUp('FEED-A2')).toBe(200)
})

it("the insurer's feed in the watched folder reports a bad row with its number and why, and loses nothing else [JOI-10]", async () => {
  const run = await arrives(
    line('GOOD-1'),
    line('', {}),
    line('BAD-2', { email: 'nobody' }),
    line('BAD-3', { species: 'Dragon' }),
    line('BAD-4', { state: 'maybe' }),
    'BAD-5,holder@example.com',
    line('BAD-6', { pet: '' }),
    line('good-1', { pet: 'Other' }),
    line('GOOD-2'),
  )
  expect(run).toMatchObject({ state: 'applied', added: 2 })
  expect(run!.badRows).toEqual([
    { row: 3, why: 'needs a policy number of 1 to 60 characters' },
    { row: 4, why: 'has no valid email for the policyholder' },
    { row: 5, why: 'has an unknown species' },
    { row: 6, why: 'has a state that is neither live nor lapsed' },
    { row: 7, why: 'has 2 cells instead of 5' },
    { row: 8, why: 'needs a pet name of 1 to 80 characters' },
    { row: 9, why: 'repeats a policy from an earlier row' },
  ])
  expect([await lookUp('GOOD-1'), await lookUp('GOOD-2')]).toEqual([200, 200])
  const [letter] = await world.mailsTo(INSURER, 'feed rows')
  expect(letter!.text).toContain('Row 5 has an unknown species.')
  expect(letter!.text).not.toContain('holder@example.com')
})

it("the insurer's feed in the watched folder takes no row whose quotes do not fit or that contains an invalid character [JOI-10]", async () => {
  const run = await arrives(
    line('QUOTE-1', { pet: '"Bella, ""the cat"""', species: 'Cat' }),
    line('"QUOTE-2'),
    line('QUOTE-3', { pet: '"Bel"la' }),
    line('QUOTE-4', { pet: 'Bel\0la' }),
    line('QUOTE\0-5'),
    line('QUOTE-6', { pet: ' "Bella" ' }),
  )
  expect(run).toMatchObject({ state: 'applied', added: 2 })
  const quotes = 'has an unclosed quote, or text after a closing quote'
  const none = 'contains an invalid character'
  expect(run!.badRows).toEqual([
    { row: 3, why: quotes },
    { row: 4, why: quotes },
    { row: 5, why: none },
    { row: 6, why: none },
  ])
  const rows = await world.db.select().from(policies).orderBy(policies.policy)
  expect(rows.map(({ policy, petName }) => [policy, petName])).toEqual([
    ['QUOTE-1', 'Bella, "the cat"'],
    ['QUOTE-6', 'Bella'],
  ])
})

it("the insurer's feed in the watched folder changes nothing the second time, under any file name [JOI-10]", async () => {
  await arrives(line('TWICE-1'))
  await world.db.update(policies).set({ petName: 'Changed here' })
  expect(await arrives(line('TWICE-1'))).toBeUndefined()
  const [row] = await world.db.select().from(policies)
  expect(row!.petName).toBe('Changed here')
})

it("the insurer's feed in the watched folder is loaded even if there is a subfolder beside it [JOI-10]", async () => {
  mkdirSync(path.join(folder, 'archive.csv'))
  expect(await arrives(line('BESIDE-1'))).toMatchObject({ state: 'applied' })
})

it("the insurer's feed in the watched folder is left alone while it may still be written [JOI-10]", async () => {
  put('half.csv', `${HEAD}\n${line('HALF-1')}\n`)
  await world.runDue()
  expect(await lookUp('HALF-1')).toBe(404)
  await world.pass({ minutes: 2 })
  expect(await lookUp('HALF-1')).toBe(200)
})

it.each([
  [
    'without its columns',
    Buffer.from('policy,species\nP-1,Dog\n'),
    'must name every column, and lacks holder_email, pet_name, state',
  ],
  ['that names a column twice', Buffer.from(`policy,${HEAD}\nP-1,${line('P-2')}\n`), 'names policy twice'],
  ['that is no text', Buffer.from([0xff, 0xfe, 0x00, 0xd8]), 'isn’t UTF-8 text'],
  ['of bad rows only', Buffer.from(`${HEAD}\nP-1\n`), 'has 1 cell instead of 5'],
])('a file %s is refused and reported [JOI-10]', async (_, content, why) => {
  const before = await told(BOOKS, 'feed refused')
  const run = await loadFeed(world.world, 'odd.csv', content)
  expect(run.state).toBe('refused')
  expect(run.badRows[0]!.why).toContain(why)
  expect(await told(BOOKS, 'feed refused')).toBe(before + 1)
  expect((await loadFeed(world.world, 'odd.csv', content)).isNew).toBe(false)
})

it('a policy that lapses ends the membership that came with it and its cover, and gives both back when it is live again [JOI-10]', async () => {
  const owner = await world.owner()
  await arrives(line('LAPSE-1', { email: owner.email }), line('LAPSE-2', { email: owner.email }), ...others)
  const first = await owner.call(addPet, bella('LAPSE-1'))
  await owner.call(addPet, { ...bella('LAPSE-2'), name: 'Rex' })
  await arrives(line('LAPSE-1', { email: owner.email, state: 'lapsed' }))
  const half = await owner.call(listPets, {})
  expect(half.map(({ cover, pawcare_pets }) => [cover.why, pawcare_pets.at(-1)!.opt_out === null])).toEqual([
    ['membership', false],
    [null, true],
  ])
  expect((await owner.call(me, {})).subscription).toMatchObject({ source: 'insurer', end: null })
  expect(await told(owner.email, 'policy lapsed')).toBe(1)
  await arrives(line('LAPSE-2', { email: owner.email, state: 'lapsed' }))
  world.advance({ seconds: 1 })
  const { subscription, subscriptions } = await owner.call(me, {})
  expect([subscription, subscriptions[0]!.stripeData.status]).toEqual([null, 'canceled'])
  expect(await owner.refusal(addPet, bella(''))).toBe('PET_NEEDS_PAYMENT_METHOD')
  await arrives(line('LAPSE-1', { email: owner.email, pet: 'Bella again' }))
  const again = (await owner.call(listPets, {})).find(({ id }) => id === first.id)
  expect(again).toMatchObject({ policy: { confirmed: true }, cover: { state: 'waiting' } })
  expect((await owner.call(me, {})).subscription).toMatchObject({ source: 'insurer', pets: [first.id] })
})

it('a policy that lapses ends the membership of a pet that was put away, and one that lives on gives a returning pet its place [JOI-10, PET-11]', async () => {
  const owner = await world.owner()
  await arrives(line('AWAY-1', { email: owner.email }), ...others)
  const { id } = await owner.call(addPet, bella('AWAY-1'))
  const membership = async () => (await owner.call(me, {})).subscription
  await owner.call(putPetAway, { id, why: 'moved' })
  expect((await membership())?.pets).toEqual([])
  expect((await owner.call(takePetBack, { id })).cover.state).toBe('waiting')
  expect((await membership())?.pets).toEqual([id])
  await owner.call(putPetAway, { id, why: 'moved' })
  await arrives(line('AWAY-1', { email: owner.email, state: 'lapsed' }))
  world.advance({ seconds: 1 })
  expect(await membership()).toBeNull()
  expect((await owner.call(takePetBack, { id })).cover.why).toBe('membership')
})

it('a policy that lapses is bound when it is live again if its holder confirmed their email meanwhile, and else waits for that [JOI-10, D15, D30]', async () => {
  const late = await world.person({ emailConfirmedAt: null })
  const soon = await world.person({ emailConfirmedAt: null })
  const stranger = await world.owner()
  const lines = (state: string) => [
    line('LATE', { email: late.email, state }),
    line('SOON', { email: soon.email, state }),
  ]
  await arrives(...lines('live'), ...others)
  for (const [owner, policy] of [
    [late, 'LATE'],
    [soon, 'SOON'],
    [stranger, 'SOON'],
  ] as const)
    await owner.call(addPet, bella(policy))
  const bound = async () =>
    Promise.all(
      [late, soon, stranger].map(async (owner) => (await owner.call(listPets, {}))[0]!.policy?.confirmed),
    )
  const confirm = (id: number) => transaction(world.world, (ctx) => confirmMailbox(ctx, id))
  await arrives(...lines('lapsed'))
  await confirm(soon.id)
  expect((await bound())[1]).not.toBe(true)
  await arrives(...lines('live'), line('MORE'))
  expect((await bound()).map((one) => one === true)).toEqual([false, true, false])
  await confirm(late.id)
  expect((await bound()).map((one) => one === true)).toEqual([true, true, false])
})

it('a policy that lapses keeps a place that is paid for in another way [JOI-10]', async () => {
  const member = await world.member()
  await arrives(line('LAPSE-3', { email: member.email }), ...others)
  await world.db
    .update(policies)
    .set({ userId: member.id, petId: member.pet.id, boundAt: world.now() })
    .where(eq(policies.policy, 'LAPSE-3'))
  await arrives(line('LAPSE-3', { email: member.email, state: 'lapsed' }))
  expect((await member.call(me, {})).subscription).toMatchObject({
    source: 'vetchat',
    pets: [member.pet.id],
  })
})

it("a policy that lapses can't be confirmed by a code that went to an earlier holder [JOI-10, D15]", async () => {
  const owner = await world.owner()
  await arrives(line('MOVED-1', { email: 'before@example.com' }), ...others)
  await owner.call(addPet, bella('MOVED-1'))
  const code = await world.codeTo('before@example.com', 'policy')
  await arrives(line('MOVED-1', { email: 'after@example.com' }))
  expect(await owner.refusal(confirmPolicy, { code })).toBe('POLICY_CODE_WRONG')
})

it("a feed that would end more than one in five waits for an admin's approval, and says so [JOI-10]", async () => {
  const all = Array.from({ length: 10 }, (_, n) => `WAIT-${n}`)
  await arrives(...all.map((policy) => line(policy)))
  const two = all.slice(0, 2).map((policy) => line(policy, { state: 'lapsed' }))
  expect((await arrives(...two))!.state).toBe('applied')
  const more = all.slice(2, 4).map((policy) => line(policy, { state: 'lapsed' }))
  const before = [await told(INSURER, 'feed waits'), await told(BOOKS, 'feed waits')]
  expect(await arrives(...more, line('WAIT-NEW'))).toMatchObject({ state: 'waiting', added: 1, lapsed: 2 })
  expect([await lookUp('WAIT-2'), await lookUp('WAIT-NEW')]).toEqual([200, 404])
  expect([await told(INSURER, 'feed waits'), await told(BOOKS, 'feed waits')]).toEqual(
    before.map((n) => n + 1),
  )
  await arrives(...more, line('WAIT-NEW'))
  expect(await told(INSURER, 'feed waits')).toBe(before[0]! + 1)
  expect(await agree(...more, line('WAIT-NEW'))).toMatchObject({ state: 'applied', lapsed: 2, isNew: true })
  expect([await lookUp('WAIT-2'), await lookUp('WAIT-NEW')]).toEqual([404, 200])
  expect(await agree(...more, line('WAIT-NEW'))).toMatchObject({ state: 'applied', isNew: false })
})
