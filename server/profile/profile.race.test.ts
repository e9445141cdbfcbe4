import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { login, me, requestResetCode, resetPassword } from '#contract/accounts.ts'
import { startConsultation } from '#contract/consultations.ts'
import { changeEmail, confirmEmail, deleteAccount, updatePassword } from '#contract/profile.ts'
import { consultations, users } from '#server/db/schema.ts'
import { PASSWORD } from '#test/people.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

/** Waits until this many statements wait for a lock. */
async function waiting(n: number) {
  for (;;) {
    const { rows } = (await world.db.execute(
      sql`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )) as unknown as { rows: { n: number }[] }
    if (rows[0]!.n >= n) return
  }
}

/** Makes both wait for a person's locked row, in this order. */
async function whileHeld<A, B>(userId: number, first: () => Promise<A>, second: () => Promise<B>) {
  const both = await world.db.transaction(async (tx) => {
    await tx.select().from(users).where(eq(users.id, userId)).for('update')
    const one = first()
    await waiting(1)
    const two = second()
    await waiting(2)
    // Not awaited in here: they wait for this transaction's end.
    return { one, two }
  })
  return Promise.all([both.one, both.two])
}

/** A member through a partner, so that no provider has to end anything. */
async function partnersMember() {
  const owner = await world.owner()
  const pet = await world.pet(owner.id)
  await world.partnersMembership(owner.id)
  const start = { type: 1 as const, pet_id: pet.id, pet_issue: 'She limps', agreed: true }
  return {
    owner,
    pet,
    start: () => owner.send(startConsultation, start),
    leave: () => owner.send(deleteAccount, { password: PASSWORD }),
    openConsultations: () => world.rows(consultations, { userId: owner.id, end: null }),
  }
}

it("a consultation can't start while its account is being deleted [PRO-5]", async () => {
  const { owner, leave, start, openConsultations } = await partnersMember()
  const [left, started] = await whileHeld(owner.id, leave, start)
  expect([left.status, started.status]).toEqual([200, 401])
  expect(await openConsultations()).toEqual([])
})

it('a consultation that started a moment earlier keeps the account [PRO-5]', async () => {
  const { owner, pet, leave, openConsultations } = await partnersMember()
  const { left } = await world.db.transaction(async (tx) => {
    await tx.select().from(users).where(eq(users.id, owner.id)).for('update')
    const left = leave()
    await waiting(1)
    const now = world.now()
    await tx
      .insert(consultations)
      .values({ type: 1, region: 'za', userId: owner.id, petId: pet.id, petIssue: 'She limps', start: now })
    return { left }
  })
  const { status, body } = await left
  expect([status, body.code]).toEqual([409, 'CONSULT_STILL_OPEN'])
  expect(await openConsultations()).toHaveLength(1)
  expect((await owner.send(me)).status).toBe(200)
})

it('an account that is deleted many times in parallel is deleted once [PRO-5]', async () => {
  const owner = await world.owner()
  const tries = Array.from({ length: 8 }, () => owner.send(deleteAccount, { password: PASSWORD }))
  const replies = await Promise.all(tries)
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await world.mailsTo(owner.email)).toHaveLength(1)
})

it('of several people who take one address at the same moment, one gets it [PRO-5]', async () => {
  const email = 'wanted@example.com'
  const people = [await world.owner(), await world.owner(), await world.owner()]
  for (const person of people) await person.call(changeEmail, { email, password: PASSWORD })
  const codes = await world.codesTo(email, 'email')
  // Each link is opened twice, as a mail program that looks ahead would.
  const replies = await Promise.all(
    [...codes, ...codes].map((code, n) => world.nobody.from(`10.3.1.${n}`).send(confirmEmail, { code })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400])
  expect(await world.rows(users, { email })).toHaveLength(1)
})

it('of two pages that change the password in parallel, one succeeds [PRO-3]', async () => {
  const owner = await world.owner()
  const change = (passwordNew: string) =>
    owner.send(updatePassword, { passwordCurrent: PASSWORD, passwordNew })
  const passwords = ['Brandnew1', 'Brandnew2']
  const replies = await whileHeld(
    owner.id,
    () => change('Brandnew1'),
    () => change('Brandnew2'),
  )
  expect(replies.map(({ status }) => status)).toEqual([200, 400])
  expect(replies[1].body.code).toBe('CURRENT_PASSWORD_WRONG')
  const signedIn = passwords.map((password) => world.nobody.send(login, { email: owner.email, password }))
  expect((await Promise.all(signedIn)).map(({ status }) => status)).toEqual([200, 401])
})

it('of a password that is changed and one that is set by mail in parallel, the first counts, and neither fails [PRO-3, LOG-7]', async () => {
  const owner = await world.owner()
  await world.visitor().call(requestResetCode, { email: owner.email })
  const code = await world.codeTo(owner.email, 'reset')
  const [changed, reset] = await whileHeld(
    owner.id,
    () => owner.send(updatePassword, { passwordCurrent: PASSWORD, passwordNew: 'Changed1' }),
    () => world.visitor().send(resetPassword, { code, password: 'Mailed22' }),
  )
  expect([changed.status, reset.body.code]).toEqual([200, 'RESET_CODE_WRONG'])
})

it('a sign-in with the old password that is in progress while it changes opens no session [PRO-3]', async () => {
  const owner = await world.owner()
  const replies = await whileHeld(
    owner.id,
    () => owner.send(updatePassword, { passwordCurrent: PASSWORD, passwordNew: 'Brandnew1' }),
    () => world.nobody.send(login, { email: owner.email, password: PASSWORD }),
  )
  expect(replies.map(({ status }) => status)).toEqual([200, 401])
})
