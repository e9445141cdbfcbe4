import type { FastifyInstance } from 'fastify'

/** Sends a form with files, as a browser does. */
export async function sendForm<Body = object>(
  app: FastifyInstance,
  path: string,
  token: string | undefined,
  fields: Record<string, string | number | Blob>,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' = 'POST',
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    if (value instanceof Blob) form.append(name, value)
    else form.append(name, String(value))
  const sent = new Response(form)
  const reply = await app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': sent.headers.get('content-type')! },
    payload: Buffer.from(await sent.arrayBuffer()),
  })
  type Answer = Body & { errors?: string[]; code?: string; fields?: Record<string, string> }
  return { status: reply.statusCode, body: reply.json<Answer>(), headers: reply.headers }
}

/** A file with this content, and with a name that must not be trusted. */
export const fileOf = (content: Buffer, name = '../x.pdf') => new File([new Uint8Array(content)], name)
