const PATIENCE_MS = 5000

/** Hands a count on. Nobody waits for it, and what does not arrive is lost. */
export async function handOn(url: string, count: object): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(count),
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: 'error',
  })
  await answer.body?.cancel()
}
