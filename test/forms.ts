import type { FastifyInstance } from 'fastify'

/** Sends a form with files, as a browser does. */
export async function sendForm(
  app: FastifyInstance,
  path: string,
  token: string,
  fields: Record<string, string | File>,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const reply = await app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: reply.statusCode, body: reply.json<{ errors?: string[] }>(), headers: reply.headers }
}
