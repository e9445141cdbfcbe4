import { useState } from 'react'
import type { Person, Purchase } from '#contract/people.ts'
import { leftOf } from '#contract/ledger.ts'
import { money } from '#contract/regions.ts'
import { briefDay, dayAndTime } from '../lib/dates.ts'
import { returnedWords } from '../ledger/returned-words.ts'
import { RefundDialog } from '../ledger/refund-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Rows, Section } from '../ui/section.tsx'

const WHY = {
  cancelled: 'cancelled before a vet answered',
  late: 'no vet in time',
  undone: 'the membership couldn’t begin',
  twice: 'paid twice for the same consult',
  by_us: '',
}

const STATES: Record<Purchase['refunds'][number]['state'], string> = {
  done: 'refunded',
  on_its_way: 'on its way back',
  by_hand: 'paid by hand after a refund failed',
  failed: 'refund failed',
}

export function PersonPurchases({ person }: { person: Person }) {
  const { purchases } = person
  const [refunded, refund] = useState<Purchase>()
  return (
    <Section title="Purchases" said={purchases.length > 0 && totals(purchases)}>
      <Rows of={purchases} none="Nothing bought yet.">
        {(one) => <Row key={one.id} purchase={one} onRefund={() => refund(one)} />}
      </Rows>
      {refunded && <RefundDialog entry={refunded} onClose={() => refund(undefined)} />}
    </Section>
  )
}

/** "R2 300 kept, R650 refunded, R450 disputed", for each currency. */
const totals = (purchases: Purchase[]) =>
  [...new Set(purchases.map(({ currency }) => currency))]
    .map((currency) => {
      const paid = purchases.filter((one) => one.currency === currency)
      const sum = (of: (one: Purchase) => number) => paid.reduce((all, one) => all + of(one), 0)
      const back = {
        refunded: sum(({ refunded }) => refunded),
        disputed: sum(({ disputed }) => disputed),
        currency,
      }
      const kept = sum(({ amount }) => amount) - back.refunded - back.disputed
      const said = kept < 0 ? `${money(-kept, currency)} lost` : `${money(kept, currency)} kept`
      return [said, returnedWords(back)].filter(Boolean).join(', ')
    })
    .join('; ')

function Row({ purchase, onRefund }: { purchase: Purchase; onRefund: () => void }) {
  const { id, at, what, amount, currency, disputed, refunds } = purchase
  const left = leftOf(purchase)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 px-5 py-3 sm:grid-cols-[minmax(0,1fr)_6rem_6.5rem]">
      <div className="leading-snug">
        <p className="font-semi">{what}</p>
        <p className="text-14 text-ink-soft tabular-nums">
          {dayAndTime(at)}. <span className="whitespace-nowrap">Receipt VC-{id}</span>
        </p>
        {refunds.map(({ amount: back, at: when, by, why, state }) => (
          <p key={when} className={`text-14 tabular-nums ${by ? 'text-amber-soft-ink' : 'text-ink-soft'}`}>
            {money(back, currency)} {STATES[state]} {briefDay(when)}
            {by
              ? `${state === 'failed' || state === 'by_hand' ? ', sent' : ''} by ${by}`
              : ` automatically: ${WHY[why]}`}
          </p>
        ))}
        {disputed > 0 && (
          <p className="text-14 text-amber-soft-ink tabular-nums">
            {money(disputed, currency)} taken back by their bank after a dispute
          </p>
        )}
      </div>
      <p className="text-right font-semi tabular-nums">{money(amount, currency)}</p>
      <div className="justify-self-end max-sm:col-span-2">
        {left > 0 ? (
          <Button
            size={36}
            aria-label={`Refund ${what}, VC-${id}, ${money(left, currency)}`}
            onClick={onRefund}
          >
            Refund
          </Button>
        ) : (
          <span className="text-14 text-ink-soft">Nothing left</span>
        )}
      </div>
    </li>
  )
}
