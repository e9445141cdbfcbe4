import { REGIONS } from '#contract/regions.ts'
import type { Vet } from '#contract/vets.ts'
import { timeOrDay } from '../lib/dates.ts'
import { useSorting } from '../lib/sorting.ts'
import { VetAvatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { TwoLines, WorkCell, WorkRow, WorkTable } from '../ui/work-table.tsx'
import { vetName } from './vet-words.ts'

const BY = {
  name: ({ lastName, firstName }: Vet) => `${lastName} ${firstName}`.toLowerCase(),
  duty: ({ on_duty_since }: Vet) => (on_duty_since ? 1 : 0),
  week: ({ week_consults }: Vet) => week_consults,
  rating: ({ rating }: Vet) => rating.mean ?? 0,
}

/** Hides a column in a narrow table, where the names need its room. */
const WIDE_OR_CARD = 'table:max-[84.99rem]:hidden'

export function VetRows({ vets, onEdit }: { vets: Vet[]; onEdit: (vet: Vet) => void }) {
  const { head, inOrder } = useSorting(BY, 'name')
  return (
    <WorkTable
      caption="Vets"
      columns={[
        { says: 'Vet', ...head('name') },
        { says: 'Registration', className: 'w-36' },
        { says: 'Languages', className: `w-36 ${WIDE_OR_CARD}` },
        { says: 'Duty', className: 'w-36', ...head('duty', 'descending') },
        { says: 'This week', className: 'w-30', ...head('week', 'descending') },
        { says: 'Rating', className: 'w-38', ...head('rating', 'descending') },
        { says: 'Actions', className: 'w-24', unseen: true },
      ]}
    >
      {inOrder(vets).map((vet) => (
        <VetRow key={vet.id} vet={vet} onEdit={onEdit} />
      ))}
    </WorkTable>
  )
}

function VetRow({ vet, onEdit }: { vet: Vet; onEdit: (vet: Vet) => void }) {
  const { email, region, registration, languages, on_duty_since, week_consults, rating, picture } = vet
  const name = vetName(vet)
  return (
    <WorkRow>
      <WorkCell className="cards:order-1 cards:col-span-2">
        <span className="flex min-w-0 items-center gap-3">
          <VetAvatar name={name} picture={picture} size={32} />
          <TwoLines bold first={name} then={name !== email && email} />
        </span>
      </WorkCell>
      <WorkCell className="tabular-nums cards:order-3 cards:col-span-3">
        {registration ? (
          <TwoLines first={registration} then={REGIONS[region].name} />
        ) : (
          <span className="text-amber-soft-ink">No registration number</span>
        )}
      </WorkCell>
      <WorkCell className={`cards:order-4 cards:col-span-3 ${WIDE_OR_CARD}`}>
        {languages.join(', ') || <span className="text-ink-soft">No languages given</span>}
      </WorkCell>
      <WorkCell className="cards:order-5 cards:col-span-3">
        <span className="flex items-start gap-2">
          <span
            className={`mt-[7px] size-2 flex-none rounded-full ${on_duty_since ? 'bg-green' : 'bg-line-strong'}`}
          />
          <TwoLines
            first={on_duty_since ? 'On duty' : 'Off duty'}
            then={on_duty_since && `since ${timeOrDay(on_duty_since)}`}
          />
        </span>
      </WorkCell>
      <WorkCell className="tabular-nums cards:order-6 cards:col-span-2">
        {week_consults}
        <span className="table:hidden">{week_consults === 1 ? ' consult' : ' consults'} this week</span>
      </WorkCell>
      <WorkCell className="tabular-nums cards:order-7">
        {rating.mean === null ? (
          <span className="text-ink-soft">No ratings yet</span>
        ) : (
          <>
            <span className="table:hidden">Rated </span>
            {rating.mean.toFixed(1)} <span className="text-ink-soft">from {rating.of}</span>
          </>
        )}
      </WorkCell>
      <WorkCell className="cards:order-2 cards:text-right">
        <Button size={36} aria-label={`Edit ${name}`} onClick={() => onEdit(vet)}>
          Edit
        </Button>
      </WorkCell>
    </WorkRow>
  )
}
