import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Resource } from '#contract/library.ts'
import { useQueryFilters } from '../lib/query-filters.ts'
import { SearchField } from '../lib/search-field.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Select } from '../ui/select.tsx'
import { ViewHead, ViewLoading } from '../ui/view-frame.tsx'
import { everyResource, useDeleteResource } from './queries.ts'
import { ResourceDialog } from './resource-dialog.tsx'
import { ResourceRows } from './resource-rows.tsx'
import { KINDS } from './resource-rules.ts'

/** The library as admins see it. Filter and search are in the address. */
export default function ManageResources() {
  const list = useQuery(everyResource)
  const { asked, set } = useQueryFilters()
  const [edited, edit] = useState<Resource | 'new'>()
  const [deleted, ask] = useState<Resource>()
  const remove = useDeleteResource()
  const kind = asked.get('type') ?? ''
  const q = asked.get('q')?.trim() ?? ''
  const shown = list.data?.filter(
    ({ type, title }) =>
      (kind === '' || String(type) === kind) && title.toLowerCase().includes(q.toLowerCase()),
  )
  const add = (
    <Button variant="primary" size={36} icon="plus" onClick={() => edit('new')}>
      Add resource
    </Button>
  )

  return (
    <>
      <ViewHead title="Resources" action={list.data?.length !== 0 && add} />
      {list.data && list.data.length > 0 && (
        <div className="flex flex-wrap items-end gap-4">
          <Select
            label="Type"
            options={KINDS}
            value={kind}
            onChange={({ target }) => set('type', target.value)}
          >
            <option value="">All</option>
          </Select>
          <SearchField label="Search titles" q={q} onSearch={(words) => set('q', words)} />
          <p role="status" className="pb-3 text-14 text-ink-soft">
            {shown?.length === 1 ? '1 resource' : `${shown?.length} resources`}
          </p>
        </div>
      )}
      {!list.data || !shown ? (
        <ViewLoading of={list} what="the resources" />
      ) : list.data.length === 0 ? (
        <Empty scene="empty-no-consults" title="No resources yet" action={add}>
          What you add here appears on the public pages once a vet has reviewed it.
        </Empty>
      ) : shown.length === 0 ? (
        <p className="rounded-card bg-paper-sunk p-5">No resource matches.</p>
      ) : (
        <ResourceRows resources={shown} onEdit={edit} onDelete={ask} />
      )}
      {edited && (
        <ResourceDialog
          key={edited === 'new' ? 'new' : edited.id}
          resource={edited === 'new' ? undefined : edited}
          onClose={() => edit(undefined)}
        />
      )}
      {deleted && (
        <ConfirmDialog
          title={`Delete “${deleted.title}”?`}
          does="Delete resource"
          doing="Deleting…"
          keeps="Keep it"
          onClose={() => ask(undefined)}
          onConfirm={async () => {
            await remove({ resource: deleted.id })
            return `“${deleted.title}” has been deleted.`
          }}
        >
          <p>It leaves the public pages straight away. Links to it will say that the page can’t be found.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
