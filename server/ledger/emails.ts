import { PROMISED_MINUTES } from '#contract/consultations.ts'
import * as lengths from '#contract/lengths.ts'
import { money } from '#contract/regions.ts'
import { dayOf } from '../documents/date-words.ts'
import { greeting, type Letter, type Part } from '../mail/mail-template.ts'
import { nameForMail } from '../mail/name-for-mail.ts'
import type { Disputed } from '../providers/money-movements.ts'
import type { LedgerEntry } from './reads.ts'
import {
  numberOf,
  reachLines,
  receiptName,
  refundName,
  type Seller,
  sellerIn,
  sellerOf,
  type SoldBy,
  taxLine,
  wordsFor,
} from './rules.ts'

/** Every receipt has these. */
function facts(entry: LedgerEntry, seller: SoldBy): Part {
  // First and last name. A receipt needs them whole.
  const payer = nameForMail(entry.payer ?? '', 2 * lengths.name + 1)
  return {
    title: wordsFor({ ...entry, pet: nameForMail(entry.pet ?? '') }),
    says: [
      dayOf(entry.at, entry.region),
      ...(payer ? [`Paid by ${payer}`] : []),
      taxLine(entry, seller),
      `Sold by ${sellerIn(entry.region, seller)}`,
    ].join('\n'),
  }
}

export const receiptLetter = (entry: LedgerEntry, here: Seller, wayBack: Part[]): Letter => {
  const amount = money(entry.amount, entry.currency)
  const seller = sellerOf(entry, here)
  const name = receiptName(seller)
  return {
    subject: `Your ${name.toLowerCase()} ${numberOf(entry.id)}: ${amount}`,
    parts: [
      greeting(entry.firstName ?? ''),
      `Thank you. You paid ${amount} by card.`,
      facts(entry, seller),
      ...wayBack,
      ...reachLines(entry.region, here),
      { quiet: `${name} number ${numberOf(entry.id)}. Please keep this email.` },
    ],
  }
}

const WHY = {
  late: `No vet joined your consult within ${PROMISED_MINUTES} minutes. We’re sorry. You keep your place in the queue, and the consult costs you nothing.`,
  cancelled: 'You left the queue before a vet answered, so you get your money back.',
  undone:
    'An account with this email was created while your payment was being processed, so we couldn’t start the membership.',
  twice:
    'You paid for the same consult twice at the same moment, so you get this payment back. The link to the consult is in the receipt of the other payment.',
}

const whyOf = ({ why, reason }: LedgerEntry) =>
  why && why !== 'by_us' ? WHY[why] : reason && `Reason: ${reason}`

export const refundLetter = (entry: LedgerEntry, here: Seller, wayBack: Part[]): Letter => {
  const amount = money(-entry.amount, entry.currency)
  const seller = sellerOf(entry, here)
  const why = whyOf(entry)
  return {
    subject: `Your refund of ${amount}`,
    parts: [
      greeting(entry.firstName ?? ''),
      ...(why ? [why] : []),
      `We’ve refunded ${amount} to the card you paid with. Your bank may take 5 to 10 days to show it.`,
      facts(entry, seller),
      ...wayBack,
      ...reachLines(entry.region, here),
      {
        quiet: `${refundName(entry.region, seller)} number ${numberOf(entry.id)}, for ${receiptName(seller).toLowerCase()} ${numberOf(entry.chargeId!)}.`,
      },
    ],
  }
}

/** Describes the charge that a mail to the ledger's keeper is about. */
const charged = (entry: LedgerEntry) =>
  `Charge ${numberOf(entry.chargeId ?? entry.id)}: ${wordsFor(entry)}, ${entry.email || 'no email'}.`

const OF_DISPUTES: Record<Disputed['stands'], [subject: string, says: string]> = {
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

const OF_MEMBERSHIPS: Partial<Record<Disputed['stands'], string>> = {
  open: 'The membership runs to the end of its period and isn’t renewed.',
  won: 'The member can restart the membership while it runs.',
  lost: 'The membership ends now, unless a later payment has paid for it.',
}

/** A payer told their bank that they did not make a payment, or did not get what they paid for. */
export const disputeLetter = (
  entry: LedgerEntry,
  { id, amount, currency, stands, needsAnswer, answerBy }: Disputed,
  refunded: number,
): Letter => {
  const [subject, says] = OF_DISPUTES[stands]
  const isOpen = stands === 'asked' || stands === 'open'
  const until =
    needsAnswer && answerBy ? [`The bank accepts a reply until ${dayOf(answerBy, entry.region)}.`] : []
  const before =
    isOpen && refunded > 0
      ? [`We had already refunded ${money(refunded, currency)} of this payment. Tell the provider that too.`]
      : []
  const follows = entry.membership !== null && OF_MEMBERSHIPS[stands]
  return {
    subject: `${subject} ${money(amount, currency)}`,
    parts: [
      says,
      ...before,
      ...until,
      ...(follows ? [entry.membershipEndedAt ? 'The membership has already ended.' : follows] : []),
      charged(entry),
      { quiet: `Dispute ${id} at the provider.` },
    ],
  }
}

export const refundFailedLetter = (entry: LedgerEntry): Letter => ({
  subject: `A refund came back: ${money(-entry.amount, entry.currency)}`,
  parts: [
    `The payer’s bank didn’t accept refund ${numberOf(entry.id)} of ${dayOf(entry.at, entry.region)}, usually because the card has been closed. The money is back with us, and the payer is still waiting for it.`,
    charged(entry),
    'An admin can send it again. If the card is closed, ask the payer how else they’d like to get it.',
  ],
})

export const ledgerCheckLetter = ({ says, wrong }: { says: string; wrong: string[] }): Letter => ({
  subject: wrong.length === 0 ? 'The ledger adds up' : `The ledger doesn’t add up: ${wrong.length} to check`,
  parts: [says, ...wrong],
})
