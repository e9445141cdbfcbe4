export interface CardHandle {
  /**
   * What stands for the card from here on. Refuses like a call, for a form to show; where a field has said what is
   * wrong, the refusal has no words and the field has the focus.
   */
  token: () => Promise<string>
  /** Says beside each field what is wrong, and leaves the focus where it is. */
  judge: () => void
}

/** What is wrong with a part of the card, and how to get to it. */
export interface CardTrouble {
  name: string
  message: string
  focus: () => void
}
export type OnCardTrouble = (wrong: CardTrouble[]) => void
