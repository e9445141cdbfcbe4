import { useAlert } from '../ui/alert-bar.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FactorSteps, TurnOn, useSetUp } from './factor-steps.tsx'

export function SetUpDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { show } = useAlert()
  const setUp = useSetUp(() => {
    show('Your second factor is on. Your other devices were signed out.')
    onDone()
  })
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Set up your second factor"
      foot={<TurnOn setUp={setUp} />}
      keeps="Later"
    >
      <FactorSteps setUp={setUp} />
    </Dialog>
  )
}
