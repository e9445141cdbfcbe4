import { pdf } from './documents.ts'
import type { TestWorld } from './world.ts'

/** Sends a claim as a multipart form. */
export async function sendClaim(
  world: TestWorld,
  token: string,
  fields: Record<string, string | number>,
  invoice: Buffer | null = pdf(),
) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head =
    '--B\r\nContent-Disposition: form-data; name="invoice"; filename="../x.pdf"\r\nContent-Type: application/pdf\r\n\r\n'
  const reply = await world.app.inject({
    method: 'POST',
    url: '/api/claims',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=B' },
    payload: Buffer.concat([
      Buffer.from(parts.join('')),
      ...(invoice ? [Buffer.from(head), invoice, Buffer.from('\r\n')] : []),
      Buffer.from('--B--\r\n'),
    ]),
  })
  return { status: reply.statusCode, body: reply.json() }
}
