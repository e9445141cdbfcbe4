const AWAY =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|UND_ERR_(SOCKET|\w+_TIMEOUT))$/

/**
 * Whether another machine is away, so that the same request may work later. One with a wrong certificate or another
 * protocol is there, and only a person can put that right. A name that nobody knows counts as away, because a stopped
 * container has none.
 */
export const isAway = (error: unknown): boolean =>
  error instanceof Error && (AWAY.test((error as NodeJS.ErrnoException).code ?? '') || isAway(error.cause))
