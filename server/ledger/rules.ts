import { money, REGIONS, type Currency, type Region } from '#contract/regions.ts'
import type { Env } from '../env.ts'
import type { PdfPart } from '../documents/pdf.ts'
import type { Movement } from '../providers/movements.ts'
import { signedQuery } from '../identity/signed-links.ts'

export type LineKind = 'charge' | 'refund' | 'refund_failed' | 'dispute' | 'dispute_won'

/** Behind the provider's name of a refund or a dispute, the name of what came back to us of it. */
export const FAILED = ' failed'
export const WON = ' won'

/** A row of the ledger with what a person needs to know what it was for. */
export interface Line {
  id: number
  at: Date
  kind: LineKind
  amount: number
  currency: Currency
  region: Region
  what: 'consult' | 'membership' | 'renewal'
  chargeId: number | null
  plan: 'annual' | 'monthly' | null
  type: 1 | 2 | 3 | null
  pet: string | null
}

/** The number of a receipt. */
export const numberOf = (id: number) => `VC-${id}`

const PLANS = { annual: 'yearly', monthly: 'monthly' }

/** What was paid for, in a few words. */
export function wordsFor({ what, plan, type, pet }: Pick<Line, 'what' | 'plan' | 'type' | 'pet'>): string {
  const membership = plan ? `${PLANS[plan]} membership` : 'membership'
  if (what === 'renewal') return `Renewal of the ${membership}`
  if (what === 'membership') return `${membership.charAt(0).toUpperCase()}${membership.slice(1)}`
  return `${type === 2 ? 'Video' : 'Text'} consult ${pet ? `about ${pet}` : 'with a vet'}`
}

export const dayOf = (at: Date, region: Region) =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: REGIONS[region].timeZone,
  }).format(at)

/** The part of a price that is tax, to the cent. */
function taxIn(amount: number, region: Region): number {
  const { percent } = REGIONS[region].tax
  return Math.round((amount * percent) / (100 + percent))
}

/** The line about tax. What it comes to is said by a seller who says who they are; numbers are never made up. */
export function taxLine({ amount, region, currency }: Line, legal: Env['legalEntities']): string {
  const { name, percent } = REGIONS[region].tax
  const included = `${name} ${percent}% included`
  return legal[region] ? `${included}: ${money(taxIn(Math.abs(amount), region), currency)}` : included
}

export const sellerIn = (region: Region, legal: Env['legalEntities']) => legal[region] ?? 'VetChat'

/** The paper of a receipt. Asked for again it is the same. */
export function receiptPaper(line: Line, legal: Env['legalEntities']) {
  const { id, at, kind, amount, currency, region, chargeId } = line
  const isRefund = kind !== 'charge'
  const table = [
    { name: 'Number', value: numberOf(id) },
    ...(isRefund ? [{ name: 'Refund of', value: `Receipt ${numberOf(chargeId!)}` }] : []),
    { name: 'Date', value: dayOf(at, region) },
    { name: 'For', value: wordsFor(line) },
    { name: isRefund ? 'Refunded' : 'Paid', value: money(Math.abs(amount), currency), strong: true },
    { name: 'Tax', value: taxLine(line, legal) },
    { name: isRefund ? 'Refunded by' : 'Paid to', value: sellerIn(region, legal) },
  ]
  const parts: PdfPart[] = [
    { table },
    {
      text: isRefund
        ? 'The money goes back to the card you paid with. Your bank may take 5 to 10 days to show it.'
        : 'Paid by card. Thank you.',
      small: true,
    },
  ]
  return {
    title: `${isRefund ? 'Refund' : 'Receipt'} ${numberOf(id)}`,
    from: 'VetChat',
    foot: legal[region] ?? 'VetChat',
    lang: REGIONS[region].lang,
    parts,
  }
}

/** What the signature of a receipt's address is over. */
export const signedReceipt = (id: number) => `receipt ${id}`

export const receiptUrl = (secret: Uint8Array, now: Date, id: number) =>
  `/media/receipts/${numberOf(id)}.pdf?${signedQuery(secret, now, signedReceipt(id))}`

const SECOND = 1000
const LONGEST = 3_600_000

/** Later each time, up to an hour. */
export const againAfter = (attempts: number) => Math.min(LONGEST, 15 * SECOND * 2 ** Math.min(attempts, 10))

/* The books. */

export interface Books {
  purchases: {
    id: number
    state: string
    amount: number
    currency: Currency
    paidAt: Date | null
    charged: { amount: number; currency: Currency } | null
  }[]
  lines: {
    id: number
    kind: LineKind
    amount: number
    currency: Currency
    stripeId: string
    at: Date
    state: string | null
    /** What went back of a charge. */
    back: number
    /** Cancelled, or late, before a vet had joined: then it goes back. */
    owedSince: Date | null
    /** It bought something of its own: a purchase or a membership's period. */
    renews: boolean
  }[]
  refunds: {
    id: number
    chargeId: number
    amount: number
    createdAt: Date
    dueAt: Date | null
    doneAt: Date | null
    failedAt: Date | null
    /** After it failed. */
    isSentAgain: boolean
    /** What the ledger has of it, as a positive amount. */
    booked: number | null
  }[]
}

/** Where a membership stands that was paid for and could not begin: it goes back by itself, at once. */
export const TO_NOBODY = 'delivered to nobody'

/** So long a purchase or a refund may be under way before it does not add up. */
const UNDER_WAY = 3_600_000
const DAY = 86_400_000

interface Told {
  /** The provider's movements of the span and of some days before, since we may hear of one late. */
  moved: Movement[]
  /** Those of them that the ledger has. */
  known: Set<string>
}

const NAMES: Record<LineKind, string> = {
  charge: 'Charge',
  refund: 'Refund',
  refund_failed: 'Failed refund',
  dispute: 'Dispute',
  dispute_won: 'Won dispute',
}

/** What the ledger ought to have, by the names that it has there. */
function movesByName(moved: Movement[]) {
  const moves = new Map<string, { kind: LineKind; amount: number; currency: Currency }>()
  for (const one of moved) {
    const { id, amount, currency } = one
    if (one.kind === 'dispute' && one.stands === 'asked') continue
    moves.set(id, one)
    if (one.kind === 'refund' && one.failed)
      moves.set(id + FAILED, { kind: 'refund_failed', amount, currency })
    if (one.kind === 'dispute' && one.stands === 'won')
      moves.set(id + WON, { kind: 'dispute_won', amount, currency })
  }
  return moves
}

/** Whether the ledger lacks something of it. A refund that failed before anybody heard of it moved nothing. */
export function isUnheard(one: Movement, known: Set<string>): boolean {
  const { id } = one
  if (one.kind === 'refund' && one.failed) return known.has(id) && !known.has(id + FAILED)
  if (one.kind === 'dispute' && one.stands === 'asked') return false
  const cameBack = one.kind === 'dispute' && one.stands === 'won'
  return !known.has(id) || (cameBack && !known.has(id + WON))
}

/** Everything in the books from a time on that does not add up, in words. */
export function whatIsWrong(
  { purchases, lines, refunds }: Books,
  { moved, known }: Told,
  from: Date,
  now: Date,
): string[] {
  const wrong: string[] = []
  const isOld = (at: Date | null, age = UNDER_WAY) => at !== null && now.getTime() - at.getTime() > age
  for (const { id, state, amount, currency, paidAt, charged } of purchases) {
    const paid = `Purchase ${id} was paid (${money(amount, currency)})`
    if (charged === null) wrong.push(`${paid} and has no charge in the ledger`)
    else if (charged.amount !== amount || charged.currency !== currency)
      wrong.push(`${paid}, but its charge is ${money(charged.amount, charged.currency)}`)
    if (state === 'paid' && isOld(paidAt)) wrong.push(`${paid} and was neither delivered nor refunded`)
  }
  const moves = movesByName(moved)
  for (const line of lines) {
    const name = `${NAMES[line.kind]} ${numberOf(line.id)}`
    if (line.kind === 'charge') {
      if (line.back > line.amount)
        wrong.push(
          `${name} was refunded more than was charged: ${money(line.back, line.currency)} of ${money(line.amount, line.currency)}`,
        )
      const isServed = line.state === 'delivered' || line.renews
      const isUnderWay = line.state === 'paid' || (line.state === TO_NOBODY && !isOld(line.at))
      if (!isServed && !isUnderWay && line.back < line.amount)
        wrong.push(`${name} has nothing delivered for it: its purchase is ${line.state ?? 'missing'}`)
      if (isOld(line.owedSince) && line.back < line.amount)
        wrong.push(`${name} has been due a refund since ${line.owedSince!.toISOString()}`)
    }
    const move = moves.get(line.stripeId)
    const amount = Math.abs(line.amount)
    if (!move) wrong.push(`${name} is unknown to the provider (${line.stripeId})`)
    else if (move.kind !== line.kind || move.amount !== amount || move.currency !== line.currency)
      wrong.push(
        `${name} is ${money(amount, line.currency)} here, but ${money(move.amount, move.currency)} at the provider`,
      )
  }
  for (const { id, amount, createdAt, dueAt, doneAt, failedAt, isSentAgain, booked } of refunds) {
    const name = `Refund request ${id}`
    if (failedAt !== null) {
      if (!isSentAgain) wrong.push(`${name} failed at the payer’s bank and hasn’t been sent again`)
    } else if (doneAt === null && dueAt === null) wrong.push(`${name} was refused by the provider`)
    else if (doneAt === null && isOld(createdAt, DAY)) wrong.push(`${name} has been under way for over a day`)
    else if (doneAt !== null && booked !== amount) wrong.push(`${name} doesn’t match what is in the ledger`)
  }
  const asked = new Map<number, string>()
  for (const one of moved) {
    const { id, at, kind, amount, currency } = one
    const what = kind === 'charge' ? 'payment' : kind
    const name = `The ${what} ${id}`
    // What failed or was won since may be older than the span.
    const isLate = known.has(id) || (at >= from && isOld(at))
    if (isLate && isUnheard(one, known))
      wrong.push(
        known.has(id)
          ? `${name} of ${money(amount, currency)} came back, but the ledger doesn’t show it`
          : `${name} of ${money(amount, currency)} is not in the ledger`,
      )
    const row = kind === 'refund' && !one.failed ? one.row : null
    if (row === null) continue
    if (asked.has(row)) wrong.push(`${name} refunds again what ${asked.get(row)} already refunded`)
    asked.set(row, id)
  }
  return wrong
}
