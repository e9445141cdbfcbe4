import { eq } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { claimAccount, login, me } from '#contract/accounts.ts'
import { auditLog, consultations, users } from '#server/db/schema.ts'
import { consultationRoom } from '#server/live/connections.ts'
import { makeVet } from '#server/vets/writes.ts'
import { PASSWORD } from '#test/people.ts'
import { createWorld, type TestWorld } from '#test/world.ts'
import { makeAdmin, unmakeAdmin } from './writes.ts'

let test: TestWorld
beforeEach(async () => void (test = await createWorld()))

const typeOf = async (email: string) =>
  (await test.db.select({ type: users.type }).from(users).where(eq(users.email, email)))[0]?.type

it('making an admin adds a person without an account, who sets a password through the mailed link [LOG-14]', async () => {
  expect(await makeAdmin(test.world, 'first@example.com')).toBe('made')
  const code = await test.codeTo('first@example.com', 'claim')
  const { token } = await test.nobody.call(claimAccount, { code, password: 'Passw0rd' })
  expect(await test.nobody.with(token!).call(me, {})).toMatchObject({ email: 'first@example.com', type: 3 })
})

it('making an admin makes an owner an admin, ends their sessions and records it [D13]', async () => {
  const owner = await test.owner()
  expect(await makeAdmin(test.world, owner.email)).toBe('made')
  expect(await typeOf(owner.email)).toBe(3)
  expect((await owner.send(me)).status).toBe(401)
  const written = await test.rows(auditLog, { subject: 'user', subjectId: String(owner.id) })
  expect(written).toMatchObject([{ action: 'type changed', details: { from: 1, to: 3 } }])
})

it('making an admin returns the open consults of a vet who becomes one to the queue, and owners there learn that nobody is on duty [VET-7]', async () => {
  const vet = await test.vet()
  await test.change(users, vet.id, { onDutySince: test.now() })
  const { id: userId, pet } = await test.member()
  const open = await test.consultation({ userId, petId: pet.id, vetId: vet.id, vetStart: test.now() })
  const waiting = await test.consultation({ userId, petId: pet.id })
  const told: string[] = []
  await makeAdmin({ ...test.world, tell: (room) => void told.push(room) }, vet.email)
  expect(told).toContain(consultationRoom(waiting.id))
  expect((await test.rows(consultations, { id: open.id }))[0]).toMatchObject({
    vetId: null,
    vetStart: null,
  })
  expect((await test.rows(users, { id: vet.id }))[0]).toMatchObject({ type: 3, onDutySince: null })
})

it.each([
  ['an admin', makeAdmin],
  ['a vet', (world, email) => makeVet(world, { email, registration: 'SAVC D00/1', region: undefined })],
] satisfies [string, (world: TestWorld['world'], email: string) => Promise<unknown>][])(
  'making an admin leaves the stranger out who made %s’s account and never confirmed its email [LOG-14]',
  async (_who, make) => {
    const { email } = await test.person({ emailConfirmedAt: null })
    await make(test.world, email)
    expect((await test.nobody.send(login, { email, password: PASSWORD })).status).toBe(401)
    const code = await test.codeTo(email, 'claim')
    expect((await test.nobody.call(claimAccount, { code, password: 'Passw0rd' })).token).not.toBeNull()
  },
)

it('making an admin only mails a new link to someone who is an admin already', async () => {
  const admin = await test.admin()
  expect(await makeAdmin(test.world, admin.email)).toBe('was one already')
  expect((await admin.send(me)).status).toBe(200)
  expect(await test.mailsTo(admin.email)).toHaveLength(1)
})

it('making an admin leaves a guest with the same email alone', async () => {
  const { user } = await test.guest()
  expect(await makeAdmin(test.world, user.email)).toBe('made')
  const rows = await test.rows(users, { email: user.email })
  expect(rows.map(({ guest, type }) => [guest, type])).toEqual([
    [true, 1],
    [false, 3],
  ])
})

it('unmaking an admin makes a registered admin a vet and ends their sessions', async () => {
  await test.admin()
  const admin = await test.person({ type: 3, registration: 'TEST-9', onDutySince: test.now() })
  expect(await unmakeAdmin(test.world, admin.email)).toBe('unmade')
  expect(await typeOf(admin.email)).toBe(2)
  expect((await admin.send(me)).status).toBe(401)
})

it('unmaking an admin makes an admin without a registration an owner and returns their open consults to the queue [D13]', async () => {
  await test.admin()
  const admin = await test.person({ type: 3, onDutySince: test.now() })
  const { id: userId, pet } = await test.member()
  const open = await test.consultation({ userId, petId: pet.id, vetId: admin.id, vetStart: test.now() })
  expect(await unmakeAdmin(test.world, admin.email)).toBe('unmade')
  expect(await typeOf(admin.email)).toBe(1)
  const [row] = await test.rows(consultations, { id: open.id })
  expect(row).toMatchObject({ vetId: null, vetStart: null })
})

it('unmaking an admin keeps the last admin, even when two are unmade in parallel', async () => {
  const [one, other] = [await test.admin(), await test.admin()]
  const results = await Promise.all([one, other].map(({ email }) => unmakeAdmin(test.world, email)))
  expect(results.toSorted()).toEqual(['is the last one', 'unmade'])
})

it("unmaking an admin changes nothing for somebody unknown or who isn't an admin", async () => {
  const owner = await test.owner()
  await test.admin()
  expect(await unmakeAdmin(test.world, owner.email)).toBe('is none')
  expect(await unmakeAdmin(test.world, 'nobody@example.com')).toBe('is none')
})
