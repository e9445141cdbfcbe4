import { briefDay, day, isToday, time } from '../lib/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { type Column, TwoLines, WorkCell, WorkRow, WorkTable } from '../ui/work-table.tsx'

/** An item or a library resource, as the list shows it. */
export interface Row {
  key: string
  title: string
  about: string
  icon: IconName
  text: string
  segment: string
  state: 'live' | 'draft' | 'off'
  isChanged: boolean
  review: 'not needed' | 'waits' | { by: string; at: string }
  changed: { who: string; at: string | null }
  /** Where it is edited, or what opens it here. */
  href?: string
  onEdit?: () => void
}

const when = (at: string) => (isToday(at) ? time(at) : briefDay(at))

export const BY = {
  title: ({ title }: Row) => title.toLowerCase(),
  state: ({ state, isChanged }: Row) => `${state}${isChanged ? 0 : 1}`,
  changed: ({ changed }: Row) => changed.at ?? '',
}

type Head = (by: keyof typeof BY, begins?: 'descending') => Pick<Column, 'href' | 'sorted'>

export const ContentRows = ({ rows, head }: { rows: Row[]; head: Head }) => (
  <WorkTable
    caption="Pages and their parts"
    columns={[
      { says: 'Title', ...head('title') },
      { says: 'State', className: 'w-44', ...head('state') },
      { says: 'Reviewed by', className: 'w-52' },
      { says: 'Changed', className: 'w-48', ...head('changed', 'descending') },
      { says: 'Edit', className: 'w-24', unseen: true },
    ]}
  >
    {rows.map(({ key, title, about, icon, state, isChanged, review, changed, href, onEdit }) => (
      <WorkRow key={key}>
        <WorkCell className="cards:order-1 cards:col-span-2">
          <span className="flex items-start gap-3">
            <Icon name={icon} className="mt-[2px] text-ink-soft" />
            <TwoLines bold first={title} then={about} />
          </span>
        </WorkCell>
        <WorkCell className="cards:order-3 cards:col-span-3">
          <span className="flex flex-wrap gap-1">
            {state === 'live' ? (
              <Badge tone="green">Live</Badge>
            ) : (
              <Badge>{state === 'off' ? 'Off' : 'Draft'}</Badge>
            )}
            {state === 'live' && isChanged && <Badge tone="amber">Changed</Badge>}
          </span>
        </WorkCell>
        <WorkCell className="cards:order-4 cards:col-span-2">
          {review === 'not needed' ? (
            <span className="text-ink-soft">Not needed</span>
          ) : review === 'waits' ? (
            <span className="text-amber-soft-ink">Waiting for a vet</span>
          ) : (
            `${review.by}, ${day(review.at)}`
          )}
        </WorkCell>
        <WorkCell className="text-ink-soft tabular-nums cards:order-5 cards:text-right">
          {[changed.who, changed.at && when(changed.at)].filter(Boolean).join(', ')}
        </WorkCell>
        <WorkCell className="cards:order-2">
          <span className="flex justify-end">
            {href ? (
              <LinkButton size={36} href={href} aria-label={`Edit: ${title}`}>
                Edit
              </LinkButton>
            ) : (
              <Button size={36} aria-label={`Edit: ${title}`} onClick={onEdit}>
                Edit
              </Button>
            )}
          </span>
        </WorkCell>
      </WorkRow>
    ))}
  </WorkTable>
)
