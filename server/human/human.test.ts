import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/sha'
import { lte } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { HUMAN_ACTIONS, HUMAN_MINUTES, humanChallenge, joiningAction } from '#contract/human.ts'
import { spent } from '#server/db/schema.ts'
import { solutionOf } from '#test/joining.ts'
import { createWorld } from '#test/world.ts'
import { checkHuman, newChallenge } from '../identity/human-check.ts'

const world = await createWorld()

const pack = (solution: object | string) => Buffer.from(JSON.stringify(solution)).toString('base64')

async function solved(plan: Parameters<typeof joiningAction>[0] = 'annual') {
  const challenge = await world.nobody.call(humanChallenge, { action: joiningAction(plan) })
  return { challenge, solution: solutionOf(challenge) }
}
const check = (solution: object, action = joiningAction('annual')) =>
  checkHuman(world.world, action, pack(solution)).then(
    () => 'passed',
    (error: { code: string }) => error.code,
  )

it('the check that a person is there is an ALTCHA challenge for each known action, to anyone [JOI-6]', async () => {
  for (const action of HUMAN_ACTIONS) {
    const challenge = await world.nobody.call(humanChallenge, { action })
    expect(challenge).toEqual({
      parameters: {
        algorithm: 'SHA-256',
        cost: 1,
        data: { action },
        expiresAt: expect.any(Number),
        keyLength: 32,
        keyPrefix: expect.stringMatching(/^[0-9a-f]{32}$/),
        nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
        salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  }
  expect((await world.nobody.send(humanChallenge, { action: 'subscribe_weekly' })).status).toBe(400)
  expect((await world.nobody.send(humanChallenge)).status).toBe(400)
})

it("the check that a person is there is passed by what ALTCHA's own solver finds [JOI-6]", async () => {
  const challenge = await world.nobody.call(humanChallenge, { action: 'pay' })
  const solution = await solveChallenge({ challenge, deriveKey })
  expect(await check({ challenge, solution }, 'pay')).toBe('passed')
})

it('the check that a person is there lets one through of two people who send the same solution at the same time [JOI-6]', async () => {
  const solution = await solved()
  const ends = await Promise.all(Array.from({ length: 10 }, () => check(solution)))
  expect(ends.filter((end) => end === 'passed')).toHaveLength(1)
})

it('the check that a person is there is not passed for another action, nor with changed parameters [JOI-6]', async () => {
  const own = await solved()
  expect(await check(own, 'pay')).toBe('HUMAN_CHECK')
  const { signature, parameters } = own.challenge
  for (const change of [
    { data: { action: 'pay' as const } },
    { expiresAt: parameters.expiresAt + 9999 },
    { keyPrefix: own.solution.derivedKey.slice(0, 2) },
    { nonce: parameters.salt, salt: parameters.nonce },
  ]) {
    const forged = { parameters: { ...parameters, ...change }, signature }
    expect(await check({ ...own, challenge: forged }, forged.parameters.data.action)).toBe('HUMAN_CHECK')
  }
  expect(await check(own)).toBe('passed')
})

it("the check that a person is there is not passed by another counter, a signature that isn't ours, or none [JOI-6]", async () => {
  const own = await solved()
  const { challenge, solution } = own
  const secret = new TextEncoder().encode('x'.repeat(32))
  const foreign = await newChallenge([secret], 'subscribe_annually', new Date(4e12))
  const answers = [
    { counter: solution.counter + 1 },
    { counter: String(solution.counter) },
    { counter: solution.counter + 2 ** 32 },
    { counter: -1 },
    { counter: null },
    { derivedKey: solution.derivedKey.toUpperCase() },
    { derivedKey: solution.derivedKey.slice(0, 32) },
    { derivedKey: '' },
  ].map((change) => ({ challenge, solution: { ...solution, ...change } }))
  const challenges = [
    { signature: challenge.signature.replace(/^./, (c) => (c === 'a' ? 'b' : 'a')) },
    { signature: '' },
    { signature: undefined },
    { signature: [challenge.signature] },
    { parameters: { ...challenge.parameters, algorithm: 'SHA-1' } },
    { parameters: { ...challenge.parameters, salt: 'odd' } },
    { parameters: null },
  ].map((change) => ({ challenge: { ...challenge, ...change }, solution }))
  for (const wrong of [
    ...answers,
    ...challenges,
    { challenge: foreign, solution: solutionOf(foreign) },
    { challenge },
    {},
    [],
  ])
    expect(await check(wrong), JSON.stringify(wrong)).toBe('HUMAN_CHECK')
  for (const nothing of ['', undefined, 'no base64 ?', pack('text'), 'bnVsbA=='])
    await expect(checkHuman(world.world, 'subscribe_annually', nothing)).rejects.toMatchObject({
      code: 'HUMAN_CHECK',
    })
  expect(await check(own)).toBe('passed')
})

it('the check that a person is there can be passed within twenty minutes, and is deleted a week later [JOI-6]', async () => {
  const [early, late] = [await solved(), await solved()]
  world.advance({ minutes: HUMAN_MINUTES - 1 })
  expect(await check(early)).toBe('passed')
  world.advance({ minutes: 2 })
  expect(await check(late)).toBe('HUMAN_CHECK')
  expect(await check(early)).toBe('HUMAN_CHECK')
  await world.pass({ days: 8 })
  // The nightly check of the ledger spends a token too, which is kept longer.
  expect(await world.db.select().from(spent).where(lte(spent.forgetAt, world.now()))).toEqual([])
  expect(await check(early)).toBe('HUMAN_CHECK')
})
