import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { Form, useForm } from './form.tsx'
import { FormButtons } from './form-buttons.tsx'

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
  const form = useForm({ defaults: {} })
  return (
    <Dialog
      open
      small
      onClose={onClose}
      title={title}
      foot={<FormButtons form={form} does={does} doing={doing} danger keeps={keeps} onClose={onClose} />}
    >
      <Form form={form} onSubmit={onConfirm}>
        {children}
      </Form>
    </Dialog>
  )
}
