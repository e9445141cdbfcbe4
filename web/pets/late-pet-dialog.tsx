import type { Pet } from '#contract/pets.ts'
import { LateDialog } from '../ui/late-dialog.tsx'
import { say } from '../ui/say.ts'

const load = () => import('./pet-dialog.tsx')

export const LatePetDialog = ({ pet, onClose }: { pet: Pet | undefined; onClose: () => void }) => (
  <LateDialog
    load={load}
    title={pet ? say('Edit {name}', { name: pet.name }) : say('Add a pet')}
    onClose={onClose}
  >
    {({ PetDialog }) => <PetDialog pet={pet} onClose={onClose} />}
  </LateDialog>
)
