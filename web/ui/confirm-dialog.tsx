import type { ReactNode } from 'react'
import { useForm } from './form.tsx'
import { FormDialog } from './form-dialog.tsx'

/** Asks before something is done, and shows its failure. */
export function ConfirmDialog({
  onConfirm,
  danger = true,
  ...dialog
}: {
  title: string
  does: string
  doing?: string
  keeps: string
  danger?: boolean
  /** Returns what the alert bar then says, and the dialog closes. Otherwise it stays open. */
  onConfirm: () => Promise<string | void>
  onClose: () => void
  children: ReactNode
}) {
  const form = useForm({ defaults: {} })
  return <FormDialog small danger={danger} form={form} onSubmit={onConfirm} {...dialog} />
}
