import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Output } from '#contract/call.ts'
import { HUMAN_ACTIONS, HUMAN_MINUTES, humanChallenge, joiningAction } from '#contract/human.ts'
import { spent } from '#server/db/schema.ts'
import { createWorld, type TestWorld } from '#test/world.ts'
import { newChallenge } from './rules.ts'
import { checkHuman } from './writes.ts'

let world: TestWorld
beforeAll(async () => void (world = await createWorld()))
afterAll(() => world.close())

type Challenge = Output<typeof humanChallenge>
const hexOf = (text: string) => createHash('sha256').update(text).digest('hex')

function solve({ salt, challenge, maxnumber }: Challenge): number {
  for (let number = 0; number <= maxnumber; number++) if (hexOf(salt + number) === challenge) return number
  throw new Error('There is no solution')
}
const pack = (solution: object) => Buffer.from(JSON.stringify(solution)).toString('base64')

async function solved(action: Parameters<typeof joiningAction>[0] = 'annual') {
  const challenge = await world.nobody.call(humanChallenge, { action: joiningAction(action) })
  return { ...challenge, number: solve(challenge), took: 12 }
}
const check = (solution: object, action = joiningAction('annual')) =>
  checkHuman(world.world, action, pack(solution)).then(
    () => 'passed',
    (error: { code: string }) => error.code,
  )

describe('the check that a person is there', () => {
  it('is a challenge of the first ALTCHA shape for each known action, to anyone [JOI-6]', async () => {
    for (const action of HUMAN_ACTIONS) {
      const challenge = await world.nobody.call(humanChallenge, { action })
      expect(challenge).toEqual({
        algorithm: 'SHA-256',
        challenge: expect.stringMatching(/^[0-9a-f]{64}$/),
        maxnumber: expect.any(Number),
        salt: expect.stringContaining(`action=${action}&`),
        signature: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
    }
    expect((await world.nobody.send(humanChallenge, { action: 'subscribe_weekly' })).status).toBe(400)
    expect((await world.nobody.send(humanChallenge)).status).toBe(400)
  })

  it('is passed by its solution, once [JOI-6]', async () => {
    const solution = await solved()
    expect(await check(solution)).toBe('passed')
    expect(await check(solution)).toBe('HUMAN_CHECK')
    const { took: _took, ...written } = solution
    expect(await check({ ...written, salt: written.salt })).toBe('HUMAN_CHECK')
    expect(await check(await solved('monthly'), 'subscribe_monthly')).toBe('passed')
  })

  it('of two who send one solution at once lets one through [JOI-6]', async () => {
    const solution = await solved()
    const ends = await Promise.all(Array.from({ length: 10 }, () => check(solution)))
    expect(ends.filter((end) => end === 'passed')).toHaveLength(1)
  })

  it('is not passed for another action, nor by an action that was written over it [JOI-6]', async () => {
    const solution = await solved()
    expect(await check(solution, 'pay')).toBe('HUMAN_CHECK')
    const salt = solution.salt.replace('subscribe_annually', 'pay')
    expect(await check({ ...solution, salt }, 'pay')).toBe('HUMAN_CHECK')
    const forged = { ...solution, salt, challenge: hexOf(salt + solution.number) }
    expect(await check(forged, 'pay')).toBe('HUMAN_CHECK')
    expect(await check(solution)).toBe('passed')
  })

  it('is not passed with an end that was moved, in the salt or by digits of the number [JOI-6]', async () => {
    const solution = await solved()
    const late = solution.salt.replace(
      /expires=(\d+)/,
      (_, seconds: string) => `expires=${Number(seconds) + 9999}`,
    )
    expect(await check({ ...solution, salt: late })).toBe('HUMAN_CHECK')
    expect(await check({ ...solution, salt: late, challenge: hexOf(late + solution.number) })).toBe(
      'HUMAN_CHECK',
    )
    const digits = String(solution.number)
    const moved = { salt: solution.salt + digits.slice(0, 1), number: Number(digits.slice(1)) }
    expect(hexOf(moved.salt + digits.slice(1))).toBe(solution.challenge)
    expect(await check({ ...solution, ...moved })).toBe('HUMAN_CHECK')
    expect(await check({ ...solution, salt: solution.salt.replace(/&$/, '') })).toBe('HUMAN_CHECK')
  })

  it('is not passed by another number, a signature that is not ours, or none [JOI-6]', async () => {
    const solution = await solved()
    const other = newChallenge(new TextEncoder().encode('x'.repeat(32)), 'subscribe_annually', new Date(4e12))
    for (const wrong of [
      { ...solution, number: solution.number + 1 },
      { ...solution, number: String(solution.number) },
      { ...solution, number: -1 },
      { ...solution, number: null },
      { ...solution, algorithm: 'SHA-1' },
      { ...solution, signature: solution.signature.replace(/^./, (c) => (c === 'a' ? 'b' : 'a')) },
      { ...solution, signature: '' },
      { ...solution, signature: undefined },
      { ...solution, challenge: [solution.challenge] },
      { ...solution, salt: '' },
      { ...other, number: solve(other) },
      {},
      [],
    ])
      expect(await check(wrong), JSON.stringify(wrong)).toBe('HUMAN_CHECK')
    for (const nothing of ['', null, undefined, 'no base64 ?', pack('text' as never), 'bnVsbA=='])
      await expect(checkHuman(world.world, 'subscribe_annually', nothing)).rejects.toMatchObject({
        code: 'HUMAN_CHECK',
      })
    expect(await check(solution)).toBe('passed')
  })

  it('is passed within twenty minutes, after which nothing of it is kept [JOI-6]', async () => {
    const [early, late] = [await solved(), await solved()]
    world.advance({ minutes: HUMAN_MINUTES - 1 })
    expect(await check(early)).toBe('passed')
    world.advance({ minutes: 2 })
    expect(await check(late)).toBe('HUMAN_CHECK')
    expect(await check(early)).toBe('HUMAN_CHECK')
    world.advance({ minutes: 61 })
    await world.runDue()
    expect(await world.db.select().from(spent)).toEqual([])
    expect(await check(early)).toBe('HUMAN_CHECK')
  })
})
