import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimAccount, login, requestResetCode, resetPassword } from '#contract/accounts.ts'
import { sendClaimLink } from '#server/accounts/writes.ts'
import { consultations, users } from '#server/db/schema.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

let world: TestWorld
beforeAll(async () => void (world = await createWorld()))
afterAll(() => world.close())

it('a reset code used many times in parallel sets one password [LOG-7]', async () => {
  const owner = await world.owner()
  await world.nobody.call(requestResetCode, { email: owner.email })
  const [mail] = await world.mailsTo(owner.email)
  const code = /\/resetpwd\/([A-Z0-9]{20})$/m.exec(mail!.text)![1]!
  const passwords = Array.from({ length: 8 }, (_, n) => `Brandnew${n}`)
  const replies = await Promise.all(
    passwords.map((password, n) => world.nobody.from(`10.1.1.${n}`).send(resetPassword, { code, password })),
  )
  expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array(7).fill(400)])
  const winner = passwords[replies.findIndex((reply) => reply.status === 200)]!
  expect(
    (await world.nobody.from('10.1.2.1').send(login, { email: owner.email, password: winner })).status,
  ).toBe(200)
})

it('fifty parallel wrong passwords count as fifty [LOG-12]', async () => {
  const owner = await world.owner()
  const here = world.nobody.from('10.1.3.1')
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => here.send(login, { email: owner.email, password: 'Wrong0ne' })),
  )
  expect(replies.filter((reply) => reply.status === 401)).toHaveLength(10)
  expect(replies.filter((reply) => reply.status === 429)).toHaveLength(40)
})

it('two guests of one mailbox who claim together get one account [LOG-14]', async () => {
  const guests = [await world.guest(), await world.guest()]
  const email = guests[0]!.user.email
  await world.db.update(users).set({ email }).where(eq(users.id, guests[1]!.user.id))
  for (const { user } of guests) await sendClaimLink(world.world, world.env.sites[0]!, user.id)
  const codes = (await world.mailsTo(email)).map(({ text }) => /\/claim\/([\w-]+)$/m.exec(text)![1]!)
  const replies = await Promise.all(
    codes.map((code, n) =>
      world.nobody.from(`10.1.4.${n}`).send(claimAccount, { code, password: 'Brandnew1' }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  const rows = await world.db
    .select({ userId: consultations.userId })
    .from(consultations)
    .where(
      inArray(
        consultations.id,
        guests.map(({ consultation }) => consultation.id),
      ),
    )
  expect(new Set(rows.map(({ userId }) => userId)).size).toBe(1)
})
