/** What was sent to be paid and has not come to its end. */
export interface InHand<Input> {
  /** Makes every try of it one and the same. */
  key: string
  input: Input
  /** When the button was pressed. */
  at: number
}

export type Place = 'purchase:consult' | 'purchase:join' | 'purchase:upgrade' | 'purchase:pet'

/** It stands in this tab and outlives a reload, so that it can only ever be sent as the same again. */
export const handAt = <Hand>(place: Place) => ({
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
