import type { ComponentProps, ReactNode } from 'react'
import { useAlert } from './alert-bar.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { clearDraft } from './form-draft.ts'
import { Form, type FormProps } from './form.tsx'
import { say } from './say.ts'

type FormDialogProps<Input extends object> = Pick<ComponentProps<typeof Dialog>, 'title' | 'small'> &
  Pick<FormProps<Input>, 'form'> & {
    /** Returns what the alert bar then says, and the dialog closes. Otherwise it stays open. */
    onSubmit: (values: Input) => Promise<string | void>
    /**
     * The labels of the buttons: what it does, the same while it is being done, and the one that cancels. Without the
     * first, there is nothing to send.
     */
    does: string | undefined
    doing?: string
    keeps?: string
    danger?: boolean | undefined
    onClose: () => void
    children: ReactNode
  }

/** A dialog with one form: a button sends it, another cancels and forgets the draft. */
export const FormDialog = <Input extends object>({
  title,
  small,
  form,
  onSubmit,
  does,
  doing,
  keeps = say('Cancel'),
  danger,
  onClose,
  children,
}: FormDialogProps<Input>) => {
  const { show } = useAlert()
  return (
    <Dialog
      small={small}
      onClose={onClose}
      title={title}
      foot={
        <>
          {does && (
            <Button
              type="submit"
              form={form.id}
              variant={danger ? 'danger' : 'primary'}
              busy={form.busy}
              busyLabel={doing}
            >
              {does}
            </Button>
          )}
          <Button
            variant="text"
            onClick={() => {
              if (form.draft) clearDraft(form.draft)
              onClose()
            }}
          >
            {keeps}
          </Button>
        </>
      }
    >
      <Form
        form={form}
        onSubmit={async (values) => {
          const says = await onSubmit(values)
          if (says === undefined) return
          show(says)
          onClose()
        }}
      >
        {children}
      </Form>
    </Dialog>
  )
}
