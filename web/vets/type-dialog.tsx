import { useQuery } from '@tanstack/react-query'
import { USER_TYPES } from '#contract/accounts.ts'
import { REGIONS } from '#contract/regions.ts'
import type { Vet } from '#contract/vets.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { everyVet, useSetUserType } from './queries.ts'
import { fullName, shortName } from './vet-words.ts'

/** Makes a vet an owner again, after saying what that does. */
export function TypeDialog({
  vet: seen,
  onTypeChange,
  onClose,
}: {
  vet: Vet
  onTypeChange: (vet: Vet) => void
  onClose: () => void
}) {
  const setType = useSetUserType()
  const { data: vets = [] } = useQuery({ ...everyVet, refetchOnMount: 'always' })
  const vet = vets.find(({ id }) => id === seen.id) ?? seen
  const name = shortName(vet)
  const { open_consults: open, open_calls: calls } = vet
  const isOnDuty = ({ on_duty_since, region }: Vet) => on_duty_since !== null && region === vet.region
  const isLast = isOnDuty(vet) && vets.filter(isOnDuty).length === 1
  return (
    <ConfirmDialog
      title={`Make ${fullName(vet)} an owner?`}
      does={`Make ${name} an owner`}
      doing="Turning…"
      keeps={`Keep ${name} as a vet`}
      onClose={onClose}
      onConfirm={async () => {
        onTypeChange(await setType({ id: vet.id, type: USER_TYPES.owner }))
        return `${fullName(vet)} is an owner now.`
      }}
    >
      <p>As an owner, {name} can’t take consults or see other people’s. What happens straight away:</p>
      <ul className="list-disc pl-5">
        {open > 0 && (
          <li>
            {open === 1 ? 'One open consult goes' : `${open} open consults go`} back to the queue, with
            everything written so far. The owners will see this.
          </li>
        )}
        {calls > 0 && (
          <li>
            {calls === 1
              ? 'One clinic call that nobody has taken goes'
              : `${calls} clinic calls that nobody has taken go`}{' '}
            to all vets to decide.
          </li>
        )}
        {isLast && (
          <li>
            Nobody else is on duty in {REGIONS[vet.region].name}. Owners in the queue wait until somebody is.
          </li>
        )}
        <li>Any shifts that {name} still has on the roster will need another vet.</li>
        <li>{name} is signed out everywhere, and can sign in again as an owner.</li>
        <li>Notes, name and registration number stay on past consults.</li>
      </ul>
    </ConfirmDialog>
  )
}
