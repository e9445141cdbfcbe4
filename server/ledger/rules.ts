import { PAID_FOR, type PaidFor } from '#contract/ledger.ts'
import { money, REGIONS, type Currency, type Region } from '#contract/regions.ts'
import { CONSULT_TYPES, PROMISED_MINUTES } from '#contract/consultations.ts'
import { HOUR } from '#contract/time.ts'
import type { Env } from '../env.ts'
import { dayOf } from '../documents/date-words.ts'
import type { PdfDocument, PdfPart } from '../documents/pdf.ts'
import type { Secrets } from '../identity/secrets.ts'
import { signedQuery } from '../identity/signed-links.ts'

export type EntryKind = 'charge' | 'refund' | 'refund_failed' | 'dispute' | 'dispute_won'

/** Added to the provider's id of a refund or dispute, for the entry that reverses it. */
export const FAILED = ' failed'
export const WON = ' won'

/** The state of a purchase whose membership could not begin. It should have been refunded straight away. */
export const TO_NOBODY = 'delivered to nobody'

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
  /** Null once the account is deleted. */
  payer: string | null
  seller: SoldBy | null
  /** Of a refund: what caused it, and an admin's words. */
  why: 'cancelled' | 'late' | 'undone' | 'twice' | 'by_us' | null
  reason: string | null
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

/** Who sells, and how a payer reaches them. */
export type Seller = Pick<Env, 'legalEntities' | 'taxNumbers' | 'support'>

/** What a receipt says of its seller and their tax. */
export interface SoldBy {
  name: string | null
  taxNumber: string | null
  taxPercent: number
}

export const soldBy = (region: Region, { legalEntities, taxNumbers }: Omit<Seller, 'support'>): SoldBy => ({
  name: legalEntities[region] ?? null,
  taxNumber: taxNumbers[region] ?? null,
  taxPercent: REGIONS[region].tax.percent,
})

/** As it was when the money came in. */
export const sellerOf = (
  { seller, region }: Pick<EntryFacts, 'seller' | 'region'>,
  now: Omit<Seller, 'support'>,
) => seller ?? soldBy(region, now)

/** The tax included in an amount, to the cent. We state it only for a configured seller, and never make up numbers. */
export function taxLine({ amount, region, currency }: EntryFacts, { name, taxPercent }: SoldBy): string {
  const included = `${REGIONS[region].tax.name} ${taxPercent}% included`
  const tax = Math.round((Math.abs(amount) * taxPercent) / (100 + taxPercent))
  return name === null ? included : `${included}: ${money(tax, currency)}`
}

export const sellerIn = (region: Region, { name, taxNumber }: SoldBy): string =>
  [name ?? 'VetChat', ...(taxNumber === null ? [] : [`${REGIONS[region].tax.number} ${taxNumber}`])].join(
    ', ',
  )

/** Only a seller with a tax number may call its receipts tax invoices. */
export const sendsTaxInvoices = ({ taxNumber }: SoldBy): boolean => taxNumber !== null

export const receiptName = (seller: SoldBy) => (sendsTaxInvoices(seller) ? 'Tax invoice' : 'Receipt')

/** The law has a name for the refund of a tax invoice. */
export const refundName = (region: Region, seller: SoldBy) =>
  sendsTaxInvoices(seller) ? REGIONS[region].tax.refund : 'Refund'

const CAUSES = {
  late: `No vet joined within ${PROMISED_MINUTES} minutes`,
  cancelled: 'Cancelled before a vet answered',
  undone: 'The membership couldn’t start',
  twice: 'Paid twice for the same consult',
}

const causeOf = ({ why, reason }: EntryFacts) => (why && why !== 'by_us' ? CAUSES[why] : reason)

const onOneLine = (number: string) => number.replaceAll(' ', '\u00A0')

/** How a person can reach us, as far as that's configured: one line, or none. */
export function reachLines(region: Region, { support }: Pick<Seller, 'support'>): string[] {
  const ways = [
    support.phone[region] && `call ${onOneLine(support.phone[region])}`,
    support.whatsapp[region] && `WhatsApp ${onOneLine(support.whatsapp[region])}`,
    support.email[region] && `write to ${support.email[region]}`,
  ].filter((way) => way !== undefined)
  if (ways.length === 0) return []
  const last = ways.slice(-2).join(' or ')
  return [`If you have a question about this, ${[...ways.slice(0, -2), last].join(', ')}.`]
}

/** The PDF of a receipt, the same bytes each time. */
export function receiptPdf(entry: EntryFacts, here: Seller): PdfDocument {
  const { id, at, kind, amount, currency, region, chargeId, payer } = entry
  const isRefund = kind !== 'charge'
  const seller = sellerOf(entry, here)
  const name = receiptName(seller)
  const cause = causeOf(entry)
  const table = [
    ...(isRefund ? [{ name: 'Refund of', value: `${name} ${numberOf(chargeId!)}` }] : []),
    { name: 'Date', value: dayOf(at, region) },
    { name: 'For', value: wordsFor(entry) },
    { name: isRefund ? 'Refunded' : 'Paid', value: money(Math.abs(amount), currency), strong: true },
    { name: 'Tax', value: taxLine(entry, seller) },
    ...(cause ? [{ name: 'Reason', value: cause }] : []),
    ...(payer ? [{ name: isRefund ? 'Refunded to' : 'Paid by', value: payer }] : []),
    { name: isRefund ? 'Refunded by' : 'Paid to', value: seller.name ?? 'VetChat' },
    ...(seller.taxNumber ? [{ name: REGIONS[region].tax.number, value: seller.taxNumber }] : []),
  ]
  const parts: PdfPart[] = [
    { table },
    {
      text: isRefund
        ? 'Refunded to the card you paid with. Your bank may take 5 to 10 days to show it.'
        : 'Paid by card. Thank you.',
      small: true,
    },
    ...reachLines(region, here).map((text) => ({ text, small: true })),
  ]
  return {
    title: `${isRefund ? refundName(region, seller) : name} ${numberOf(id)}`,
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

/** Pauses grow to an hour at most. */
export const againAfter = (attempts: number) => Math.min(HOUR, 15 * SECOND * 2 ** Math.min(attempts, 10))
