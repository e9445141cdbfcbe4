import { useAlert } from '../ui/alert-bar.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { say } from '../ui/say.ts'
import { PolicyCodeForm } from './code-form.tsx'

/** For an added policy that its holder still has to confirm. */
export function PolicyCodeDialog({
  policy,
  pet,
  onClose,
}: {
  policy: string
  pet: string
  onClose: () => void
}) {
  const { show } = useAlert()
  return (
    <Dialog small onClose={onClose} title={say('Enter the code')}>
      <PolicyCodeForm
        policy={policy}
        pet={pet}
        onConfirmed={() => {
          show(say('{pet}’s policy is confirmed.', { pet }))
          onClose()
        }}
      />
    </Dialog>
  )
}
