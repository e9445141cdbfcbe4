import { TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { connect } from 'socket.io-client'
import { claimAccount, login, me, requestResetCode, resetPassword } from '#contract/accounts.ts'
import {
  checkFactor,
  getFactor,
  removeFactor,
  renewRecoveryCodes,
  startFactor,
  turnOffFactor,
  turnOnFactor,
} from '#contract/factor.ts'
import { listConsultations } from '#contract/consultations.ts'
import { confirmPassword, listSessions } from '#contract/profile.ts'
import { findPerson, setUserType } from '#contract/vets.ts'
import { sendClaimLink } from '#server/accounts/claim-writes.ts'
import { auditLog, factors, recoveryCodes } from '#server/db/schema.ts'
import { openSocket } from '#test/open-socket.ts'
import { PASSWORD } from '#test/people.ts'
import { refuseRows } from '#test/refuse-rows.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

const world = await createWorld()

type Staff = Awaited<ReturnType<TestWorld['vet']>>

/** The code that the app shows, now or this many half minutes from now. */
const appCode = (key: string, at = world.now(), steps = 0) =>
  new TOTP({ secret: key }).generate({ timestamp: at.getTime() + steps * 30_000 })

/** Turns it on as a person does. Returns the app's key, the recovery codes and the app's next code. */
async function withFactor(person: Staff) {
  const { key } = await person.call(startFactor, {})
  const { recovery_codes: codes } = await person.call(checkFactor, { code: appCode(key) })
  await person.call(turnOnFactor, {})
  // The code above is used up.
  world.advance({ seconds: 60 })
  return { key, codes, next: () => (world.advance({ seconds: 60 }), appCode(key)) }
}

const signIn = ({ email }: Staff, more: object = {}, password = PASSWORD) =>
  world.visitor().send(login, { email, password, ...more })
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

it('a second factor is on once the app was tried and the codes were seen, and is asked for at every sign-in [PRO-6]', async () => {
  const vet = await world.vet()
  const off = { on_since: null, recovery_codes_left: 0, required: false }
  expect(await vet.call(getFactor, {})).toEqual(off)
  expect(await vet.refusal(turnOnFactor)).toBe('FACTOR_NOT_CHECKED')
  const { key, qr } = await vet.call(startFactor, {})
  expect([key, qr.path]).toEqual([
    expect.stringMatching(/^[A-Z2-7]{32}$/),
    expect.stringMatching(/^M0 0h1v1h-1z/),
  ])
  expect(await vet.refusal(checkFactor, { code: '000000' })).toBe('FACTOR_CODE_WRONG')
  const { recovery_codes } = await vet.call(checkFactor, { code: appCode(key).replace(/^.../, '$& ') })
  expect(new Set(recovery_codes).size).toBe(10)
  // It isn't asked for until it is turned on.
  expect(await vet.call(getFactor, {})).toEqual(off)
  const elsewhere = await signIn(vet)
  await vet.call(turnOnFactor, {})
  expect(await vet.call(getFactor, {})).toMatchObject({
    on_since: expect.any(String),
    recovery_codes_left: 10,
  })
  expect(await vet.refusal(startFactor)).toBe('FACTOR_IS_ON')
  // A device that signed in with the password alone is signed out.
  expect((await world.nobody.with(elsewhere.body.token).send(me)).status).toBe(401)

  const asked = await signIn(vet)
  expect([...outcome(asked), asked.body.errors]).toEqual([
    401,
    'FACTOR_NEEDED',
    ['Enter the code from your authenticator app.'],
  ])
  // Only the right password shows that there is one.
  expect(outcome(await signIn(vet, {}, 'Wrong0ne'))).toEqual([401, 'SIGN_IN_FAILED'])
  world.advance({ seconds: 60 })
  const { body } = await signIn(vet, { code: appCode(key) })
  expect(await world.nobody.with(body.token).call(me, {})).toMatchObject({ id: vet.id })
  const [mail] = await world.mailsTo(vet.email)
  expect(mail!.subject).toBe('Your second factor is on')
})

it('a second factor keeps its secret encrypted and its recovery codes hashed [PRO-6]', async () => {
  const vet = await world.vet()
  const { key, codes } = await withFactor(vet)
  const [factor] = await world.rows(factors, { userId: vet.id })
  const rows = await world.rows(recoveryCodes, { userId: vet.id })
  const stored = JSON.stringify([factor, rows])
  for (const text of [key, ...codes, ...codes.map((code) => code.replace('-', ''))])
    expect(stored).not.toContain(text)
})

it('a second factor accepts a code once, even from a phone that is half a minute fast or slow, but no more [PRO-6]', async () => {
  const vet = await world.vet()
  const { key } = await withFactor(vet)
  world.advance({ minutes: 2 })
  // To where a code's half minute begins, so that it doesn't end in between.
  world.advance({ seconds: 30 - ((world.now().getTime() / 1000) % 30) })
  const at = world.now()
  expect(outcome(await signIn(vet, { code: appCode(key, at, 2) }))).toEqual([400, 'FACTOR_CODE_WRONG'])
  expect(outcome(await signIn(vet, { code: appCode(key, at, -2) }))).toEqual([400, 'FACTOR_CODE_WRONG'])
  expect((await signIn(vet, { code: appCode(key, at, -1) })).status).toBe(200)
  expect((await signIn(vet, { code: appCode(key, at, 1) })).status).toBe(200)
  // A used code is refused, and so are those before it.
  expect(outcome(await signIn(vet, { code: appCode(key, at, 1) }))).toEqual([400, 'FACTOR_CODE_WRONG'])
  expect(outcome(await signIn(vet, { code: appCode(key, at) }))).toEqual([400, 'FACTOR_CODE_WRONG'])
})

it('a second factor accepts each recovery code once, as people type it, and mails that it was used [PRO-6]', async () => {
  const vet = await world.vet()
  const { codes } = await withFactor(vet)
  const typed = codes[3]!.toLowerCase().replace('-', ' ')
  expect((await signIn(vet, { code: typed })).status).toBe(200)
  expect(outcome(await signIn(vet, { code: typed }))).toEqual([400, 'RECOVERY_CODE_WRONG'])
  expect(await vet.call(getFactor, {})).toMatchObject({ recovery_codes_left: 9 })
  const mail = (await world.mailsTo(vet.email)).at(-1)!
  expect([mail.subject, mail.text]).toEqual([
    'A recovery code was used',
    expect.stringContaining('you have 9 left'),
  ])
  const other = await world.vet()
  await withFactor(other)
  expect(outcome(await signIn(other, { code: codes[4] }))).toEqual([400, 'RECOVERY_CODE_WRONG'])
})

it('a second factor allows five wrong codes in a quarter of an hour, from anywhere, and warns its person [PRO-6]', async () => {
  const vet = await world.vet()
  const { next } = await withFactor(vet)
  for (let n = 0; n < 5; n++)
    expect(outcome(await signIn(vet, { code: `12345${n}` }))).toEqual([400, 'FACTOR_CODE_WRONG'])
  const full = await signIn(vet, { code: next() })
  expect([...outcome(full), Number(full.headers['retry-after']) > 0]).toEqual([429, 'TOO_MANY_TRIES', true])
  expect((await signIn(vet, { code: '123456' })).status).toBe(429)
  const warnings = (await world.mailsTo(vet.email)).filter(({ subject }) =>
    /may know your VetChat password/.test(subject),
  )
  expect(warnings).toHaveLength(1)
  world.advance({ minutes: 15 })
  expect((await signIn(vet, { code: next() })).status).toBe(200)
})

it('a second factor isn’t skipped by a reset code or by a link that sets a password [PRO-6]', async () => {
  const vet = await world.vet()
  const { next } = await withFactor(vet)
  await world.nobody.call(requestResetCode, { email: vet.email })
  const code = await world.codeTo(vet.email, 'reset')
  await world.nobody.call(resetPassword, { code, password: 'Brandnew1' })
  expect(outcome(await signIn(vet, {}, 'Brandnew1'))).toEqual([401, 'FACTOR_NEEDED'])
  expect((await signIn(vet, { code: next() }, 'Brandnew1')).status).toBe(200)

  await sendClaimLink(world.world, vet.id)
  const link = await world.codeTo(vet.email, 'claim')
  const claimed = await world.nobody.call(claimAccount, { code: link, password: 'Brandnew2' })
  expect(claimed).toEqual({ token: null, joined: false })
  expect(outcome(await signIn(vet, {}, 'Brandnew2'))).toEqual([401, 'FACTOR_NEEDED'])
})

it('a second factor is turned off, and gets new recovery codes, with the password and a code [PRO-6]', async () => {
  const vet = await world.vet()
  const { codes, next } = await withFactor(vet)
  const wrong = await vet.send(turnOffFactor, { password: 'Wrong0ne', code: next() })
  expect([wrong.status, Object.keys(wrong.body.fields!)]).toEqual([400, ['password']])
  const guess = await vet.send(renewRecoveryCodes, { password: PASSWORD, code: '111111' })
  expect([guess.status, Object.keys(guess.body.fields!)]).toEqual([400, ['code']])
  const fresh = await vet.call(renewRecoveryCodes, { password: PASSWORD, code: next() })
  expect(outcome(await signIn(vet, { code: codes[0] }))).toEqual([400, 'RECOVERY_CODE_WRONG'])
  await vet.call(turnOffFactor, { password: PASSWORD, code: fresh.recovery_codes[0]! })
  expect((await signIn(vet)).status).toBe(200)
  expect(await vet.refusal(turnOffFactor, { password: PASSWORD, code: next() })).toBe('FACTOR_IS_OFF')
  expect((await world.mailsTo(vet.email)).map(({ subject }) => subject)).toEqual([
    'Your second factor is on',
    'You have new recovery codes',
    'A recovery code was used',
    'Your second factor is off',
  ])
})

it('a second factor spends no code on new recovery codes or on turning it off, if that fails [PRO-6]', async () => {
  const vet = await world.vet()
  const { codes } = await withFactor(vet)
  const letters = `new.template in ('recovery codes renewed', 'second factor off')`
  const heal = await refuseRows(world, 'mails', letters)
  const proof = { password: PASSWORD, code: codes[0]! }
  for (const change of [renewRecoveryCodes, turnOffFactor])
    expect((await vet.send(change, proof)).status).toBe(500)
  await heal()
  expect(await vet.call(getFactor, {})).toMatchObject({ recovery_codes_left: 10 })
  const fresh = await vet.call(renewRecoveryCodes, proof)
  await vet.call(turnOffFactor, { password: PASSWORD, code: fresh.recovery_codes[0]! })
})

it('a second factor that was lost is removed by another admin, who gives the password again; nobody removes their own [PRO-6]', async () => {
  const [vet, admin] = [await world.vet(), await world.admin()]
  await withFactor(vet)
  const { next } = await withFactor(admin)
  expect((await admin.call(findPerson, { email: vet.email })).factor_since).toEqual(expect.any(String))
  world.advance({ minutes: 11 })
  expect(await admin.refusal(removeFactor, { id: vet.id })).toBe('PASSWORD_AGAIN')
  // The server's clock was ahead for a moment, when the password was given.
  world.advance({ hours: 1 })
  await admin.call(confirmPassword, { password: PASSWORD })
  world.advance({ hours: -1 })
  expect(await admin.refusal(removeFactor, { id: vet.id })).toBe('PASSWORD_AGAIN')
  await admin.call(confirmPassword, { password: PASSWORD })
  expect(await admin.refusal(removeFactor, { id: admin.id })).toBe('FACTOR_OWN')
  await admin.call(removeFactor, { id: vet.id })
  await admin.call(removeFactor, { id: vet.id })
  expect((await signIn(vet)).status).toBe(200)
  expect((await signIn(admin, { code: next() })).status).toBe(200)
  const log = await world.rows(auditLog, { subjectId: String(vet.id) })
  expect(log.map(({ userId, action }) => [userId, action])).toEqual([
    [vet.id, 'second factor on'],
    [admin.id, 'second factor removed'],
  ])
  expect((await world.mailsTo(vet.email)).at(-1)!.text).toContain('An admin removed your second factor')
})

it('a second factor ends with the role: a vet who becomes an owner signs in with the password [PRO-6, ADM-3]', async () => {
  const [vet, admin] = [await world.vet(), await world.admin()]
  await withFactor(vet)
  await admin.call(setUserType, { id: vet.id, type: 1 })
  expect((await signIn(vet)).status).toBe(200)
})

describe('where staff must have a second factor', () => {
  let strict: TestWorld
  let address: string
  beforeAll(async () => {
    strict = await createWorld({ env: { REQUIRE_2FA: 'on' } })
    address = await strict.listen()
  })

  it('a vet without one can only set it up, and everything opens once it is on [PRO-6]', async () => {
    const vet = await strict.vet()
    expect(await vet.refusal(listConsultations, {})).toBe('FACTOR_REQUIRED')
    expect(await vet.refusal(listSessions)).toBe('FACTOR_REQUIRED')
    expect((await vet.call(me, {})).id).toBe(vet.id)
    const opens = (token: string) =>
      new Promise((resolve) => {
        const options = { path: '/api/live', auth: { token }, reconnection: false, forceNew: true }
        const socket = connect(address, { ...options, transports: ['websocket'] })
        const done = (opened: boolean) => (socket.close(), resolve(opened))
        socket.once('connect', () => done(true)).once('connect_error', () => done(false))
      })
    expect(await opens(vet.token)).toBe(false)
    const { key } = await vet.call(startFactor, {})
    await vet.call(checkFactor, { code: appCode(key, strict.now()) })
    await vet.call(turnOnFactor, {})
    expect((await vet.send(listConsultations, {})).status).toBe(200)
    expect(await opens(vet.token)).toBe(true)
    strict.advance({ seconds: 60 })
    const off = await vet.send(turnOffFactor, { password: PASSWORD, code: appCode(key, strict.now()) })
    expect(outcome(off)).toEqual([409, 'FACTOR_STAYS_ON'])
    // Owners have none, and need none.
    expect((await (await strict.owner()).send(listSessions)).status).toBe(200)
  })

  it('a vet whose factor was removed hears and says nothing more on an open connection [PRO-6, SAF-1]', async () => {
    const [vet, admin] = [await strict.vet(), await strict.admin()]
    for (const person of [vet, admin]) {
      const { key } = await person.call(startFactor, {})
      await person.call(checkFactor, { code: appCode(key, strict.now()) })
      await person.call(turnOnFactor, {})
    }
    const socket = openSocket(address, vet.token)
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    await admin.call(removeFactor, { id: vet.id })
    await expect.poll(() => socket.connected).toBe(false)
    expect((await vet.call(me, {})).id).toBe(vet.id)
  })
})
