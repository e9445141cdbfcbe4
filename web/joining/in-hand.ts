import { handAt } from '../purchases/in-hand.ts'
import type { JoinInput, UpgradeInput } from './joining-typed.ts'

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

export const inHand = (place: Place) => handAt<InHand>(place).inHand()

/** Kept from before it is sent until its answer has come. */
export const keep = (place: Place, hand: InHand | undefined) => handAt<InHand>(place).keep(hand)
