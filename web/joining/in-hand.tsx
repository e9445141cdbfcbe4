import type { JoinInput, UpgradeInput } from './joining-typed.tsx'

/** What was sent and has not come to its end. It can only ever be sent as the same again. */
export interface InHand {
  /** Makes every try of it one and the same. */
  key: string
  /** Who is new is asked for the password again: it is never kept. */
  input: JoinInput | UpgradeInput
  /** In words. */
  pays: string
  /** When the button was pressed. */
  at: number
}

export const isJoin = (input: InHand['input']): input is JoinInput => 'email' in input

/** Of who joins, and of who has an account. */
export type Place = 'purchase:join' | 'purchase:upgrade'

export function inHand(place: Place): InHand | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(place) ?? 'null') as InHand | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Kept from before it is sent until its answer has come. */
export function keep(place: Place, hand: InHand | undefined) {
  try {
    if (hand) sessionStorage.setItem(place, JSON.stringify(hand))
    else sessionStorage.removeItem(place)
  } catch {
    // Storage is full or refused: this page still holds it.
  }
}
