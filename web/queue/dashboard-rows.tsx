import type { Consultation, Sort } from '#contract/consultations.ts'
import { dayAndTime } from '../lib/dates.ts'
import { PetFace } from '../pets/pet-face.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { WorkCell, WorkRow, WorkTable } from '../ui/work-table.tsx'
import { roomOf } from '../lib/room-address.ts'
import { isOverdue, KINDS, nameOf, type Standing, standingOf, timeSaid } from '../consultations/case-words.ts'
import { UrgencyChip } from './urgency-chip.tsx'

const STATUS: Record<Standing, { said: string; look: string }> = {
  waiting: {
    said: 'Needs Help',
    look: 'border-amber bg-card text-amber-soft-ink hover:bg-amber-soft',
  },
  taken: {
    said: 'In Progress',
    look: 'border-transparent bg-green-soft text-green-soft-ink hover:bg-green-soft-hover',
  },
  ended: { said: 'View Details', look: 'border-transparent text-green underline hover:bg-green-soft' },
  cancelled: { said: 'View Details', look: 'border-transparent text-green underline hover:bg-green-soft' },
}
const OVERDUE = 'border-transparent bg-coral-fill text-on-coral hover:bg-coral-hover'

interface RowsProps {
  consultations: Consultation[]
  now: number
  sort: Sort | undefined
  /** The address of the list in another order; without one, the longest wait first. */
  sortedAt: (by?: Sort) => string
}

export function Rows({ consultations, now, sort, sortedAt }: RowsProps) {
  /** Pressing a column again reverses its order. The status column has the usual order. */
  function sortedBy(by?: 'id' | 'pet' | 'type' | 'vet' | 'start') {
    const isUp = sort === by
    const isDown = by !== undefined && sort === `-${by}`
    return {
      sorted: isUp ? ('ascending' as const) : isDown ? ('descending' as const) : undefined,
      href: sortedAt(by && (isUp ? `-${by}` : by)),
    }
  }
  return (
    <WorkTable
      caption={
        sort
          ? 'Consultations, sorted by one column'
          : 'Consultations: longest wait first, then in progress, then completed'
      }
      columns={[
        { says: 'ID', className: 'w-24', ...sortedBy('id') },
        { says: 'Status', className: 'w-40', ...sortedBy() },
        { says: 'Owner and pet', ...sortedBy('pet') },
        { says: 'Type', className: 'w-28', ...sortedBy('type') },
        { says: 'Vet', className: 'w-40 min-[80rem]:w-52', ...sortedBy('vet') },
        { says: 'Start', className: 'w-52 min-[80rem]:w-60', ...sortedBy('start') },
      ]}
    >
      {consultations.map((one) => (
        <ConsultationRow key={one.id} one={one} now={now} />
      ))}
    </WorkTable>
  )
}

function ConsultationRow({ one, now }: { one: Consultation; now: number }) {
  const standing = standingOf(one)
  const late = isOverdue(one, now)
  const waits = standing === 'waiting'
  const { said, look } = STATUS[standing]
  const kind = KINDS[one.type]
  return (
    <WorkRow hot={late || (waits && one.urgency?.level === 'emergency')}>
      <WorkCell className="text-14 text-ink-soft tabular-nums cards:order-4">{one.id}</WorkCell>
      <WorkCell className="cards:order-2 cards:justify-self-end">
        <Link
          href={roomOf(one)}
          aria-label={`${said}: ${one.pet.name}, ${one.id}`}
          className={`inline-flex min-h-9 min-w-28 items-center justify-center rounded-small border px-3 text-14 font-semi whitespace-nowrap no-underline pointer-coarse:min-h-11 ${late ? OVERDUE : look}`}
        >
          {said}
        </Link>
      </WorkCell>
      <WorkCell className="cards:order-1 cards:col-span-2">
        <span className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-3">
          <PetFace species={one.pet.species_id} size={32} />
          <span className="grid min-w-0 grid-cols-[minmax(0,1fr)] leading-snug">
            <span className="truncate font-semi">{one.pet.name || 'No pet named'}</span>
            <span className="truncate text-14 text-ink-soft">{nameOf(one)}</span>
            {waits && <UrgencyChip of={one.urgency} />}
          </span>
        </span>
      </WorkCell>
      <WorkCell className="text-14 cards:order-5 cards:text-ink-soft">
        <span className="flex items-center gap-[6px]">
          <Icon name={kind.icon} size={16} />
          {kind.said}
        </span>
      </WorkCell>
      <WorkCell className="text-14 cards:order-6 cards:text-right">
        <span className={`block ${one.vet_name ? '' : 'text-ink-soft'}`}>
          {one.ended_by_another && 'Closed by '}
          {one.vet_name ?? (standing === 'cancelled' ? 'Cancelled' : 'No vet yet')}
        </span>
        {one.ended_by_another && <span className="block leading-snug text-ink-soft">Open with a reason</span>}
      </WorkCell>
      <WorkCell className="cards:order-3 cards:col-span-3">
        <span className="flex flex-wrap justify-between gap-x-4 text-14 tabular-nums cards:flex-row-reverse table:grid table:leading-snug">
          <span className="whitespace-nowrap cards:text-ink-soft">{dayAndTime(one.start)}</span>
          <span className={late ? 'font-semi text-coral-soft-ink' : 'text-ink-soft'}>
            {timeSaid(one, now)}
          </span>
        </span>
      </WorkCell>
    </WorkRow>
  )
}
