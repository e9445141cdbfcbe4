import { handAt } from '../purchases/in-hand.ts'
import type { PayInput } from './purchase-typed.ts'

export interface InHand {
  /** Makes every try of it one and the same. */
  key: string
  input: PayInput
  /** When the button was pressed. */
  at: number
  paid?: { purchase: string; customer_id: string }
}

const CHANNEL = 'vetchat:purchase'
/** How long other tabs have to say that one of them is buying. */
const ANSWER_MS = 250

/** Kept from before it is sent until the consult is there. */
export const { inHand, keep } = handAt<InHand>('purchase:consult')

/** Tells other tabs what this one has in hand, so that nobody pays for the same worry twice. */
export function answerOtherTabs() {
  const tabs = new BroadcastChannel(CHANNEL)
  tabs.addEventListener('message', ({ data }) => {
    const hand = data === 'anyone?' && inHand()
    if (hand) tabs.postMessage(hand)
  })
  return () => tabs.close()
}

export const askOtherTabs = () =>
  new Promise<InHand | undefined>((resolve) => {
    const asking = new BroadcastChannel(CHANNEL)
    const end = (hand?: InHand) => {
      clearTimeout(timer)
      asking.close()
      resolve(hand)
    }
    const timer = setTimeout(end, ANSWER_MS)
    asking.addEventListener('message', ({ data }) => data !== 'anyone?' && end(data as InHand))
    asking.postMessage('anyone?')
  })
