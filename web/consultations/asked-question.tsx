import type { Room } from '#contract/consultations.ts'
import { FOLLOW_UP_MINUTES } from '#contract/queue.ts'
import { dayAndTime, timeOrDay } from '../lib/dates.ts'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'

type Asked = NonNullable<Room['asked_again']>

/** What happens with a question after the end: who has it, and that the answer is also emailed. */
export const AskedQuestion = ({ asked }: { asked: Asked }) => (
  <p
    role="status"
    className="mb-2 flex items-start gap-2 rounded-small bg-green-soft px-3 py-2 text-14 text-green-soft-ink"
  >
    <Icon name="clock" size={16} className="mt-[2px]" />
    <span>
      {whoHasIt(asked)} {say('We’ll email you the answer too.')}
    </span>
  </p>
)

function whoHasIt({ at, vet_name: vet, nobody, next }: Asked) {
  if (vet)
    return say('{vet} has your question from {time}. After {minutes} minutes it goes to every vet on duty.', {
      vet,
      time: timeOrDay(at),
      minutes: FOLLOW_UP_MINUTES,
    })
  if (nobody && next)
    return say('No vet is on duty right now. The next one starts {day} and will see your question.', {
      day: dayAndTime(next),
    })
  if (nobody) return say('No vet is on duty right now. The next one will see your question.')
  return say('Your question from {time} is in the queue. The next free vet answers it.', {
    time: timeOrDay(at),
  })
}
