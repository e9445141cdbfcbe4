import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form, type Schema, useForm } from './form.tsx'

const nothingTyped: Schema<object> = { '~standard': { validate: () => ({ value: {} }) } }

/** Asks before something that can't be undone. A failure is shown in it. */
export function ConfirmDialog({
  title,
  does,
  doing,
  keeps,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  /** The buttons: what it does, while it does it, and the way out. */
  does: string
  doing: string
  keeps: string
  onConfirm: () => Promise<void>
  onClose: () => void
  children: ReactNode
}) {
  const form = useForm({ schema: nothingTyped, defaults: {} })
  return (
    <Dialog
      open
      small
      onClose={onClose}
      title={title}
      foot={
        <>
          <Button type="submit" form={form.id} variant="danger" busy={form.busy} busyLabel={doing}>
            {does}
          </Button>
          <Button variant="text" onClick={onClose}>
            {keeps}
          </Button>
        </>
      }
    >
      <Form form={form} onSubmit={onConfirm}>
        {children}
      </Form>
    </Dialog>
  )
}
