import { useState } from 'react'
import type { Pet } from '#contract/pets.ts'
import { isManaged, UPDATED } from '../memberships/standing.tsx'
import { hasRoom, useMemberships } from '../pets/queries.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { say } from '../ui/say.ts'

const loadConfirm = () => import('../memberships/manage-dialog.tsx')
const loadPurchase = () => import('../pets/purchase-dialog.tsx')

/** Puts a pet on the owner's first membership with a free place, or buys another one for it. */
export function PlaceDialog({ pet, onClose }: { pet: Pet; onClose: () => void }) {
  const { show } = useAlert()
  const memberships = useMemberships()
  // Once the pet has its place, none may be free any more.
  const [roomy] = useState(() => memberships?.find((one) => !isManaged(one) && hasRoom(one)))
  if (roomy)
    return (
      <LateDialog
        load={loadConfirm}
        title={say('Add {name} to your membership?', { name: pet.name })}
        onClose={onClose}
      >
        {({ ConfirmDialog }) => (
          <ConfirmDialog membership={roomy} adds={pet} pets={undefined} onClose={onClose} onDone={onClose} />
        )}
      </LateDialog>
    )
  return (
    <LateDialog load={loadPurchase} title={say('Purchase membership')} onClose={onClose}>
      {({ PurchaseDialog }) => (
        <PurchaseDialog
          input={{ action: 'add', pet_id: pet.id }}
          isMember
          onBought={() => {
            onClose()
            show(say(UPDATED))
          }}
          onClose={onClose}
        />
      )}
    </LateDialog>
  )
}
