/** An error as Stripe returns it. Earlier writes stay. */
export class Refusal extends Error {
  readonly status: number
  readonly error: Record<string, unknown>
  constructor(status: number, code: string | null, message: string, more: Record<string, unknown> = {}) {
    super(message)
    this.status = status
    this.error = { type: typeOf(status), ...(code && { code }), message, ...more }
  }
}

function typeOf(status: number) {
  if (status === 402) return 'card_error'
  return status >= 500 ? 'api_error' : 'invalid_request_error'
}

type Details = { code?: string; param?: string; payment_intent?: object }

export const invalid = (message: string, { code, ...more }: Details = {}) =>
  new Refusal(400, code ?? null, message, more)

export const missing = (kind: string, id: string, param = 'id') =>
  new Refusal(404, 'resource_missing', `No such ${kind}: '${id}'`, { param })
