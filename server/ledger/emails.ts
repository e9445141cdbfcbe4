import { PROMISED_MINUTES } from '#contract/consultations.ts'
import { money } from '#contract/regions.ts'
import type { Env, Site } from '../env.ts'
import { greeting, type Letter, type Part } from '../mail/mail-template.ts'
import type { Disputed } from '../providers/movements.ts'
import type { LedgerLine } from './reads.ts'
import { dayOf, numberOf, sellerIn, taxLine, wordsFor } from './rules.ts'

/** What stands on every receipt. */
const facts = (line: LedgerLine, legal: Env['legalEntities']): Part[] => [
  `${wordsFor(line)}, ${dayOf(line.at, line.region)}.`,
  `${taxLine(line, legal)}. Sold by ${sellerIn(line.region, legal)}.`,
]

export const receiptLetter = (line: LedgerLine, legal: Env['legalEntities'], wayBack: Part[]): Letter => {
  const amount = money(line.amount, line.currency)
  return {
    subject: `Your receipt ${numberOf(line.id)}: ${amount}`,
    parts: [
      greeting(line.firstName ?? ''),
      `Thank you. You paid ${amount} by card.`,
      ...facts(line, legal),
      ...wayBack,
      { quiet: `Receipt number ${numberOf(line.id)}. Please keep this email.` },
    ],
  }
}

const WHY = {
  late: `No vet joined your consult within ${PROMISED_MINUTES} minutes. We’re sorry. You keep your place in the queue, and the consult costs you nothing.`,
  cancelled: 'You left the queue before a vet joined, so you get your money back.',
}

const whyOf = ({ why, reason }: LedgerLine) =>
  why === 'late' || why === 'cancelled' ? WHY[why] : reason && `Reason: ${reason}`

export const refundLetter = (line: LedgerLine, legal: Env['legalEntities'], wayBack: Part[]): Letter => {
  const amount = money(-line.amount, line.currency)
  const why = whyOf(line)
  return {
    subject: `Your refund of ${amount}`,
    parts: [
      greeting(line.firstName ?? ''),
      ...(why ? [why] : []),
      `We’ve refunded ${amount} to the card you paid with. Your bank may take 5 to 10 days to show it.`,
      ...facts(line, legal),
      ...wayBack,
      { quiet: `Refund number ${numberOf(line.id)}, for receipt ${numberOf(line.chargeId!)}.` },
    ],
  }
}

/** Which charge a letter to the books is about. */
const charged = (line: LedgerLine) =>
  `Charge ${numberOf(line.chargeId ?? line.id)}: ${wordsFor(line)}, ${line.email || 'no email'}.`

const OF_DISPUTES = {
  asked: [
    'A bank is asking about a payment of',
    'Nothing has been taken yet. Replying at the provider now may keep it that way.',
  ],
  open: [
    'A payment was disputed:',
    'The bank has taken the money back until this is decided, so none of it can be refunded here in the meantime. Tell the provider what was delivered for it.',
  ],
  won: ['A dispute was won:', 'The money is back, and the ledger says so.'],
  lost: ['A dispute was lost:', 'The money stays with the payer, and there is nothing to refund.'],
}

/** A payer told their bank that a payment was not theirs, or not right. */
export const disputeLetter = (
  line: LedgerLine,
  { id, amount, currency, stands, answerBy }: Disputed,
): Letter => {
  const [subject, says] = OF_DISPUTES[stands]
  const isOpen = stands === 'asked' || stands === 'open'
  const until = isOpen && answerBy ? [`The bank accepts a reply until ${dayOf(answerBy, line.region)}.`] : []
  return {
    subject: `${subject} ${money(amount, currency)}`,
    parts: [says!, ...until, charged(line), { quiet: `Dispute ${id} at the provider.` }],
  }
}

/** A refund that the payer's bank sent back. */
export const refundFailedLetter = (line: LedgerLine): Letter => ({
  subject: `A refund came back: ${money(-line.amount, line.currency)}`,
  parts: [
    `The payer’s bank didn’t accept refund ${numberOf(line.id)} of ${dayOf(line.at, line.region)}, usually because the card has been closed. The money is back with us, and the payer is still waiting for it.`,
    charged(line),
    'An admin can send it again. If the card is closed, ask the payer how else they’d like to get it.',
  ],
})

/** What the night's proof of the books found. */
export const booksLetter = (wrong: string[], says: string): Letter => ({
  subject: wrong.length === 0 ? 'The books add up' : `The books don’t add up: ${wrong.length} to check`,
  parts: [says, ...wrong],
})

export const toConsult = (site: Site, id: number): string => `${site.url}/text-chat/${id}`
