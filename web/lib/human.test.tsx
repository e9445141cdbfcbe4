import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { solveHuman } from './human.ts'

beforeEach(() => void (document.documentElement.dataset.region = 'za'))
afterEach(() => vi.unstubAllGlobals())

/** As the browser's own digest says it. */
async function hexOf(text: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The server gives this challenge; nothing else is stood in for. */
async function given(
  number: number,
  { salt = '0123456789abcdef01234567?action=pay&expires=1&', most = 250_000 } = {},
) {
  const challenge = {
    algorithm: 'SHA-256',
    challenge: await hexOf(salt + number),
    maxnumber: most,
    salt,
    signature: 'signed',
  }
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return new Response(JSON.stringify(challenge))
  })
  return { challenge, asked }
}
const unpacked = (solution: string) => JSON.parse(atob(solution)) as { number: number; took: number }

it('a challenge is asked for by its action and solved as the server checks it [JOI-6]', async () => {
  const { challenge, asked } = await given(4321)
  const solution = unpacked(await solveHuman('subscribe_annually'))
  expect(asked).toEqual(['/api/human?action=subscribe_annually'])
  expect(solution).toEqual({ ...challenge, number: 4321, took: expect.any(Number) })
})

it('a salt of any length is hashed as the browser itself does it', async () => {
  for (const length of [1, 50, 51, 54, 55, 56, 63, 64, 65, 110, 119, 120, 130]) {
    await given(1207, { salt: 'x'.repeat(length), most: 1300 })
    expect(unpacked(await solveHuman('pay')).number, `${length}`).toBe(1207)
  }
})

it('the page stays quick while it is solved', async () => {
  await given(250_000)
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  const { took } = unpacked(await solveHuman('pay'))
  clearInterval(timer)
  // Solved on the page itself, the timer would have stood still for all of it.
  expect(longest).toBeLessThan(took)
})

it('is given up at once when it is no longer wanted', async () => {
  await given(-1, { most: 2_000_000_000 })
  const wanted = new AbortController()
  const solving = solveHuman('pay', wanted.signal)
  setTimeout(() => wanted.abort(), 30)
  await expect(solving).rejects.toMatchObject({ name: 'AbortError' })
  const stop = AbortSignal.abort()
  await expect(solveHuman('pay', stop)).rejects.toMatchObject({ name: 'AbortError' })
})

it('a challenge without a solution is a failure, not a wait without end', async () => {
  await given(-1, { most: 500 })
  await expect(solveHuman('pay')).rejects.toThrow('no solution')
})
