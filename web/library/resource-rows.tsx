import type { Resource } from '#contract/library.ts'
import { day } from '../lib/dates.ts'
import { useSorting } from '../lib/sorting.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Link } from '../ui/link.tsx'
import { TwoLines, WorkCell, WorkRow, WorkTable } from '../ui/work-table.tsx'
import { addressOf } from './reading.tsx'
import { KINDS } from './resource-rules.ts'

interface Acts {
  onEdit: (resource: Resource) => void
  onDelete: (resource: Resource) => void
}

const BY = {
  title: ({ title }: Resource) => title.toLowerCase(),
  type: ({ type }: Resource) => type,
  added: ({ created_at }: Resource) => created_at,
}

export function ResourceRows({ resources, onEdit, onDelete }: { resources: Resource[] } & Acts) {
  const { head, inOrder } = useSorting(BY, '-added')
  return (
    <WorkTable
      caption="Resources"
      columns={[
        { says: 'Title', ...head('title') },
        { says: 'Type', className: 'w-36', ...head('type') },
        { says: 'File', className: 'w-44' },
        { says: 'Added', className: 'w-48', ...head('added', 'descending') },
        { says: 'Actions', className: 'w-32', unseen: true },
      ]}
    >
      {inOrder(resources).map((resource) => (
        <WorkRow key={resource.id}>
          <WorkCell className="cards:order-1 cards:col-span-2">
            {resource.is_public ? (
              <Link href={addressOf(resource)} className="inline-flex min-h-9 items-center font-semi">
                {resource.title}
              </Link>
            ) : (
              <TwoLines
                bold
                first={resource.title}
                then={<span className="text-amber-soft-ink">Waiting for a vet’s review</span>}
              />
            )}
          </WorkCell>
          <WorkCell className="cards:order-3">{KINDS[resource.type - 1]!.label}</WorkCell>
          <WorkCell className="cards:order-4">{fileSaid(resource)}</WorkCell>
          <WorkCell className="tabular-nums cards:order-5 cards:text-right">
            {day(resource.created_at)}
          </WorkCell>
          <WorkCell className="cards:order-2">
            <span className="flex justify-end text-ink-soft table:-mr-2">
              <IconButton label={`Edit ${resource.title}`} icon="pencil" onClick={() => onEdit(resource)} />
              <IconButton
                label={`Delete ${resource.title}`}
                icon="trash-2"
                onClick={() => onDelete(resource)}
              />
            </span>
          </WorkCell>
        </WorkRow>
      ))}
    </WorkTable>
  )
}

function fileSaid({ file, slug }: Resource) {
  if (file.startsWith('https://')) return 'Another site’s player'
  if (file.startsWith(`/media/library/${slug}.`)) return 'Made from the text'
  return (file.split('.').at(-1) ?? '').toUpperCase()
}
