import type { CheckInAnswer, Room } from '#contract/consultations.ts'
import { useCheckIn, useReopen } from './queries.ts'
import { dayAndTime } from '../lib/dates.ts'
import { messageOf } from '../lib/for-form.ts'
import { keepSingleToken } from '../lib/session.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { useId } from '../ui/id.ts'
import { say, sentence, type Sentence } from '../ui/say.ts'
import { Textarea } from '../ui/textarea.tsx'
import { useIsPast } from '../lib/is-past.ts'
import { roomOf } from '../lib/room-address.ts'

const ANSWERS: { answer: CheckInAnswer; said: Sentence; reply?: Sentence }[] = [
  {
    answer: 'better',
    said: sentence('Better'),
    reply: sentence('That’s good to hear. Your vet will see it too.'),
  },
  {
    answer: 'same',
    said: sentence('The same'),
    reply: sentence('Keep to the plan above. You can ask your vet below while the follow-up is open.'),
  },
  { answer: 'worse', said: sentence('Worse') },
]

/** A day later: asks how the pet is, and leads back to a vet if it's worse. */
export function CheckIn({ room }: { room: Room }) {
  const { id, pet, check_in } = room
  const name = useId()
  const send = useCheckIn(id)
  const trouble = send.error && messageOf(send.error)
  const given = send.isPending ? send.variables.answer : check_in.answer
  const reply = ANSWERS.find(({ answer }) => answer === check_in.answer)?.reply
  if (!check_in.asked) return null
  return (
    <Card aria-labelledby={`${name}-asks`} className="stack gap-3">
      <h2 id={`${name}-asks`} className="t22">
        {say('How is {name} today?', { name: pet.name })}
      </h2>
      <fieldset>
        <legend className="sr-only">{say('How {name} is', { name: pet.name })}</legend>
        <div className="grid grid-cols-3 gap-2">
          {ANSWERS.map(({ answer, said }) => (
            <label
              key={answer}
              className="relative grid min-h-12 place-items-center rounded-small border border-line-strong px-2 text-center font-medium has-checked:border-green has-checked:bg-green-soft has-checked:font-semi has-checked:text-green-soft-ink has-focus-visible:outline-3 has-focus-visible:outline-focus"
            >
              <input
                type="radio"
                name={name}
                checked={given === answer}
                onChange={() => send.mutate({ id, answer })}
                className="absolute inset-0 size-full opacity-0"
              />
              {say(said)}
            </label>
          ))}
        </div>
      </fieldset>
      <p role="status" className={trouble ? 'text-red' : 'text-ink-soft empty:hidden'}>
        {trouble || (reply && say(reply))}
      </p>
      {check_in.answer === 'worse' && <GoOn room={room} />}
    </Card>
  )
}

/** Puts the same pet back in the queue at no cost, while the owner can still write. */
function GoOn({ room }: { room: Room }) {
  const { id, pet, type, follow_up_until, goes_on_in, goes_on_from } = room
  const over = useIsPast(follow_up_until)
  const reopen = useReopen(id)
  const form = useForm({
    rules: ({ query }) => ({
      query: !query.trim() && say('Please tell us what has changed with {name}.', { name: pet.name }),
    }),
    defaults: { query: '' },
    draft: `go-on:${id}`,
  })
  if (goes_on_in !== null)
    return (
      <div className="stack justify-items-start gap-3">
        <p>{say('We’ve reopened this for {name}.', { name: pet.name })}</p>
        <LinkButton variant="primary" href={roomOf({ id: goes_on_in, type })}>
          {say('Go to the new consult')}
        </LinkButton>
      </div>
    )
  // A free follow-up can't be reopened again.
  if (over || follow_up_until === null || goes_on_from !== null)
    return (
      <p>{say('Please start a new consult, or go to a clinic if anything on the list above applies.')}</p>
    )
  return (
    <Form
      form={form}
      className="stack justify-items-start gap-3 rounded-[12px] bg-coral-soft p-4"
      onSubmit={async ({ query }) => {
        const { consultation, token } = await reopen({ id, query })
        if (token) keepSingleToken(token, consultation.id)
        location.assign(roomOf({ id: consultation.id, type }))
      }}
    >
      <p className="font-semi text-coral-soft-ink">
        {say('Until {day}, a vet will look at {name} again at no cost.', {
          name: pet.name,
          day: dayAndTime(follow_up_until),
        })}
      </p>
      <div className="w-full">
        <Textarea label={say('What has changed?')} rows={3} {...form.field('query')} />
      </div>
      <Button type="submit" variant="primary" busy={form.busy} busyLabel={say('Opening…')}>
        {say('See a vet again, free')}
      </Button>
    </Form>
  )
}
