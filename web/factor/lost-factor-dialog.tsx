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
        return `${name} signs in with the password alone now.`
      }}
    >
      <p>
        Make sure first that it’s really them who asks: call them on a number that you know. Then only their
        password protects their account, until they set up a new one.
      </p>
      <p>They’re told by email, and it’s kept in the audit log.</p>
    </ConfirmDialog>
  )
}
