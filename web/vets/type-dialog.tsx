import type { Vet } from '#contract/vets.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { rules } from '../lib/rules.ts'
import { useSetUserType } from './queries.ts'
import { fullName, shortName } from './vet-words.ts'

const nothingTyped = rules<object>(() => ({}))

/** Turns a vet into a user, and says first what that does. */
export function TypeDialog({
  vet,
  onClose,
  onTurned,
}: {
  vet: Vet
  onClose: () => void
  onTurned: () => void
}) {
  const { show } = useAlert()
  const setType = useSetUserType()
  const form = useForm({ schema: nothingTyped, defaults: {} })
  const name = shortName(vet)
  const open = vet.open_consults
  return (
    <Dialog
      open
      small
      onClose={onClose}
      title={`Turn ${fullName(vet)} into a user?`}
      foot={
        <>
          <Button type="submit" form={form.id} variant="danger" busy={form.busy} busyLabel="Turning…">
            Turn {name} into a user
          </Button>
          <Button variant="text" onClick={onClose}>
            Keep {name} as a vet
          </Button>
        </>
      }
    >
      <Form
        form={form}
        onSubmit={async () => {
          await setType({ id: vet.id, type: 1 })
          show(`${fullName(vet)} is a user now.`)
          onTurned()
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
      </Form>
    </Dialog>
  )
}
