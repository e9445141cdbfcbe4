import { useState } from 'react'
import type { Vet } from '#contract/vets.ts'
import { dayAndTime } from '../lib/dates.ts'
import { VetAvatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { WorkCell, WorkHead, WorkRow, WorkTable } from '../ui/work-table.tsx'
import { vetName } from './vet-words.ts'

type Order = 'name' | 'duty' | 'week' | 'rating'

const BY: Record<Order, (vet: Vet) => number | string> = {
  name: ({ lastName, firstName }) => `${lastName} ${firstName}`.toLowerCase(),
  duty: ({ on_duty_since }) => (on_duty_since ? 0 : 1),
  week: ({ week_consults }) => -week_consults,
  rating: ({ rating }) => -(rating.mean ?? 0),
}

/** In a narrow table the names need the room. */
const WIDE_OR_CARD = 'min-[56.25rem]:max-[74.99rem]:hidden'

const inOrder = (vets: Vet[], order: Order) =>
  vets.toSorted((one, other) => {
    const [a, b] = [BY[order](one), BY[order](other)]
    return a < b ? -1 : a > b ? 1 : 0
  })

export function VetRows({ vets, onEdit }: { vets: Vet[]; onEdit: (vet: Vet) => void }) {
  const [order, setOrder] = useState<Order>('name')
  const sorts = (by: Order, title: string, className = '') => (
    <WorkHead
      className={className}
      sorted={order === by ? (by === 'name' ? 'ascending' : 'descending') : undefined}
    >
      <button
        type="button"
        className="inline-flex items-center gap-1 font-semi hover:text-ink"
        onClick={() => setOrder(by)}
      >
        {title}
        <Icon
          name={by === 'name' ? 'arrow-up' : 'arrow-down'}
          size={16}
          className={order === by ? '' : 'invisible'}
        />
      </button>
    </WorkHead>
  )
  return (
    <WorkTable
      caption="Vets"
      head={
        <>
          {sorts('name', 'Vet')}
          <WorkHead className="w-36">Registration</WorkHead>
          <WorkHead className={`w-40 ${WIDE_OR_CARD}`}>Languages</WorkHead>
          {sorts('duty', 'Duty', 'w-40')}
          {sorts('week', 'This week', 'w-28')}
          {sorts('rating', 'Rating', 'w-28')}
          <WorkHead className="w-24">
            <span className="sr-only">Actions</span>
          </WorkHead>
        </>
      }
    >
      {inOrder(vets, order).map((vet) => (
        <VetRow key={vet.id} vet={vet} onEdit={onEdit} />
      ))}
    </WorkTable>
  )
}

function VetRow({ vet, onEdit }: { vet: Vet; onEdit: (vet: Vet) => void }) {
  const { email, registration, languages, on_duty_since, week_consults, rating, picture } = vet
  const name = vetName(vet)
  return (
    <WorkRow hot={false}>
      <WorkCell className="max-[56.24rem]:order-1 max-[56.24rem]:col-span-2">
        <span className="flex min-w-0 items-center gap-3">
          <VetAvatar name={name} picture={picture} size={32} />
          <span className="grid min-w-0 leading-snug">
            <span className="truncate font-semi">{name}</span>
            <span className="truncate text-14 text-ink-soft">{email}</span>
          </span>
        </span>
      </WorkCell>
      <WorkCell className="tabular-nums max-[56.24rem]:order-3 max-[56.24rem]:col-span-3">
        {registration ?? <span className="text-amber-soft-ink">No registration number</span>}
      </WorkCell>
      <WorkCell className={`max-[56.24rem]:order-4 max-[56.24rem]:col-span-3 ${WIDE_OR_CARD}`}>
        {languages.join(', ') || <span className="text-ink-soft">Not said</span>}
      </WorkCell>
      <WorkCell className="max-[56.24rem]:order-5 max-[56.24rem]:col-span-3">
        <span className="grid leading-snug">
          <span className="flex items-center gap-2">
            <span className={`size-2 rounded-full ${on_duty_since ? 'bg-green' : 'bg-line-strong'}`} />
            {on_duty_since ? 'On duty' : 'Off duty'}
          </span>
          {on_duty_since && (
            <span className="pl-4 text-14 text-ink-soft tabular-nums">since {dayAndTime(on_duty_since)}</span>
          )}
        </span>
      </WorkCell>
      <WorkCell className="tabular-nums max-[56.24rem]:order-6 max-[56.24rem]:col-span-2">
        {week_consults}
        <span className="min-[56.25rem]:hidden">
          {week_consults === 1 ? ' consult' : ' consults'} this week
        </span>
      </WorkCell>
      <WorkCell className="tabular-nums max-[56.24rem]:order-7">
        {rating.mean === null ? (
          <span className="text-ink-soft">None yet</span>
        ) : (
          <>
            {rating.mean.toFixed(1)} <span className="text-ink-soft">of {rating.of}</span>
          </>
        )}
      </WorkCell>
      <WorkCell className="max-[56.24rem]:order-2">
        <Button variant="line" size={36} aria-label={`Edit ${name}`} onClick={() => onEdit(vet)}>
          Edit
        </Button>
      </WorkCell>
    </WorkRow>
  )
}
