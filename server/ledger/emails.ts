import { money } from '#contract/regions.ts'
import type { Env, Site } from '../env.ts'
import { greeting, type Letter, type Part } from '../letter.ts'
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

/** What the night's proof of the books found. */
export const booksLetter = (wrong: string[], says: string): Letter => ({
  subject: wrong.length === 0 ? 'The books add up' : `The books do not add up: ${wrong.length} to look at`,
  parts: [says, ...wrong],
})

export const toConsult = (site: Site, id: number): string => `${site.url}/text-chat/${id}`
