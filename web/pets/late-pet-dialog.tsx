import type { Pet } from '#contract/pets.ts'
import { LateDialog } from '../ui/late-dialog.tsx'

const load = () => import('./pet-dialog.tsx')

/** The form of a pet, whose script comes when it is opened. */
export function LatePetDialog({ pet, onClose }: { pet: Pet | undefined; onClose: () => void }) {
  return (
    <LateDialog load={load} title={pet ? `Edit ${pet.name}` : 'Add a pet'} onClose={onClose}>
      {({ PetDialog }) => <PetDialog pet={pet} onClose={onClose} />}
    </LateDialog>
  )
}
