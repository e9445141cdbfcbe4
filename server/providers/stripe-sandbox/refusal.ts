/** An error as Stripe answers it. Earlier writes stay. */
export class Refusal extends Error {
  readonly status: number
  readonly error: Record<string, unknown>
  constructor(status: number, code: string | null, message: string, more: Record<string, unknown> = {}) {
    super(message)
    this.status = status
    const type = status === 402 ? 'card_error' : status >= 500 ? 'api_error' : 'invalid_request_error'
    this.error = { type, ...(code && { code }), message, ...more }
  }
}

export const missing = (kind: string, id: string, param = 'id') =>
  new Refusal(404, 'resource_missing', `No such ${kind}: '${id}'`, { param })
