import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { login, me, requestResetCode } from '#contract/accounts.ts'
import { readMessages } from '#contract/chat.ts'
import { payForConsult } from '#contract/checkout.ts'
import { subscribe } from '#contract/joining.ts'
import { updatePaymentMethod } from '#contract/payments.ts'
import { sandboxCard } from '#contract/sandbox.ts'
import { fileMark, openSession, viewerOf } from '#server/identity/session.ts'
import { consultations, purchases, sessions, users } from '#server/db/schema.ts'
import { newcomer } from '#test/joining.ts'
import { PASSWORD } from '#test/people.ts'
import { order } from '#test/shop.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld({ env: { DEMO: 'off', SANDBOX: 'off' } })

it('demo people can’t sign in, keep a session, open files or get a reset code while the demo is off [OPS-7]', async () => {
  for (const role of ['owner', 'vet', 'admin'] as const) {
    const person = await world[role]()
    expect((await person.send(me)).status).toBe(200)
    const [{ id } = { id: '' }] = await world.db
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.userId, person.id))
    const mark = fileMark(world.world.secrets, id)
    expect(await viewerOf(world.world, mark)).toMatchObject({ userId: person.id })
    await world.change(users, person.id, { demo: true })
    expect(await world.nobody.refusal(login, { email: person.email, password: PASSWORD })).toBe(
      'SIGN_IN_FAILED',
    )
    const kept = await person.send(me)
    expect([kept.status, kept.text]).toEqual([401, 'Unauthorized'])
    expect(await viewerOf(world.world, mark)).toBeNull()
    expect((await world.nobody.send(requestResetCode, { email: person.email })).status).toBe(200)
    expect(await world.mailsTo(person.email)).toEqual([])
  }
})

it('a demo consult doesn’t open for its guest either while the demo is off [OPS-7]', async () => {
  const { consultation } = await world.guest()
  await world.change(consultations, consultation.id, { demo: true })
  const token = await openSession(world.world, { consultationId: consultation.id })
  expect((await world.nobody.with(token).send(readMessages, { consultation: consultation.id })).status).toBe(
    401,
  )
})

it('without keys and without a sandbox nothing is sold, and every purchase says so [OPS-7]', async () => {
  const owner = await world.owner()
  await world.vet()
  const { form } = await newcomer(world)
  const tried: { status: number; body: { code?: string; errors?: string[] } }[] = [
    await owner.send(updatePaymentMethod, { payload: { token: 'tok_visa' } }),
    await world.nobody.send(subscribe, form),
  ]
  await world.db.update(users).set({ onDutySince: world.now() }).where(eq(users.type, 2))
  tried.push(await world.nobody.send(payForConsult, order()))
  for (const { status, body } of tried)
    expect([status, body.code, body.errors]).toEqual([
      409,
      'PAYMENTS_OFF',
      ['We’re not taking payments right now, so nothing was charged. Please try again later.'],
    ])
  expect(await world.db.select().from(purchases)).toEqual([])
  const card = { number: '4242424242424242', exp_month: 1, exp_year: 2040, cvc: '123' }
  expect((await world.nobody.send(sandboxCard, card)).status).toBe(404)
})
