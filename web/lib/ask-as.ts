/** A plain reading call with one token, for scripts that have no room for api.ts. Null if the token is refused. */
export async function askAs<Answer>(path: string, token: string): Promise<Answer | null> {
  const headers = {
    app_module: `vetchat-${document.documentElement.dataset['region']}`,
    authorization: ['Bearer', token].join(' '),
  }
  const answer = await fetch(`/api${path}`, { headers, cache: 'no-store' })
  if (answer.ok) return (await answer.json()) as Answer
  if (answer.status === 401) return null
  throw new Error(`${path}: ${answer.status}`)
}
