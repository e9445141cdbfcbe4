/**
 * What was sent to be paid and has not come to its end. It stands in this tab and outlives a reload, so that it can only
 * ever be sent as the same again.
 */
export const handAt = <Hand>(place: `purchase:${string}`) => ({
  inHand(): Hand | undefined {
    try {
      return (JSON.parse(sessionStorage.getItem(place) ?? 'null') as Hand | null) ?? undefined
    } catch {
      return undefined
    }
  },
  keep(hand: Hand | undefined) {
    try {
      if (hand) sessionStorage.setItem(place, JSON.stringify(hand))
      else sessionStorage.removeItem(place)
    } catch {
      // Storage is full or refused: this page still holds it.
    }
  },
})
