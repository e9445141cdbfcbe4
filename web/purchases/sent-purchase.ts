import { keepInTab, keptInTab } from '../ui/tab-storage.ts'

/** A purchase that was sent and isn't finished. */
export interface SentPurchase<Input> {
  /** The idempotency key: however often it is sent, it is charged once. */
  key: string
  input: Input
  /** When the button was pressed. */
  at: number
}

export type Place = 'purchase:consult' | 'purchase:join' | 'purchase:upgrade' | 'purchase:pet'

/** Stored in the tab's session storage, so a reload sends the same purchase again rather than a second one. */
export const keptAt = <Sent>(place: Place) => ({
  kept: () => keptInTab<Sent>(place),
  /** If storage is full, the page's memory still has it. */
  keep: (sent: Sent | undefined) => void keepInTab(place, sent ? JSON.stringify(sent) : null),
})
