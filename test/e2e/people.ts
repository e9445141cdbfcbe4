import { theProduct } from './product.ts'

export const DEMO_PASSWORD = 'Demo1234'
export const emailOf = (who: string) => `${who}@demo.vetchat.example`

/** Makes a call, and says what was refused. */
export async function callAt<Answer>(
  url: string,
  path: string,
  body?: object,
  token?: string,
  method = body ? 'POST' : 'GET',
): Promise<Answer> {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

/** Opens a new session of a demo account, by default on the shared product. */
export async function tokenOf(who: string, at?: string, password = DEMO_PASSWORD): Promise<string> {
  const url = at ?? (await theProduct()).url
  const person = { email: emailOf(who), password, remember: true }
  return (await callAt<{ token: string }>(url, '/login', person)).token
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

/** Starts a consult about this owner's first pet. */
export async function consultAt(url: string, owner: string, pet_issue: string, type: 1 | 2 = 1) {
  const [pet] = await callAt<{ id: number; name: string }[]>(url, '/pet', undefined, owner)
  const asked = { pet_id: pet!.id, pet_issue, type, agreed: true, terms: '1' }
  const { consultation } = await callAt<{ consultation: { id: number } }>(url, '/consultation', asked, owner)
  return { id: consultation.id, pet: pet!.name }
}
