import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { claimAccount, login, requestResetCode, resetPassword } from '#contract/accounts.ts'
import { listConsultations } from '#contract/consultations.ts'
import { confirmEmail } from '#contract/profile.ts'
import { sendClaimLink } from '#server/accounts/claim-writes.ts'
import { addAccount, welcome } from '#server/accounts/writes.ts'
import { transaction } from '#server/context.ts'
import { consultations, users } from '#server/db/schema.ts'
import { atOnce } from '#test/at-once.ts'
import { createWorld } from '#test/world.ts'

const NAMES = { firstName: 'Thandi', lastName: 'Mokoena', mobile: '', region: 'za' } as const

const world = await createWorld()

/** Mails this guest a link and returns every link in their mailbox. */
async function linksOf(userId: number, email: string) {
  await sendClaimLink(world.world, userId)
  return world.codesTo(email, 'claim')
}

it('a reset code used many times in parallel sets one password [LOG-7]', async () => {
  const owner = await world.owner()
  await world.nobody.call(requestResetCode, { email: owner.email })
  const code = await world.codeTo(owner.email, 'reset')
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

it('one link used many times in parallel makes one account and one session [LOG-14]', async () => {
  const { user, consultation } = await world.guest()
  const [code] = await linksOf(user.id, user.email)
  const replies = await atOnce(8, (n) =>
    world.nobody.from(`10.1.5.${n}`).send(claimAccount, { code, password: `Brandnew${n}` }),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)])
  const winner = replies.findIndex(({ status }) => status === 200)
  const signIn = { email: user.email, password: `Brandnew${winner}` }
  const { token } = await world.nobody.from('10.1.5.9').call(login, signIn)
  const { consultations: mine } = await world.nobody.with(token).call(listConsultations, {})
  expect(mine.map(({ id }) => id)).toEqual([consultation.id])
})

it('two guests with one mailbox who claim at the same time get one account with both consults [LOG-14]', async () => {
  const guests = [await world.guest(), await world.guest()]
  const email = guests[0]!.user.email
  await world.change(users, guests[1]!.user.id, { email })
  const codes = []
  for (const { user } of guests) codes.push((await linksOf(user.id, email)).at(-1)!)
  const replies = await Promise.all(
    codes.map((code, n) =>
      world.nobody.from(`10.1.4.${n}`).send(claimAccount, { code, password: 'Brandnew1' }),
    ),
  )
  // The other link was used up along with the first.
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400])
  const { token } = await world.nobody.from('10.1.4.9').call(login, { email, password: 'Brandnew1' })
  const { consultations: mine } = await world.nobody.with(token).call(listConsultations, {})
  expect(mine.map(({ id }) => id).toSorted()).toEqual(guests.map(({ consultation }) => consultation.id))
})

it('a claim link and the confirmation of a new account, used at the same time, lead to one account [LOG-14, D30]', async () => {
  const { user, consultation } = await world.guest()
  const [code] = await linksOf(user.id, user.email)
  const added = await addAccount(world.world, { ...NAMES, email: user.email, passwordHash: 'x' })
  await transaction(world.world, (ctx) => welcome(ctx, added!, { ...NAMES, email: user.email }))
  const confirming = await world.codeTo(user.email, 'email')
  const replies = await Promise.all([
    world.nobody.from('10.1.6.1').send(claimAccount, { code, password: 'Brandnew1' }),
    world.nobody.from('10.1.6.2').send(confirmEmail, { code: confirming }),
  ])
  expect(replies[1].status).toBe(200)
  const [row] = await world.db
    .select({ userId: consultations.userId })
    .from(consultations)
    .where(eq(consultations.id, consultation.id))
  expect(row).toEqual({ userId: added })
})
