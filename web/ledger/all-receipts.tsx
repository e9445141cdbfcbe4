import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Output } from '#contract/call.ts'
import { type listReceipts, PAID_FOR } from '#contract/ledger.ts'
import { money } from '#contract/regions.ts'
import { day } from '../lib/dates.ts'
import { ListCard } from '../ui/card.tsx'
import { FirstRows } from '../ui/first-rows.tsx'
import { Icon } from '../ui/icon.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { say } from '../ui/say.ts'
import { LineSkeletons } from '../ui/skeleton.tsx'
import { myReceipts } from './queries.ts'

export function ProfileReceipts() {
  const asked = useQuery(myReceipts)
  const receipts = asked.data
  return (
    <Frame>
      {receipts?.length === 0 ? (
        <p className="px-5 py-5 text-ink-soft lg:px-6">
          {say('No payments yet. Receipts for consults and memberships will appear here.')}
        </p>
      ) : receipts ? (
        <FirstRows items={receipts} count={4}>
          {(receipt) => <Row key={receipt.id} receipt={receipt} />}
        </FirstRows>
      ) : (
        <RowsLoading of={asked} what={say('your receipts')} waits={<ReceiptSkeletons />} />
      )}
    </Frame>
  )
}

function Row({ receipt }: { receipt: Output<typeof listReceipts>[number] }) {
  const { number, at, kind, tax_invoice, amount, currency, paid_for, pet, url } = receipt
  const isBack = kind === 'refund'
  return (
    <li>
      <a
        href={url}
        className="grid min-h-[76px] grid-cols-[minmax(0,1fr)_24px] items-center gap-x-3 py-3 pr-5 pl-5 text-inherit no-underline hover:bg-paper-sunk lg:px-6"
      >
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="grid min-w-[min(100%,9rem)] flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
            <span className="font-medium">{say(PAID_FOR[paid_for], { pet: pet ?? '' })}</span>
            <span className="text-14 text-ink-soft">
              {isBack && <span className="font-semi text-green">{say('Refunded')}</span>}
              {isBack && ', '}
              {tax_invoice ? say('{day}, tax invoice', { day: day(at) }) : day(at)}
            </span>
          </span>
          <span className={`font-semi tabular-nums ${isBack ? 'text-green' : ''}`}>
            {money(amount, currency)}
          </span>
        </span>
        <Icon name="download" size={20} className="text-ink-soft" />
        <span className="sr-only">
          {isBack ? say('Refund {number} as PDF', { number }) : say('Receipt {number} as PDF', { number })}
        </span>
      </a>
    </li>
  )
}

const Frame = ({ children }: { children: ReactNode }) => (
  <ListCard id="receipts" titleId="receipts-title" title={say('Receipts')}>
    {children}
  </ListCard>
)

const ReceiptSkeletons = () => <LineSkeletons firsts={['w-4/5', 'w-3/5']} second="w-2/5" />

export const ProfileReceiptsSkeleton = () => (
  <Frame>
    <ReceiptSkeletons />
  </Frame>
)
