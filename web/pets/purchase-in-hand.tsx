import type { Purchase } from './queries.ts'

const PLACE = 'purchase:pet'

/** What was sent and never answered. It outlives a reload, so that it can only ever be sent as the same again. */
export function unanswered(): Purchase | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(PLACE) ?? 'null') as Purchase | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Kept from before it is sent until its answer has come. */
export function keep(purchase: Purchase | undefined) {
  try {
    if (purchase) sessionStorage.setItem(PLACE, JSON.stringify(purchase))
    else sessionStorage.removeItem(PLACE)
  } catch {
    // Storage is full or refused: this page still holds it.
  }
}
