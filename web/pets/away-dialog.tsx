import type { Subscription } from '#contract/memberships.ts'
import type { Pet } from '#contract/pets.ts'
import { day } from '../lib/dates.ts'
import { ChoiceRow, Choices } from '../ui/choice-card.tsx'
import type { Rules } from '../ui/form-state.ts'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { say } from '../ui/say.ts'
import { useMemberships, usePutPetAway } from './queries.ts'

interface Why {
  why: 'moved' | 'died' | ''
}

const chosen: Rules<Why> = ({ why }) => ({ why: !why && say('Please choose one of the two.') })

/** When the pet's place on its membership is free. */
function placeSaid({ grace_end, end, stripeData }: Subscription) {
  const until = grace_end ? null : (end ?? stripeData.current_period_end)
  if (!until) return say('The place is free for another pet straight away.')
  return say('The place is free for another pet from {day}, when the paid period ends.', { day: day(until) })
}

/** Archives a pet that moved on or died, in kind words and without hurry. */
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
  const membership = useMemberships()?.find(({ pets }) => pets.includes(pet.id))
  const form = useForm({ rules: chosen, defaults: { why: '' } as Why })
  const why = form.hook.watch('why')
  const { id, error, defaultValue: _, ...radio } = form.field('why')

  async function submit() {
    if (!why) return
    await putAway({ id: pet.id, why })
    onAway(
      why === 'died'
        ? say('We are so sorry. {name}’s record stays with you.', { name: pet.name })
        : say('We’ve taken {name} off your list. All the best in the new home.', { name: pet.name }),
    )
  }

  return (
    <FormDialog
      small
      title={say('{name} is no longer with you', { name: pet.name })}
      form={form}
      does={say('Take {name} off my list', { name: pet.name })}
      keeps={say('Keep {name}', { name: pet.name })}
      onClose={onClose}
      onSubmit={submit}
    >
      <Choices legend={say('What happened?')} across="one" id={id} error={error}>
        <ChoiceRow {...radio} value="moved" title={say('{name} moved to another home', { name: pet.name })} />
        <ChoiceRow {...radio} value="died" title={say('{name} died', { name: pet.name })} />
      </Choices>
      <div className="empty:-mt-6" aria-live="polite">
        {why === 'died' && (
          <p className="font-medium">
            {say('We are so sorry. Take your time: nothing has to be done today.')}
          </p>
        )}
        {why === 'moved' && (
          <p className="font-medium">{say('We hope {name} settles in well.', { name: pet.name })}</p>
        )}
      </div>
      <ul className="list-disc space-y-2 pl-5 text-ink-soft">
        <li>{say('Reminders about {name} stop straight away.', { name: pet.name })}</li>
        <li>{say('The record and past consults stay in your account.')}</li>
        {membership && <li>{placeSaid(membership)}</li>}
        <li>{say('You can put {name} back on your list at any time, under My Pets.', { name: pet.name })}</li>
      </ul>
    </FormDialog>
  )
}
