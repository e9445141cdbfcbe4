import { type HumanAction, humanChallenge } from '#contract/human.ts'
import { api } from './api.ts'

/**
 * Shows the server that a person is there: asks for a challenge and solves it beside the page, which stays quick.
 * Answers what is sent as userConfirmation. It is good for this action, once: after HUMAN_CHECK solve another.
 */
export async function solveHuman(action: HumanAction, signal?: AbortSignal): Promise<string> {
  const challenge = await api(humanChallenge, { action }, { ...(signal && { signal }) })
  signal?.throwIfAborted()
  const began = performance.now()
  const number = await search(challenge, signal)
  const took = Math.round(performance.now() - began)
  return btoa(JSON.stringify({ ...challenge, number, took }))
}

function search(
  { salt, challenge, maxnumber: most }: { salt: string; challenge: string; maxnumber: number },
  signal: AbortSignal | undefined,
): Promise<number> {
  const worker = new Worker(new URL('./human-worker.ts', import.meta.url), { type: 'module' })
  const over = new AbortController()
  return new Promise<number>((resolve, reject) => {
    const once = { signal: over.signal }
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<number | null>) =>
        data === null ? reject(new Error('The challenge has no solution')) : resolve(data),
      once,
    )
    worker.addEventListener('error', () => reject(new Error('The worker did not start')), once)
    signal?.addEventListener('abort', () => reject(signal.reason), once)
    worker.postMessage({ salt, challenge, most })
  }).finally(() => {
    over.abort()
    worker.terminate()
  })
}
