import type { Call } from '#contract/call.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useRemoveFactor } from './queries.ts'

/** For admins: a colleague lost their phone and their recovery codes. */
export function LostFactorDialog({
  person: { id, name },
  invalidates,
  onClose,
}: {
  person: { id: number; name: string }
  invalidates: readonly Call[]
  onClose: () => void
}) {
  const remove = useRemoveFactor(invalidates)
  return (
    <ConfirmDialog
      title={`Remove ${name}’s second factor?`}
      does="Remove it"
      doing="Removing…"
      keeps="Leave it on"
      onClose={onClose}
      onConfirm={async () => {
        await remove({ id })
        return `${name} now signs in with just the password.`
      }}
    >
      <p>
        First make sure it’s really them asking: call them on a number you know. Until they set up a new one,
        only their password will protect their account.
      </p>
      <p>We’ll email them and record it in the audit log.</p>
    </ConfirmDialog>
  )
}
