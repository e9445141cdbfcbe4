import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { login, requestResetCode, RESET_CODE_MINUTES, resetPassword } from '#contract/accounts.ts'
import { lookUpCoupon } from '#contract/coupons.ts'
import { LIMITS, SIGN_INS_AT_WORK, TRIES_AT_WORK } from '#contract/limits.ts'
import { coupons, sessions, tries } from '#server/db/schema.ts'
import { solved } from '#test/joining.ts'
import { PASSWORD } from '#test/people.ts'
import { createWorld } from '#test/world.ts'
import { tryTake } from './limits.ts'

let count = 0
const newAddress = () => `10.9.${++count >> 8}.${count & 255}`
const elsewhere = () => world.nobody.from(newAddress())
const world = await createWorld()
await world.add(coupons, { code: 'TENOFF', percentOff: 10, referrer: 'Radio' })

async function resetCodeOf(email: string) {
  await elsewhere().call(requestResetCode, { email })
  return world.codeTo(email, 'reset')
}

/** Only these make people wait for what others behind their address did, each for its reason. */
const WAITS = {
  signInHere: 'guesses of one password; a browser that signed in before, or a mailed code, gets in',
  freePurchases: 'paying is open',
  freeOfCoupon: 'paying is open, and so are other coupons',
  analyticsAddress: 'nobody notices',
}

it('codes are mailed again as soon as the last ones expire [LOG-7, SAF-6]', () =>
  expect(LIMITS.resetCodeEmail.minutes).toBe(RESET_CODE_MINUTES))

it('a limit that strangers can fill for others never makes them wait [SAF-5, SAF-6]', () => {
  const waits = Object.entries(LIMITS)
    .filter(([, { per, full }]) => full === 'waits' && /address|browser|product/.test(per))
    .map(([name]) => name)
  expect(waits.toSorted()).toEqual(Object.keys(WAITS).toSorted())
})

it('signing in lets an owner in from their own browser, whatever strangers behind the same address tried [SAF-5, SAF-6]', async () => {
  const owner = await world.owner()
  const right = { email: owner.email, password: PASSWORD }
  const shared = newAddress()
  const own = world.nobody.from(shared)
  await own.call(login, right)
  const wrong = { email: owner.email, password: 'Wrong0ne' }
  for (let n = 0; n < 12; n++) await world.nobody.from(shared).send(login, wrong)
  expect((await world.nobody.from(shared).send(login, right)).status).toBe(429)
  expect((await own.send(login, right)).status).toBe(200)
  const made = world.nobody.from(shared)
  const cookie = `vetchat_browser=${'x'.repeat(44)}`
  expect((await made.send(login, right, { cookie })).status).toBe(429)
})

it('signing in opens so many sessions of one account in an hour, wherever its password comes from [SAF-5]', async () => {
  const owner = await world.owner()
  const right = { email: owner.email, password: PASSWORD }
  for (let n = 1; n < LIMITS.signIns.max; n++) await tryTake(world.world, 'signIns', owner.email)
  const shared = newAddress()
  expect((await world.nobody.from(shared).send(login, right)).status).toBe(200)
  const opened = () => world.db.$count(sessions, eq(sessions.userId, owner.id))
  const before = await opened()
  expect(await elsewhere().refusal(login, right)).toBe('TOO_MANY_TRIES')
  // From then on, right passwords count like wrong ones.
  for (let n = 0; n < LIMITS.signInHere.max; n++) await world.nobody.from(shared).send(login, right)
  expect(await opened()).toBe(before)
  const other = { email: (await world.owner()).email, password: PASSWORD }
  expect((await world.nobody.from(shared).send(login, other)).status).toBe(200)
  world.advance({ minutes: LIMITS.signIns.minutes })
  expect((await world.nobody.from(shared).send(login, right)).status).toBe(200)
})

it('signing in takes the human check after 300 failures from an address, and locks nobody out there [SAF-5]', async () => {
  const owner = await world.owner()
  const right = { email: owner.email, password: PASSWORD }
  const shared = newAddress()
  for (let n = 0; n < LIMITS.signInAddress.max; n++) await tryTake(world.world, 'signInAddress', shared)
  const refused = await world.nobody.from(shared).send(login, right)
  expect([refused.status, refused.body]).toMatchObject([429, { human: 'try_again' }])
  const userConfirmation = await solved(world, 'try_again')
  expect((await world.nobody.from(shared).send(login, { ...right, userConfirmation })).status).toBe(200)
})

it('signing in keeps no file waiting, however many passwords are checked at the same time [SAF-5]', async () => {
  const key = 'pets/waits-for-nobody.jpg'
  await world.world.files.put(key, Buffer.from('a picture'))
  let answered = 0
  const guesses = Array.from({ length: 60 }, async (_, n) => {
    await elsewhere().send(login, { email: `burst-${n}@example.com`, password: 'Wrong0ne' })
    answered++
  })
  await Promise.race(guesses)
  const file = await world.app.inject(`/media/${key}`)
  expect([file.statusCode, answered < guesses.length / 2]).toEqual([200, true])
  await Promise.all(guesses)
})

it('signing in takes the human check while strangers everywhere keep it busy, except from known browsers [SAF-5]', async () => {
  const owner = await world.owner()
  const right = { email: owner.email, password: PASSWORD }
  const own = elsewhere()
  await own.call(login, right)
  const userConfirmation = await solved(world, 'try_again')
  const tried = Array.from({ length: SIGN_INS_AT_WORK + 60 }, (_, n) =>
    elsewhere().send(login, { email: `flood-${n}@example.com`, password: 'Wrong0ne' }),
  )
  const [known, checked] = await Promise.all([
    own.send(login, right),
    elsewhere().send(login, { ...right, userConfirmation }),
  ])
  expect([known.status, checked.status]).toEqual([200, 200])
  const refused = (await Promise.all(tried)).filter(({ status }) => status === 429)
  // Some of the first may have been answered before the last arrived.
  expect(new Set(refused.map(({ body }) => (body as { human?: string }).human))).toEqual(
    new Set(['try_again']),
  )
  expect((await elsewhere().send(login, right)).status).toBe(200)
})

it('signing in stores nothing more about an address once it needs the human check, whatever emails are tried [SAF-6]', async () => {
  const shared = newAddress()
  const guess = (n: number) => ({ email: `made-up-${n}@example.com`, password: PASSWORD })
  for (let n = 0; n < LIMITS.signInAddress.max; n++) await tryTake(world.world, 'signInAddress', shared)
  const stored = () => world.db.$count(tries)
  const before = await stored()
  for (let n = 0; n < 3; n++) expect((await world.nobody.from(shared).send(login, guess(n))).status).toBe(429)
  expect(await stored()).toBe(before)
})

it('a new password works however many wrong codes strangers try everywhere [SAF-6]', async () => {
  const owner = await world.owner()
  const code = await resetCodeOf(owner.email)
  for (let n = 0; n <= LIMITS.resetOverAll.max; n++) await tryTake(world.world, 'resetOverAll', 'all')
  expect((await elsewhere().send(resetPassword, { code: 'wrong', password: 'Brandnew1' })).status).toBe(400)
  expect((await elsewhere().send(resetPassword, { code, password: 'Brandnew1' })).status).toBe(200)
})

it('a new password lets the browser that set it sign in, however often strangers tried that email [SAF-6]', async () => {
  const owner = await world.owner()
  for (let n = 0; n < LIMITS.signInEmail.max; n++) await tryTake(world.world, 'signInEmail', owner.email)
  const here = elsewhere()
  const signIn = { email: owner.email, password: 'Brandnew1' }
  await here.call(resetPassword, { code: await resetCodeOf(owner.email), password: signIn.password })
  expect((await elsewhere().send(login, signIn)).status).toBe(429)
  expect((await here.send(login, signIn)).status).toBe(200)
})

it('a new password is possible at any time, even if strangers keep asking for codes: one that works has been mailed [SAF-6]', async () => {
  const owner = await world.owner()
  for (let n = 0; n < 5; n++) await elsewhere().call(requestResetCode, { email: owner.email })
  expect(await world.mailsTo(owner.email)).toHaveLength(3)
  world.advance({ minutes: RESET_CODE_MINUTES + 1 })
  const code = await resetCodeOf(owner.email)
  expect((await elsewhere().send(resetPassword, { code, password: 'Brandnew1' })).status).toBe(200)
})

it('a coupon lets a signed-in person look it up, however often strangers behind the same address guessed wrong [SAF-5]', async () => {
  const shared = newAddress()
  const guess = () => world.nobody.from(shared).send(lookUpCoupon, { couponCode: 'guess' })
  for (let n = 0; n < LIMITS.couponMisses.max; n++) await guess()
  expect((await guess()).status).toBe(403)
  const owner = (await world.owner()).from(shared)
  expect((await owner.send(lookUpCoupon, { couponCode: 'TENOFF' })).status).toBe(200)
})

it('a coupon lets no burst of guesses through before the first miss is known [SAF-5]', async () => {
  const guesser = elsewhere()
  const burst = Array.from({ length: 200 }, (_, n) =>
    guesser.send(lookUpCoupon, { couponCode: `burst ${n}` }),
  )
  const answered = (await Promise.all(burst)).filter(({ status }) => status === 404)
  expect(answered.length).toBeLessThanOrEqual(TRIES_AT_WORK + LIMITS.couponMisses.max)
})
