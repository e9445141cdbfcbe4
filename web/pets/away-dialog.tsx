import type { Pet } from '#contract/pets.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceRow, Choices } from '../ui/choice-card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, type Schema, useForm } from '../ui/form.tsx'
import { usePutPetAway } from './queries.ts'

interface Why {
  why: 'moved' | 'died' | ''
}

const chosen: Schema<Why> = {
  '~standard': {
    validate: (value) =>
      (value as Why).why
        ? { value: value as Why }
        : { issues: [{ path: ['why'], message: 'Please choose one of the two.' }] },
  },
}

/** A pet that moved on or died leaves the lists. Kind, and in no hurry. */
export function AwayDialog({
  pet,
  onAway,
  onClose,
}: {
  pet: Pet
  onAway: (said: string) => void
  onClose: () => void
}) {
  const putAway = usePutPetAway()
  const form = useForm({ schema: chosen, defaults: { why: '' } as Why })
  const why = form.hook.watch('why')
  const { id, error, defaultValue: _, ...radio } = form.field('why')

  async function submit() {
    if (!why) return
    await putAway({ id: pet.id, why })
    onAway(
      why === 'died'
        ? `We are so sorry. ${pet.name}’s record stays with you.`
        : `${pet.name} has left your list. All the best in the new home.`,
    )
  }

  return (
    <Dialog
      open
      small
      onClose={onClose}
      title={`${pet.name} is no longer with you`}
      foot={
        <>
          <Button type="submit" form={form.id} variant="primary" busy={form.busy}>
            Take {pet.name} off my list
          </Button>
          <Button variant="text" onClick={onClose}>
            Keep {pet.name}
          </Button>
        </>
      }
    >
      <Form form={form} onSubmit={submit}>
        <Choices legend="What happened?" across="one" id={id} error={error}>
          <ChoiceRow {...radio} value="moved" title={`${pet.name} moved to another home`} />
          <ChoiceRow {...radio} value="died" title={`${pet.name} died`} />
        </Choices>
        <div className="empty:-mt-6" aria-live="polite">
          {why === 'died' && (
            <p className="font-medium">We are so sorry. Take your time: nothing has to be done today.</p>
          )}
          {why === 'moved' && <p className="font-medium">We hope {pet.name} settles in well.</p>}
        </div>
        <ul className="list-disc space-y-2 pl-5 text-ink-soft">
          <li>Reminders about {pet.name} stop at once.</li>
          <li>The record and past consults stay in your account.</li>
          <li>The place is free for another pet at the end of the period that is paid.</li>
        </ul>
      </Form>
    </Dialog>
  )
}
