export interface CardHandle {
  /**
   * A token that stands for the card. Rejects like a call, so that a form can show it. If a field already shows what is
   * wrong, the refusal has no words, and that field has the focus.
   */
  token: () => Promise<string>
  /** Shows beside each field what is wrong, without moving the focus. */
  judge: () => void
}

/** What is wrong with a part of the card, and how to get to it. */
export interface CardTrouble {
  name: string
  message: string
  focus: () => void
}
export type OnCardTrouble = (wrong: CardTrouble[]) => void
