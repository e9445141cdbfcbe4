/** The status and the first sentence of a refused request. */
export const refusal = ({ status, body }: { status: number; body: { errors?: string[] } }) => [
  status,
  body.errors?.[0],
]
