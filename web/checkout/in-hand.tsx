import type { PayInput } from './purchase-typed.tsx'

/** What was sent and has not come to its end. It can only ever be sent as the same again. */
export interface InHand {
  /** Makes every try of it one and the same. */
  key: string
  input: PayInput
  /** When the button was pressed. */
  at: number
  paid?: { purchase: string; customer_id: string }
}

const PLACE = 'purchase:consult'
const CHANNEL = 'vetchat:purchase'
/** How long other tabs have to say that one of them is buying. */
const ANSWER_MS = 250

export function inHand(): InHand | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(PLACE) ?? 'null') as InHand | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Kept from before it is sent until the consult is there. */
export function keep(hand: InHand | undefined) {
  try {
    if (hand) sessionStorage.setItem(PLACE, JSON.stringify(hand))
    else sessionStorage.removeItem(PLACE)
  } catch {
    // Storage is full or refused: this page still holds it.
  }
}

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
