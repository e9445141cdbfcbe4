import type { Resource } from '#contract/library.ts'
import { rules } from '../lib/rules.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { useDeleteResource } from './queries.ts'

const nothingTyped = rules<object>(() => ({}))

export function DeleteResourceDialog({
  resource: { id, title },
  onClose,
  onDeleted,
}: {
  resource: Resource
  onClose: () => void
  onDeleted: () => void
}) {
  const remove = useDeleteResource()
  const form = useForm({ schema: nothingTyped, defaults: {} })
  return (
    <Dialog
      open
      small
      onClose={onClose}
      title={`Delete “${title}”?`}
      foot={
        <>
          <Button type="submit" form={form.id} variant="danger" busy={form.busy} busyLabel="Deleting…">
            Delete resource
          </Button>
          <Button variant="text" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <Form
        form={form}
        onSubmit={async () => {
          await remove({ resource: id })
          onDeleted()
        }}
      >
        <p>It leaves the public pages straight away. Links to it will say that the page can’t be found.</p>
      </Form>
    </Dialog>
  )
}
