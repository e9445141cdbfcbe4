import { handAt, type InHand } from '../purchases/in-hand.ts'
import type { PayInput } from './purchase-rules.ts'

export interface ConsultInHand extends InHand<PayInput> {
  paid?: { purchase: string; customer_id: string }
}

const { inHand, keep } = handAt<ConsultInHand>('purchase:consult')
export { keep }

const CHANNEL = 'vetchat:purchase'
/** How long we wait for another tab to say that it is buying. */
const ANSWER_MS = 250

/** Tells other tabs about this tab's unfinished purchase, so the buyer doesn't pay for it twice. */
export function answerOtherTabs() {
  const tabs = new BroadcastChannel(CHANNEL)
  tabs.addEventListener('message', ({ data }) => {
    const hand = data === 'anyone?' && inHand()
    if (hand) tabs.postMessage(hand)
  })
  return () => tabs.close()
}

export const askOtherTabs = () =>
  new Promise<ConsultInHand | undefined>((resolve) => {
    const asking = new BroadcastChannel(CHANNEL)
    const end = (hand?: ConsultInHand) => {
      clearTimeout(timer)
      asking.close()
      resolve(hand)
    }
    const timer = setTimeout(end, ANSWER_MS)
    asking.addEventListener('message', ({ data }) => data !== 'anyone?' && end(data as ConsultInHand))
    asking.postMessage('anyone?')
  })
