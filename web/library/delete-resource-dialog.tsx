import type { Resource } from '#contract/library.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useDeleteResource } from './queries.ts'

export function DeleteResourceDialog({
  resource: { id, title },
  onClose,
}: {
  resource: Resource
  onClose: () => void
}) {
  const remove = useDeleteResource()
  return (
    <ConfirmDialog
      title={`Delete “${title}”?`}
      does="Delete resource"
      doing="Deleting…"
      keeps="Keep it"
      onClose={onClose}
      onConfirm={async () => {
        await remove({ resource: id })
        return `“${title}” has been deleted.`
      }}
    >
      <p>It leaves the public pages straight away. Links to it will say that the page can’t be found.</p>
    </ConfirmDialog>
  )
}
