import { money, type Currency } from '#contract/regions.ts'
import { DAY, HOUR } from '#contract/time.ts'
import type { Movement } from '../providers/money-movements.ts'
import type { ledgerSpan } from './reads.ts'
import { FAILED, numberOf, TO_NOBODY, WON, type EntryKind } from './rules.ts'

type LedgerSpan = Awaited<ReturnType<typeof ledgerSpan>>

/** A purchase or refund may take this long before we report it. */
const UNDER_WAY = HOUR

type LedgerEntry = LedgerSpan['entries'][number]

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

type IsOld = (at: Date | null, age?: number) => boolean

/** Describes every mismatch since a moment. */
export function mismatches(
  { purchases, entries, refunds }: LedgerSpan,
  provider: ProviderMovements,
  from: Date,
  now: Date,
): string[] {
  const isOld: IsOld = (at, age = UNDER_WAY) => at !== null && now.getTime() - at.getTime() > age
  const moves = movesByName(provider.moved)
  return [
    ...purchases.flatMap((purchase) => wrongWithPurchase(purchase, isOld)),
    ...entries.flatMap((entry) => [...wrongWithEntry(entry, isOld), ...wrongBeside(entry, moves)]),
    ...refunds.flatMap((refund) => wrongWithRefund(refund, isOld)),
    ...wrongAtProvider(provider, (at) => at >= from && isOld(at)),
  ]
}

function wrongWithPurchase(
  { id, state, amount, currency, paidAt, charged }: LedgerSpan['purchases'][number],
  isOld: IsOld,
): string[] {
  const wrong: string[] = []
  const paid = `Purchase ${id} was paid (${money(amount, currency)})`
  if (charged === null) wrong.push(`${paid} and has no charge in the ledger`)
  else if (charged.amount !== amount || charged.currency !== currency)
    wrong.push(`${paid}, but its charge is ${money(charged.amount, charged.currency)}`)
  if (state === 'paid' && isOld(paidAt)) wrong.push(`${paid} and was neither delivered nor refunded`)
  return wrong
}

const nameOf = ({ kind, id }: LedgerEntry) => `${NAMES[kind]} ${numberOf(id)}`

/** A charge against what was delivered for it and what was refunded of it. */
function wrongWithEntry(entry: LedgerEntry, isOld: IsOld): string[] {
  if (entry.kind !== 'charge') return []
  const wrong: string[] = []
  const name = nameOf(entry)
  const { amount, back, currency, state, owedSince } = entry
  if (back > amount)
    wrong.push(
      `${name} was refunded or disputed for more than was charged: ${money(back, currency)} of ${money(amount, currency)}`,
    )
  const isServed = state === 'delivered' || entry.renews
  const isUndone = state === TO_NOBODY || state === 'refunded'
  const isUnderWay = state === 'paid' || (isUndone && !isOld(entry.at))
  if (!isServed && !isUnderWay && back < amount)
    wrong.push(`${name} has nothing delivered for it: its purchase is ${state ?? 'missing'}`)
  if (isOld(owedSince) && back < amount)
    wrong.push(`${name} has been due a refund since ${owedSince.toISOString()}`)
  return wrong
}

/** An entry beside the provider's movement of its name. */
function wrongBeside(entry: LedgerEntry, moves: ReturnType<typeof movesByName>): string[] {
  const { kind, currency, stripeId } = entry
  const move = moves.get(stripeId)
  const amount = Math.abs(entry.amount)
  if (!move) return [`${nameOf(entry)} is unknown to the provider (${stripeId})`]
  if (move.kind === kind && move.amount === amount && move.currency === currency) return []
  return [
    `${nameOf(entry)} is ${money(amount, currency)} here, but ${money(move.amount, move.currency)} at the provider`,
  ]
}

function wrongWithRefund(
  { id, amount, createdAt, dueAt, doneAt, failedAt, isSettled, recorded }: LedgerSpan['refunds'][number],
  isOld: IsOld,
): string[] {
  const name = `Refund request ${id}`
  if (doneAt !== null) return recorded === amount ? [] : [`${name} doesn’t match what is in the ledger`]
  if (dueAt !== null) return isOld(createdAt, DAY) ? [`${name} has been under way for over a day`] : []
  if (isSettled) return []
  return failedAt === null
    ? [`${name} was refused by the provider`]
    : [`${name} failed at the payer’s bank and hasn’t been sent again`]
}

/** What the provider has and we haven't, and what was refunded twice. */
function wrongAtProvider({ moved, known }: ProviderMovements, isDue: (at: Date) => boolean): string[] {
  const wrong: string[] = []
  const asked = new Map<number, string>()
  for (const one of moved) {
    const { id, at, kind, amount, currency } = one
    const name = `The ${kind === 'charge' ? 'payment' : kind} ${id}`
    // A failure or a won dispute may be reported long after its payment.
    if ((known.has(id) || isDue(at)) && isMissing(one, known))
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
