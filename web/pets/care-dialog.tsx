import { sentenceOf } from '#contract/errors.ts'
import { isDay } from '#contract/fields.ts'
import type { Care, Pet } from '#contract/pets.ts'
import { briefDay } from '../lib/dates.ts'
import { DateField } from '../ui/date-field.tsx'
import type { Rules } from '../ui/form-state.ts'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { say } from '../ui/say.ts'
import { today } from './care-words.ts'
import { useTickCare } from './queries.ts'

export interface Asked {
  what: 'done' | 'move'
  care: Care
  name: string
}

const dateRules =
  (what: Asked['what']): Rules<{ on: string }> =>
  ({ on }) => ({
    on: !isDay(on)
      ? say('Enter the date as day, month and year, such as 14/02/2027.')
      : what === 'done'
        ? on > today() && sentenceOf('CARE_DATE_WRONG')
        : on < today() && say('Please enter today’s date or a later one.'),
  })

/** The day on which it was done or is due. */
export function CareDialog({ pet, what, care, name, onClose }: Asked & { pet: Pet; onClose: () => void }) {
  const tick = useTickCare()
  const form = useForm({
    rules: dateRules(what),
    defaults: { on: what === 'done' || care.due_on < today() ? today() : care.due_on },
  })
  const done = what === 'done'

  async function submit({ on }: { on: string }) {
    await tick({ id: care.id, ...(done ? { done_on: on } : { due_on: on }) })
    return done
      ? say('{care} for {pet}: done.', { care: name, pet: pet.name })
      : say('{care} for {pet} is now due {day}.', { care: name, pet: pet.name, day: briefDay(on) })
  }

  return (
    <FormDialog
      small
      title={
        done
          ? say('{care} for {pet}', { care: name, pet: pet.name })
          : say('Move {care} for {pet}', { care: name, pet: pet.name })
      }
      form={form}
      does={done ? say('Tick as done') : say('Move the date')}
      onClose={onClose}
      onSubmit={submit}
    >
      <DateField
        {...form.control('on')}
        label={done ? say('Done on') : say('Due on')}
        help={
          done
            ? say('Today, or the day it was done. We work out the next date from it.')
            : say('Day, month, year. The reminder moves with it.')
        }
      />
    </FormDialog>
  )
}
