import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { Form, useForm } from './form.tsx'
import { FormButtons } from './form-buttons.tsx'

/** Asks before something that can't be undone, and shows its failure. */
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
  /** The labels of the buttons: what it does, the same while it is being done, and the one that cancels. */
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
