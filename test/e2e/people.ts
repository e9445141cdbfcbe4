import { theProduct } from './product.ts'

export const DEMO_PASSWORD = 'Demo1234'
export const emailOf = (who: string) => `${who}@demo.vetchat.example`

/** Opens a new session of a demo account, by default on the shared product. */
export async function tokenOf(who: string, at?: string, password = DEMO_PASSWORD): Promise<string> {
  const url = at ?? (await theProduct()).url
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: emailOf(who), password }),
  })
  const body = (await answer.json()) as { token?: string }
  if (!body.token) throw new Error(`${who} can't sign in: ${JSON.stringify(body)}`)
  return body.token
}

/** A browser's storage, signed in with Remember me. */
export const remembered = (origin: string, token: string) => ({
  cookies: [],
  origins: [
    {
      origin,
      localStorage: [
        { name: 'token', value: token },
        { name: 'vetchat', value: '{"remember":true}' },
      ],
    },
  ],
})
