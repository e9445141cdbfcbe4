import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { say } from './say.ts'

/** The bottom of a dialog with a form: the form's button, and one to cancel. */
export const FormButtons = ({
  form,
  does,
  doing,
  danger = false,
  keeps = say('Cancel'),
  onClose,
}: {
  form: { id: string; busy: boolean }
  does: ReactNode
  doing?: string | undefined
  danger?: boolean | undefined
  keeps?: string
  onClose: () => void
}) => (
  <>
    <Button
      type="submit"
      form={form.id}
      variant={danger ? 'danger' : 'primary'}
      busy={form.busy}
      busyLabel={doing}
    >
      {does}
    </Button>
    <Button variant="text" onClick={onClose}>
      {keeps}
    </Button>
  </>
)
