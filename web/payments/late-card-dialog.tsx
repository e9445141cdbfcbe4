import { LateDialog } from '../ui/late-dialog.tsx'
import { say } from '../ui/say.ts'

const load = () => import('./card-dialog.tsx')

/** Asks for a new card to pay with. Its script loads when it opens. */
export const LateCardDialog = ({ replaces, onClose }: { replaces: boolean; onClose: () => void }) => (
  <LateDialog load={load} title={replaces ? say('Replace card') : say('Add card')} onClose={onClose}>
    {({ CardDialog }) => <CardDialog replaces={replaces} onClose={onClose} />}
  </LateDialog>
)
