import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { login, me } from '#contract/accounts.ts'
import { loginByLink } from '#contract/consultations.ts'
import { checkFactor, startFactor, turnOnFactor } from '#contract/factor.ts'
import { consultLink } from '#server/consultations/rules.ts'
import { openEmbedded, type Database } from '#server/db/client.ts'
import { factors } from '#server/db/schema.ts'
import { seed } from '#server/db/seed.ts'
import { newPurchaseToken, purchaseToken } from '#server/purchases/rules.ts'
import { solved } from '#test/joining.ts'
import { PASSWORD } from '#test/people.ts'
import { createWorld, type TestWorld } from '#test/world.ts'
import { carriesMark, countedFor, withMark } from './browser-marks.ts'
import { checkHuman } from './human-check.ts'
import { hashOf, secretIn, type Secrets } from './secrets.ts'
import { fileMark, viewerOf } from './session.ts'
import { isSigned, signedQuery } from './signed-links.ts'

const bytes = (text: string) => new TextEncoder().encode(text.padEnd(32, '.'))
const [first, second] = [bytes('the first secret'), bytes('the second secret')]
/** Each instance while SECRET changes: the old one, one that knows both, and the one afterwards. */
const BEFORE: Secrets = [first]
const DURING: Secrets = [second, first]
const AFTER: Secrets = [second]

let database: Database
const worlds: TestWorld[] = []
const open = async (secrets: Secrets) => {
  const world = await createWorld({ database, secrets })
  worlds.push(world)
  return world
}
let before: TestWorld
let during: TestWorld
let after: TestWorld
beforeAll(async () => {
  database = await openEmbedded()
  await seed(database.db, { demo: false, sites: [] })
  before = await open(BEFORE)
  during = await open(DURING)
  after = await open(AFTER)
})
afterAll(async () => {
  for (const world of worlds) await world.close()
  await database.close()
})

it('a secret is made once, even if the first start found the disk full [OPS-7]', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-secret-'))
  writeFileSync(path.join(folder, 'secret'), '')
  const made = secretIn(folder)
  expect(made).toMatch(/^[\w-]{43}$/)
  expect(secretIn(folder)).toBe(made)
  rmSync(folder, { recursive: true })
})

it('while SECRET changes, a session stays, and moves to the new secret when its token is renewed [OPS-2]', async () => {
  const owner = await before.owner()
  expect(await during.nobody.with(owner.token).call(me, {})).toMatchObject({ id: owner.id })
  expect((await after.nobody.with(owner.token).send(me)).status).toBe(401)
  const { body } = await during.nobody.send(login, { email: owner.email, password: PASSWORD })
  expect(await after.nobody.with(body.token).call(me, {})).toMatchObject({ id: owner.id })
  // An instance that still signs with the old secret and already accepts the new one.
  const early = await open([first, second])
  expect(await early.nobody.with(body.token).call(me, {})).toMatchObject({ id: owner.id })
})

it('while SECRET changes, mailed links, signed addresses, cookies and human checks stay valid [OPS-2]', async () => {
  const guest = await before.guest()
  const to = { customer: guest.user.publicId, consultation: guest.consultation.id }
  const link = new URL(consultLink(before.world, to), 'http://localhost')
  const sent = {
    customer_id: to.customer,
    consult_id: String(to.consultation),
    expires: link.searchParams.get('expires')!,
    signature: link.searchParams.get('signature')!,
  }
  expect(await after.nobody.refusal(loginByLink, sent)).toBe('LINK_WRONG')
  expect((await during.nobody.send(loginByLink, sent)).status).toBe(200)

  const now = before.now()
  const signed = Object.fromEntries(new URLSearchParams(signedQuery(BEFORE, now, 'receipt 1')))
  const opens = (secrets: Secrets) => isSigned(secrets, now, 'receipt 1', signed)
  expect([BEFORE, DURING, AFTER].map(opens)).toEqual([true, true, false])
  expect(isSigned(DURING, now, 'receipt 2', signed)).toBe(false)

  const owner = await before.owner()
  const sessionId = JSON.parse(Buffer.from(owner.token.split('.')[1]!, 'base64url').toString()).sid
  const mark = fileMark(BEFORE, sessionId)
  expect(await viewerOf(during.world, mark)).toMatchObject({ userId: owner.id })
  expect(await viewerOf(after.world, mark)).toBe(null)

  const cookie = withMark(BEFORE, '', 'email a@example.com')
  const isKnown = (secrets: Secrets) => [
    carriesMark(secrets, cookie, 'email a@example.com'),
    countedFor({ actor: null, secrets, browserMark: cookie, address: '10.0.0.1' }) !== '10.0.0.1',
  ]
  expect([BEFORE, DURING, AFTER].map(isKnown)).toEqual([
    [true, true],
    [true, true],
    [false, false],
  ])

  const solution = await solved(before, 'pay')
  await expect(checkHuman(after.world, 'pay', solution)).rejects.toMatchObject({ code: 'HUMAN_CHECK' })
  await checkHuman(during.world, 'pay', solution)
})

it('while SECRET changes, the same purchase gets the same token [OPS-2]', () => {
  const token = newPurchaseToken(BEFORE, 'a key')
  const purchase = { idempotencyKey: 'a key', tokenHash: hashOf(token) }
  expect(purchaseToken(DURING, purchase)).toBe(token)
  const fresh = newPurchaseToken(DURING, 'a key')
  expect(fresh).not.toBe(token)
  expect(purchaseToken(DURING, { ...purchase, tokenHash: hashOf(fresh) })).toBe(fresh)
})

it('while SECRET changes, a second factor is encrypted again, and its app and recovery codes outlive the old secret [OPS-2]', async () => {
  const vet = await before.vet()
  const { key } = await vet.call(startFactor, {})
  const app = (world: TestWorld) => new TOTP({ secret: key }).generate({ timestamp: world.now().getTime() })
  const { recovery_codes: codes } = await vet.call(checkFactor, { code: app(before) })
  await vet.call(turnOnFactor, {})
  const signIn = (world: TestWorld, code: string) =>
    world.nobody.send(login, { email: vet.email, password: PASSWORD, code })
  const stored = async () =>
    (await before.db.select().from(factors).where(eq(factors.userId, vet.id)))[0]!.secret

  expect((await signIn(during, codes[0]!)).status).toBe(200)
  const old = await stored()
  await before.runDue()
  expect(await stored()).toBe(old)
  await during.runDue()
  const anew = await stored()
  expect(anew).not.toBe(old)
  await during.pass({ minutes: 11 })
  expect(await stored()).toBe(anew)

  after.advance({ minutes: 2 })
  expect((await signIn(after, app(after))).status).toBe(200)
  expect((await signIn(after, codes[1]!)).status).toBe(200)
  expect((await signIn(after, codes[1]!)).body.code).toBe('RECOVERY_CODE_WRONG')
})
