import { answerTabs, askTabs } from '../lib/other-tabs.ts'
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
export const answerOtherTabs = () => answerTabs(CHANNEL, kept)

export const askOtherTabs = () => askTabs<SentConsult>(CHANNEL, ANSWER_MS)
