import { keptAt, type SentPurchase } from '../purchases/sent-purchase.ts'
import type { PayInput } from './purchase-rules.ts'

export interface SentConsult extends SentPurchase<PayInput> {
  paid?: { purchase: string; customer_id: string }
}

const { kept, keep } = keptAt<SentConsult>('purchase:consult')
export { keep }

const CHANNEL = 'vetchat:purchase'
/** How long we wait for another tab to say that it is buying. */
const ANSWER_MS = 250

/** Tells other tabs about this tab's unfinished purchase, so the buyer doesn't pay for it twice. */
export function answerOtherTabs() {
  const tabs = new BroadcastChannel(CHANNEL)
  tabs.addEventListener('message', ({ data }) => {
    const sent = data === 'anyone?' && kept()
    if (sent) tabs.postMessage(sent)
  })
  return () => tabs.close()
}

export const askOtherTabs = () =>
  new Promise<SentConsult | undefined>((resolve) => {
    const asking = new BroadcastChannel(CHANNEL)
    const end = (sent?: SentConsult) => {
      clearTimeout(timer)
      asking.close()
      resolve(sent)
    }
    const timer = setTimeout(end, ANSWER_MS)
    asking.addEventListener('message', ({ data }) => data !== 'anyone?' && end(data as SentConsult))
    asking.postMessage('anyone?')
  })
