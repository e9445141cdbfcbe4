import { PAID_FOR, type PaidFor } from '#contract/ledger.ts'
import { money, REGIONS, type Currency, type Region } from '#contract/regions.ts'
import { CONSULT_TYPES } from '#contract/consultations.ts'
import { DAY } from '#contract/time.ts'
import type { Env } from '../env.ts'
import type { PdfDocument, PdfPart } from '../documents/pdf.ts'
import type { Movement } from '../providers/movements.ts'
import type { Secrets } from '../identity/secrets.ts'
import { signedQuery } from '../identity/signed-links.ts'

export type EntryKind = 'charge' | 'refund' | 'refund_failed' | 'dispute' | 'dispute_won'

/** Added to the provider's id of a refund or dispute, for the entry that reverses it. */
export const FAILED = ' failed'
export const WON = ' won'

/** A ledger entry with what people need to know about it. */
export interface EntryFacts {
  id: number
  at: Date
  kind: EntryKind
  amount: number
  currency: Currency
  region: Region
  what: 'consult' | 'membership' | 'renewal'
  chargeId: number | null
  plan: 'annual' | 'monthly' | null
  type: 1 | 2 | 3 | null
  pet: string | null
}

export const numberOf = (id: number) => `VC-${id}`

export function paidFor({
  what,
  plan,
  type,
  pet,
}: Pick<EntryFacts, 'what' | 'plan' | 'type' | 'pet'>): PaidFor {
  if (what === 'renewal') return plan ? `${plan}Renewal` : 'renewal'
  if (what === 'membership') return plan ?? 'membership'
  if (pet) return type === CONSULT_TYPES.video ? 'videoConsult' : 'textConsult'
  return type === CONSULT_TYPES.video ? 'someVideoConsult' : 'someTextConsult'
}

/** The same in English. */
export const wordsFor = (entry: Pick<EntryFacts, 'what' | 'plan' | 'type' | 'pet'>): string =>
  PAID_FOR[paidFor(entry)].replace('{pet}', () => entry.pet ?? '')

export const dayOf = (at: Date, region: Region) =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: REGIONS[region].timeZone,
  }).format(at)

/** Who sells, and how a payer reaches them. */
export type Seller = Pick<Env, 'legalEntities' | 'support'>

/** The tax included in a price, to the cent. */
function taxIn(amount: number, region: Region): number {
  const { percent } = REGIONS[region].tax
  return Math.round((amount * percent) / (100 + percent))
}

/** We state the amount of tax only for a configured seller, and never make up numbers. */
export function taxLine({ amount, region, currency }: EntryFacts, seller: Seller): string {
  const { name, percent } = REGIONS[region].tax
  const included = `${name} ${percent}% included`
  return seller.legalEntities[region]
    ? `${included}: ${money(taxIn(Math.abs(amount), region), currency)}`
    : included
}

export const sellerIn = (region: Region, seller: Seller) => seller.legalEntities[region] ?? 'VetChat'

/** How a person can reach us, as far as that's configured: one line, or none. */
export function reachLines(region: Region, { support }: Pick<Seller, 'support'>): string[] {
  const ways = [
    support.phone[region] && `call ${support.phone[region]}`,
    support.whatsapp[region] && `WhatsApp ${support.whatsapp[region]}`,
    support.email[region] && `write to ${support.email[region]}`,
  ].filter((way) => way !== undefined)
  if (ways.length === 0) return []
  const last = ways.slice(-2).join(' or ')
  return [`If you have a question about this, ${[...ways.slice(0, -2), last].join(', ')}.`]
}

/** The PDF of a receipt, the same bytes each time. */
export function receiptPdf(entry: EntryFacts, seller: Seller): PdfDocument {
  const { id, at, kind, amount, currency, region, chargeId } = entry
  const isRefund = kind !== 'charge'
  const table = [
    ...(isRefund ? [{ name: 'Refund of', value: `Receipt ${numberOf(chargeId!)}` }] : []),
    { name: 'Date', value: dayOf(at, region) },
    { name: 'For', value: wordsFor(entry) },
    { name: isRefund ? 'Refunded' : 'Paid', value: money(Math.abs(amount), currency), strong: true },
    { name: 'Tax', value: taxLine(entry, seller) },
    { name: isRefund ? 'Refunded by' : 'Paid to', value: sellerIn(region, seller) },
  ]
  const parts: PdfPart[] = [
    { table },
    {
      text: isRefund
        ? 'Refunded to the card you paid with. Your bank may take 5 to 10 days to show it.'
        : 'Paid by card. Thank you.',
      small: true,
    },
    ...reachLines(region, seller).map((text) => ({ text, small: true })),
  ]
  return {
    title: `${isRefund ? 'Refund' : 'Receipt'} ${numberOf(id)}`,
    from: 'VetChat',
    foot: sellerIn(region, seller),
    lang: REGIONS[region].lang,
    at,
    parts,
  }
}

export const signedReceipt = (id: number) => `receipt ${id}`

export const receiptUrl = (secrets: Secrets, now: Date, id: number) =>
  `/media/receipts/${numberOf(id)}.pdf?${signedQuery(secrets, now, signedReceipt(id))}`

const SECOND = 1000
const LONGEST = 3_600_000

/** Pauses grow to an hour at most. */
export const againAfter = (attempts: number) => Math.min(LONGEST, 15 * SECOND * 2 ** Math.min(attempts, 10))

/* The ledger check. */

export interface LedgerSpan {
  purchases: {
    id: number
    state: string
    amount: number
    currency: Currency
    paidAt: Date | null
    charged: { amount: number; currency: Currency } | null
  }[]
  entries: {
    id: number
    kind: EntryKind
    amount: number
    currency: Currency
    stripeId: string
    at: Date
    state: string | null
    /** How much of a charge has been refunded. */
    back: number
    /** When a refund became due: the owner left, or the consult was late, before a vet joined. */
    owedSince: Date | null
    /** It paid for another period of a membership. */
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
    /** It failed, and its money went another way. */
    isSettled: boolean
    /** The refund's amount in the ledger, as a positive number. */
    recorded: number | null
  }[]
}

/** The state of a purchase whose membership could not begin. It should have been refunded straight away. */
export const TO_NOBODY = 'delivered to nobody'

/** A purchase or refund may take this long before we report it. */
const UNDER_WAY = 3_600_000

interface ProviderMovements {
  /** The provider's movements of the span and of some days before, since we may learn of one late. */
  moved: Movement[]
  /** The ids of those that the ledger has. */
  known: Set<string>
}

const NAMES: Record<EntryKind, string> = {
  charge: 'Charge',
  refund: 'Refund',
  refund_failed: 'Failed refund',
  dispute: 'Dispute',
  dispute_won: 'Won dispute',
}

/** What the ledger should have, by the ids of its entries. */
function movesByName(moved: Movement[]) {
  const moves = new Map<string, { kind: EntryKind; amount: number; currency: Currency }>()
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

/** Whether the ledger lacks this movement. A refund that failed before we recorded it moved no money. */
export function isMissing(one: Movement, known: Set<string>): boolean {
  const { id } = one
  if (one.kind === 'refund' && one.failed) return known.has(id) && !known.has(id + FAILED)
  if (one.kind === 'dispute' && one.stands === 'asked') return false
  const cameBack = one.kind === 'dispute' && one.stands === 'won'
  return !known.has(id) || (cameBack && !known.has(id + WON))
}

/** Describes every mismatch since a moment. */
export function mismatches(
  { purchases, entries, refunds }: LedgerSpan,
  { moved, known }: ProviderMovements,
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
  for (const entry of entries) {
    const name = `${NAMES[entry.kind]} ${numberOf(entry.id)}`
    if (entry.kind === 'charge') {
      if (entry.back > entry.amount)
        wrong.push(
          `${name} was refunded more than was charged: ${money(entry.back, entry.currency)} of ${money(entry.amount, entry.currency)}`,
        )
      const isServed = entry.state === 'delivered' || entry.renews
      const isUnderWay = entry.state === 'paid' || (entry.state === TO_NOBODY && !isOld(entry.at))
      if (!isServed && !isUnderWay && entry.back < entry.amount)
        wrong.push(`${name} has nothing delivered for it: its purchase is ${entry.state ?? 'missing'}`)
      if (isOld(entry.owedSince) && entry.back < entry.amount)
        wrong.push(`${name} has been due a refund since ${entry.owedSince!.toISOString()}`)
    }
    const move = moves.get(entry.stripeId)
    const amount = Math.abs(entry.amount)
    if (!move) wrong.push(`${name} is unknown to the provider (${entry.stripeId})`)
    else if (move.kind !== entry.kind || move.amount !== amount || move.currency !== entry.currency)
      wrong.push(
        `${name} is ${money(amount, entry.currency)} here, but ${money(move.amount, move.currency)} at the provider`,
      )
  }
  for (const { id, amount, createdAt, dueAt, doneAt, failedAt, isSettled, recorded } of refunds) {
    const name = `Refund request ${id}`
    if (doneAt !== null) {
      if (recorded !== amount) wrong.push(`${name} doesn’t match what is in the ledger`)
    } else if (dueAt !== null) {
      if (isOld(createdAt, DAY)) wrong.push(`${name} has been under way for over a day`)
    } else if (!isSettled)
      wrong.push(
        failedAt === null
          ? `${name} was refused by the provider`
          : `${name} failed at the payer’s bank and hasn’t been sent again`,
      )
  }
  const asked = new Map<number, string>()
  for (const one of moved) {
    const { id, at, kind, amount, currency } = one
    const what = kind === 'charge' ? 'payment' : kind
    const name = `The ${what} ${id}`
    // A failure or a won dispute may be reported long after its payment.
    const isLate = known.has(id) || (at >= from && isOld(at))
    if (isLate && isMissing(one, known))
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
