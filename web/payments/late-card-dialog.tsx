import { LateDialog } from '../ui/late-dialog.tsx'
import { say } from '../ui/say.ts'

const load = () => import('./card-dialog.tsx')

/** Asks for the card that pays from now on; its script comes when it is opened. */
export function LateCardDialog({ replaces, onClose }: { replaces: boolean; onClose: () => void }) {
  return (
    <LateDialog load={load} title={replaces ? say('Replace card') : say('Add card')} onClose={onClose}>
      {({ CardDialog }) => <CardDialog replaces={replaces} onClose={onClose} />}
    </LateDialog>
  )
}
