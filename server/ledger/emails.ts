import { money } from '#contract/regions.ts'
import type { Env, Site } from '../env.ts'
import { greeting, type Letter, type Part } from '../mail/mail-template.ts'
import type { Disputed } from '../providers/payments-books.ts'
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
  late: 'No vet joined your consult within 15 minutes. We are sorry. You keep your place in the line, and the consult costs you nothing.',
  cancelled: 'You left the line before a vet had joined, so you get your money back.',
}

const whyOf = ({ why, reason }: LedgerLine) =>
  why === 'late' || why === 'cancelled' ? WHY[why] : reason && `Why: ${reason}`

export const refundLetter = (line: LedgerLine, legal: Env['legalEntities'], wayBack: Part[]): Letter => {
  const amount = money(-line.amount, line.currency)
  const why = whyOf(line)
  return {
    subject: `${amount} goes back to you`,
    parts: [
      greeting(line.firstName ?? ''),
      ...(why ? [why] : []),
      `We paid ${amount} back to the card that paid. Banks take 5 to 10 days to show it.`,
      ...facts(line, legal),
      ...wayBack,
      { quiet: `Refund number ${numberOf(line.id)}, of receipt ${numberOf(line.chargeId!)}.` },
    ],
  }
}

/** Which charge a letter to the books is about. */
const charged = (line: LedgerLine) =>
  `It is about charge ${numberOf(line.chargeId ?? line.id)}: ${wordsFor(line)}, ${line.email || 'no email'}.`

const OF_DISPUTES = {
  asked: [
    'A bank asks about a payment of',
    'Nothing was taken yet. An answer at the provider now may keep it so.',
  ],
  open: [
    'A payment was disputed:',
    'The bank took the money back until this is decided, so nothing of it can be paid back here meanwhile. Say at the provider what was given for it.',
  ],
  won: ['A dispute was won:', 'The money is back, and the ledger says so.'],
  lost: ['A dispute was lost:', 'The money stays with the payer, and there is nothing to pay back.'],
}

/** A payer told their bank that a payment was not theirs, or not right. */
export const disputeLetter = (
  line: LedgerLine,
  { id, amount, currency, stands, answerBy }: Disputed,
): Letter => {
  const [subject, says] = OF_DISPUTES[stands]
  const isOpen = stands === 'asked' || stands === 'open'
  const until = isOpen && answerBy ? [`The bank takes an answer until ${dayOf(answerBy, line.region)}.`] : []
  return {
    subject: `${subject} ${money(amount, currency)}`,
    parts: [says!, ...until, charged(line), { quiet: `The dispute is ${id} at the provider.` }],
  }
}

/** A refund that the payer's bank sent back. */
export const refundFailedLetter = (line: LedgerLine): Letter => ({
  subject: `A refund came back: ${money(-line.amount, line.currency)}`,
  parts: [
    `The payer's bank did not take refund ${numberOf(line.id)} of ${dayOf(line.at, line.region)}; mostly the card is closed. The money is with us again, and the payer still waits for it.`,
    charged(line),
    'An admin can send it again. Where the card is closed, ask the payer how else it may come.',
  ],
})

/** What the night's proof of the books found. */
export const booksLetter = (wrong: string[], says: string): Letter => ({
  subject: wrong.length === 0 ? 'The books add up' : `The books do not add up: ${wrong.length} to look at`,
  parts: [says, ...wrong],
})

export const toConsult = (site: Site, id: number): string => `${site.url}/text-chat/${id}`
