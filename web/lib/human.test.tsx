import { beforeEach, expect, it } from 'vitest'
import { challengeOf } from '#test/samples.ts'
import { answerCalls } from '../test/visit.tsx'
import { solveHuman } from './api.ts'

beforeEach(() => void (document.documentElement.dataset.region = 'za'))

/** The server gives this challenge. Everything else is real. */
async function given(counter: number) {
  const challenge = await challengeOf(counter)
  return { challenge, asked: answerCalls(() => challenge) }
}

it('a challenge is requested for its action and solved the way the server checks it [JOI-6]', async () => {
  for (const counter of [0, 1, 4321]) {
    const { challenge, asked } = await given(counter)
    const solution = JSON.parse(atob(await solveHuman('subscribe_annually'))) as object
    expect(asked).toEqual([['/human?action=subscribe_annually', undefined]])
    const derivedKey = expect.stringMatching(new RegExp(`^${challenge.parameters.keyPrefix}[0-9a-f]{32}$`))
    expect(solution).toEqual({ challenge, solution: { counter, derivedKey } })
  }
})

it('the page stays responsive while the browser solves it', async () => {
  await given(250_000)
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  await solveHuman('pay')
  clearInterval(timer)
  // If the page itself had solved it, the timer would never have run.
  expect(turns).toBeGreaterThan(3)
})

it('solving stops straight away when it is cancelled', async () => {
  await given(250_000)
  const wanted = new AbortController()
  const solving = solveHuman('pay', wanted.signal)
  setTimeout(() => wanted.abort(), 5)
  await expect(solving).rejects.toMatchObject({ name: 'AbortError' })
  const stop = AbortSignal.abort()
  await expect(solveHuman('pay', stop)).rejects.toMatchObject({ name: 'AbortError' })
})

it('a challenge without a solution fails instead of running for ever', async () => {
  await given(250_001)
  await expect(solveHuman('pay')).rejects.toThrow('no solution')
})
