import { HUMAN_ATTEMPTS, type HumanAction, type HumanChallenge } from '#contract/human.ts'

/** Solves a challenge in a worker, so that the page stays fast. Returns what is sent as userConfirmation. */
export async function solve(challenge: HumanChallenge, signal?: AbortSignal): Promise<string> {
  signal?.throwIfAborted()
  const solution = await search(challenge.parameters, signal)
  return btoa(JSON.stringify({ challenge, solution }))
}

/** Asks for a challenge and solves it, for islands, which have no room for api.ts. */
export async function solveAlone(action: HumanAction, signal?: AbortSignal): Promise<string> {
  const answer = await fetch(`/api/human?action=${action}`, { cache: 'no-store', signal })
  return solve((await answer.json()) as HumanChallenge, signal)
}

interface Solution {
  counter: number
  derivedKey: string
}

function search(
  { salt, nonce, keyPrefix }: HumanChallenge['parameters'],
  signal: AbortSignal | undefined,
): Promise<Solution> {
  const worker = new Worker(new URL('./human-worker.ts', import.meta.url), { type: 'module' })
  return new Promise<Solution>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Solution | null>) =>
      data === null ? reject(new Error('The challenge has no solution')) : resolve(data),
    )
    worker.addEventListener('error', () => reject(new Error('The worker did not start')))
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.postMessage({ message: salt + nonce, keyPrefix, most: HUMAN_ATTEMPTS })
  }).finally(() => worker.terminate())
}
