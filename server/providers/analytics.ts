const PATIENCE_MS = 5000

/** Sends a count. We don't wait for it, and a failed one is lost. */
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
