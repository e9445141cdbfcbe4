import { decodeJwt, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { login, logout, me, requestResetCode, resetPassword } from '#contract/accounts.ts'
import { ERRORS } from '#contract/errors.ts'
import { addMinutes, DAY, HOUR, MINUTE } from '#contract/time.ts'
import { sessions, subscriptions } from '#server/db/schema.ts'
import { solved } from '#test/joining.ts'
import { PASSWORD } from '#test/people.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()
let lastAddress = 0
/** A browser on a fresh address without earlier attempts. */
const elsewhere = () => world.nobody.from(`10.0.${Math.floor(++lastAddress / 250)}.${lastAddress % 250}`)

async function resetCodeOf(email: string) {
  await elsewhere().call(requestResetCode, { email })
  return world.codeTo(email, 'reset')
}

it('signing in returns a token for the right details, whatever the case and spaces of the email [LOG-3, API-3]', async () => {
  const owner = await world.owner()
  const { token } = await elsewhere().call(login, {
    email: `  ${owner.email.toUpperCase()} `,
    password: PASSWORD,
  })
  expect((await elsewhere().with(token).call(me, {})).id).toBe(owner.id)
})

it('signing in gives the same answer for a wrong password and an unknown email [LOG-4]', async () => {
  const owner = await world.owner()
  const wrong = await elsewhere().send(login, { email: owner.email, password: 'Wrong0ne' })
  const unknown = await elsewhere().send(login, { email: 'nobody@example.com', password: 'Wrong0ne' })
  expect([wrong.status, wrong.text]).toEqual([401, unknown.text])
  expect(wrong.body.errors).toEqual([
    "Sorry, we don't recognise your details. Please check your email address and password and try again.",
  ])
})

it('signing in asks for both fields, with a message beside each [LOG-1, API-3]', async () => {
  const empty = await elsewhere().send(login, {})
  expect(empty.status).toBe(400)
  expect(empty.body.fields).toEqual({ email: 'Email is empty', password: 'Password is required' })
  const malformed = await elsewhere().send(login, { email: 'x@', password: 'y' })
  expect(malformed.body.errors).toEqual(['Invalid Email address'])
})

it('a session lasts 30 days from last use when remembered, and 12 hours when not or for staff [LOG-2]', async () => {
  const hours = async (email: string, remember: boolean) => {
    const { token } = await elsewhere().call(login, { email, password: PASSWORD, remember })
    return Math.round((decodeJwt(token).exp! * 1000 - world.now().getTime()) / HOUR)
  }
  const owner = await world.owner()
  expect(await hours(owner.email, true)).toBe(30 * 24)
  expect(await hours(owner.email, false)).toBe(12)
  expect(await hours((await world.vet()).email, true)).toBe(12)
  expect(await hours((await world.admin()).email, true)).toBe(12)
})

it('a remembered token is renewed with use, and no other token is [LOG-2]', async () => {
  const owner = await world.owner()
  const here = elsewhere()
  const remembered = here.with(
    (await here.call(login, { email: owner.email, password: PASSWORD, remember: true })).token,
  )
  const short = here.with((await here.call(login, { email: owner.email, password: PASSWORD })).token)
  world.advance({ hours: 11 })
  expect((await short.send(me)).headers['x-vetchat-token']).toBeUndefined()
  world.advance({ days: 20 })
  expect((await short.send(me)).status).toBe(401)
  const renewed = String((await remembered.send(me)).headers['x-vetchat-token'])
  expect(decodeJwt(renewed).exp! * 1000).toBeGreaterThan(world.now().getTime() + 29 * DAY)
  world.advance({ days: 25 })
  expect((await here.with(renewed).send(me)).status).toBe(200)
  world.advance({ days: 31 })
  expect((await here.with(renewed).send(me)).status).toBe(401)
})

it('a session ends on the server when the person signs out [LOG-10]', async () => {
  const owner = await world.owner()
  await owner.call(logout, {})
  const after = await owner.send(me)
  expect([after.status, after.text]).toEqual([401, 'Unauthorized'])
  expect((await owner.send(logout)).status).toBe(200)
})

it('signing in counts failures per email and address, and says when to retry [LOG-12]', async () => {
  const owner = await world.owner()
  const here = elsewhere()
  const tries = Array.from({ length: 14 }, () =>
    here.send(login, { email: owner.email, password: 'Wrong0ne' }),
  )
  const statuses = (await Promise.all(tries)).map((reply) => reply.status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(10)
  const refused = await here.send(login, { email: owner.email, password: PASSWORD })
  expect(refused.status).toBe(429)
  expect(refused.body.errors).toEqual(['Too many tries. Please wait 15 minutes and try again.'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(890)
  expect((await elsewhere().send(login, { email: owner.email, password: PASSWORD })).status).toBe(200)
  world.advance({ minutes: 16 })
  expect((await here.send(login, { email: owner.email, password: PASSWORD })).status).toBe(200)
})

it('signing in counts unknown emails in the same way [LOG-12]', async () => {
  const here = elsewhere()
  for (let n = 0; n < 10; n++) await here.send(login, { email: 'ghost@example.com', password: 'Wrong0ne' })
  expect((await here.send(login, { email: 'ghost@example.com', password: 'Wrong0ne' })).status).toBe(429)
})

it("signing in doesn't count correct details, even if they are sent in parallel [LOG-12]", async () => {
  const owner = await world.owner()
  const here = elsewhere()
  const tries = Array.from({ length: 25 }, () => here.send(login, { email: owner.email, password: PASSWORD }))
  const replies = await Promise.all(tries)
  expect(replies.map((reply) => reply.status)).toEqual(Array(25).fill(200))
})

it(
  'after 100 failures from all addresses together, signing in admits only browsers that signed in before [LOG-12]',
  async () => {
    const owner = await world.owner()
    const own = elsewhere()
    await own.call(login, { email: owner.email, password: PASSWORD })
    for (let n = 0; n < 100; n++) await elsewhere().send(login, { email: owner.email, password: 'Wrong0ne' })
    expect((await elsewhere().send(login, { email: owner.email, password: PASSWORD })).status).toBe(429)
    expect((await own.send(login, { email: owner.email, password: PASSWORD })).status).toBe(200)
  },
  MINUTE,
)

const USER =
  'id type firstName lastName email email_confirmed mobile postcode address user_clinic customer_id subscriptions subscription can_consult region notifications has_pets_away'
const SUBSCRIPTION =
  'id user_id pet_id pets plan stripe_subscription stripeData recurring_start end ended_at deletedAt source subs_id grace_end leaving disputed price currency'
const CONSULTATION =
  'id type start vet_start end vet_name pet user pet_issue query outcome summary ended_by_another portalDetail'
const fields = (value: object) => Object.keys(value).toSorted()

it('the person who is signed in sees these fields and no more, an owner with memberships, a vet with what they took [API-5]', async () => {
  const [member, vet] = [await world.member(), await world.vet()]
  const at = world.now()
  await world.consultOf(member, { vetId: vet.id, start: at, vetStart: at })
  const mine = await member.call(me, {})
  expect(fields(mine)).toEqual(USER.split(' ').toSorted())
  expect(fields(mine.subscriptions[0]!)).toEqual(SUBSCRIPTION.split(' ').toSorted())
  expect(mine.subscription).toEqual(mine.subscriptions[0])
  expect(mine.subscription).toMatchObject({
    pets: [member.pet.id],
    pet_id: member.pet.id,
    price: 200_000,
    currency: 'zar',
  })
  const vets = await vet.call(me, {})
  expect(fields(vets)).toEqual([...USER.split(' '), 'consultations'].toSorted())
  expect(fields(vets.consultations![0]!)).toEqual(
    [...CONSULTATION.split(' '), 'first_taken_at', 'handed_over_by', 'snoozed_until', 'urgency'].toSorted(),
  )
  expect(vets.consultations![0]!.vet_name).toBe(`Dr Thandi ${vet.lastName}`)
  expect(fields(await (await world.admin()).call(me, {}))).toEqual(USER.split(' ').toSorted())
})

it('the person who is signed in has an active membership while the provider says so, or while its end is unset or in the future [API-5]', async () => {
  const member = await world.member()
  const set = (values: object) => world.change(subscriptions, member.subscription.id, values)
  const active = async () => (await member.call(me, {})).subscription !== null
  const past = new Date(world.now().getTime() - 1000)
  await set({ status: 'canceled', end: past })
  expect(await active()).toBe(false)
  await set({ end: addMinutes(past, 1) })
  expect(await active()).toBe(true)
  await set({ end: null })
  expect(await active()).toBe(true)
  await set({ status: 'active', end: past })
  expect(await active()).toBe(true)
})

it('tokens reveal nothing about the person [LOG-13]', async () => {
  const owner = await world.owner()
  expect(Object.keys(decodeJwt(owner.token)).toSorted()).toEqual(['exp', 'kind', 'sid'])
})

it('tokens are refused when tampered, of another kind, unsigned, expired or revoked [LOG-13]', async () => {
  const owner = await world.owner()
  const guest = await world.guest()
  const claims = decodeJwt(owner.token)
  const { kind, sid, exp } = claims
  const [head, payload, signature] = owner.token.split('.')
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = (values: object, { secret = world.world.secrets[0], alg = 'HS256' } = {}) =>
    new SignJWT({ ...values }).setProtectedHeader({ alg }).sign(secret)
  const bad = [
    `${head}.${encode({ ...claims, exp: exp! + 9 })}.${signature}`,
    `${head}.${payload}.${signature!.startsWith('A') ? 'B' : 'A'}${signature!.slice(1)}`,
    `${encode({ alg: 'none' })}.${payload}.`,
    `${encode({ alg: 'none' })}.${payload}.${signature}`,
    await signed(claims, {
      secret: new TextEncoder().encode('another secret of at least thirty-two bytes'),
    }),
    await signed(claims, { alg: 'HS384' }),
    await signed({ ...claims, exp: Math.floor(world.now().getTime() / 1000) - 1 }),
    await signed({ kind, sid }),
    await signed({ ...claims, kind: 'guest' }),
    await signed({ ...claims, kind: 'clinic' }),
    await signed({ ...claims, sid: `${String(sid).slice(1)}x` }),
    await signed({ ...claims, sid: [sid] }),
    await signed({ kind, exp }),
    owner.token.slice(0, -5),
    `${owner.token} ${owner.token}`,
    `${owner.token}.${signature}`,
    `${owner.token}x`,
    'not a token',
    '',
  ]
  expect(
    (
      await elsewhere()
        .with(await signed(claims))
        .send(me)
    ).status,
  ).toBe(200)
  for (const token of bad) {
    const reply = await elsewhere().with(token).send(me)
    expect([reply.status, reply.text], token).toEqual([401, 'Unauthorized'])
  }
  const refused = await guest.send(me)
  expect([refused.status, refused.text]).toEqual([401, 'Unauthorized'])
  await world.change(sessions, String(claims['sid']), {
    kind: 'guest',
    userId: null,
    consultationId: guest.consultation.id,
  })
  expect((await owner.send(me)).status).toBe(401)
})

it("tokens are ignored where anyone may call, if they can't be used [LOG-13]", async () => {
  const owner = await world.owner()
  const reply = await elsewhere().with('stale').send(login, { email: owner.email, password: PASSWORD })
  expect(reply.status).toBe(200)
})

it('a password reset answers every email in the same way, and mails only known ones [LOG-6]', async () => {
  const owner = await world.owner()
  const known = await elsewhere().send(requestResetCode, { email: owner.email })
  const unknown = await elsewhere().send(requestResetCode, { email: 'nobody2@example.com' })
  expect([known.status, known.text]).toEqual([200, '{}'])
  expect([unknown.status, unknown.text]).toEqual([200, '{}'])
  expect(await world.mailsTo('nobody2@example.com')).toEqual([])
  const [mail] = await world.mailsTo(owner.email)
  const code = await world.codeTo(owner.email, 'reset')
  expect(mail!.text.split('\n')).toContain(`http://localhost/resetpwd/${code}`)
  expect(mail!.html).toContain(code)
  const malformed = await elsewhere().send(requestResetCode, { email: 'x' })
  expect(malformed.body.errors).toEqual(['Invalid Email address'])
})

it('a password reset accepts the code in any case, with spaces and dashes, once, and tells the owner [LOG-7]', async () => {
  const owner = await world.owner()
  const code = await resetCodeOf(owner.email)
  const typed = ` ${code.slice(0, 5).toLowerCase()}-${code.slice(5, 12)} ${code.slice(12)} `
  expect(await elsewhere().call(resetPassword, { code: typed, password: 'Brandnew1' })).toEqual({})
  expect((await elsewhere().send(login, { email: owner.email, password: PASSWORD })).status).toBe(401)
  expect((await elsewhere().send(login, { email: owner.email, password: 'Brandnew1' })).status).toBe(200)
  expect((await elsewhere().send(resetPassword, { code, password: 'Brandnew2' })).body.errors).toEqual([
    ERRORS.RESET_CODE_WRONG.message,
  ])
  expect((await world.mailsTo(owner.email)).at(-1)!.subject).toBe('Your VetChat password was changed')
})

it('a password reset accepts a code for 30 minutes, or until a newer one replaces it [LOG-7]', async () => {
  const owner = await world.owner()
  const first = await resetCodeOf(owner.email)
  const second = await resetCodeOf(owner.email)
  expect((await elsewhere().send(resetPassword, { code: first, password: 'Brandnew1' })).status).toBe(400)
  world.advance({ minutes: 31 })
  expect((await elsewhere().send(resetPassword, { code: second, password: 'Brandnew1' })).status).toBe(400)
})

it('a password reset names the rules when it refuses a password, and leaves the code usable [LOG-8, LOG-7, LOG-9]', async () => {
  const owner = await world.owner()
  const code = await resetCodeOf(owner.email)
  for (const password of ['Short1a', 'alllower1', 'ALLUPPER1', 'NoDigits']) {
    const refused = await elsewhere().send(resetPassword, { code, password })
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toEqual([
      'Password must contain: at least 8 characters, at least one lowercase letter (a-z), at least one uppercase letter (A-Z), at least one number (0-9)',
    ])
  }
  expect((await elsewhere().send(resetPassword, { code, password: 'Brandnew1' })).status).toBe(200)
})

it('a password reset ends every session of that person [LOG-11]', async () => {
  const owner = await world.owner()
  await elsewhere().call(resetPassword, { code: await resetCodeOf(owner.email), password: 'Brandnew1' })
  expect((await owner.send(me)).status).toBe(401)
})

it('a password reset stores no readable code, and limits wrong ones per address [LOG-7, LOG-12]', async () => {
  const owner = await world.owner()
  const code = await resetCodeOf(owner.email)
  const { rows } = (await world.db.execute(`select * from mailed_codes`)) as unknown as { rows: object[] }
  expect(JSON.stringify(rows)).not.toContain(code)
  const here = elsewhere()
  for (let n = 0; n < 10; n++)
    expect((await here.send(resetPassword, { code: 'wrong', password: 'Brandnew1' })).status).toBe(400)
  const refused = await here.send(resetPassword, { code, password: 'Brandnew1' })
  expect([refused.status, refused.body]).toMatchObject([429, { human: 'try_again' }])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
  const checked = { code, password: 'Brandnew1', userConfirmation: await solved(world, 'try_again') }
  expect((await here.send(resetPassword, checked)).status).toBe(200)
})

it("mails about an account link to its own region's site, whichever host was called [LOG-6, SHL-13]", async () => {
  const two = await createWorld({ database: world.database, env: { SITES: 'au=https://vetchat.example.au' } })
  const owner = await two.person({ region: 'au', email: 'sydney@example.com' })
  await two.nobody.call(requestResetCode, { email: owner.email })
  const [asked] = await two.mailsTo(owner.email)
  expect(asked!.text).toContain('\nhttps://vetchat.example.au/resetpwd/')
  const code = await two.codeTo(owner.email, 'reset')
  await two.nobody.call(resetPassword, { code, password: 'Brandnew1' })
  const [, changed] = await two.mailsTo(owner.email)
  expect(changed!.text).toContain('\nhttps://vetchat.example.au/forgotpassword')
})
