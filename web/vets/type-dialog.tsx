import { USER_TYPES } from '#contract/accounts.ts'
import type { Vet } from '#contract/vets.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useSetUserType } from './queries.ts'
import { fullName, shortName } from './vet-words.ts'

/** Makes a vet a user again, after saying what that does. */
export function TypeDialog({
  vet,
  onTypeChange,
  onClose,
}: {
  vet: Vet
  onTypeChange: (vet: Vet) => void
  onClose: () => void
}) {
  const setType = useSetUserType()
  const name = shortName(vet)
  const open = vet.open_consults
  return (
    <ConfirmDialog
      title={`Turn ${fullName(vet)} into a user?`}
      does={`Turn ${name} into a user`}
      doing="Turning…"
      keeps={`Keep ${name} as a vet`}
      onClose={onClose}
      onConfirm={async () => {
        onTypeChange(await setType({ id: vet.id, type: USER_TYPES.owner }))
        return `${fullName(vet)} is a user now.`
      }}
    >
      <p>As a user {name} can’t take consults or see other people’s. What happens straight away:</p>
      <ul className="list-disc pl-5">
        {open > 0 && (
          <li>
            {open === 1 ? 'One open consult goes' : `${open} open consults go`} back to the queue, with
            everything written so far. The owners see it.
          </li>
        )}
        <li>{name} is signed out everywhere, and can sign in again as a user.</li>
        <li>Notes, name and registration number stay on past consults.</li>
      </ul>
    </ConfirmDialog>
  )
}
