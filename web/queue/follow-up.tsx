import { USER_TYPES, type User } from '#contract/accounts.ts'
import type { Room } from '#contract/consultations.ts'
import { nameOf, minutesBetween, short, standingOf } from '../consultations/case-words.ts'
import { time } from '../lib/dates.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useSettle } from './queries.ts'
import { UrgencyChip } from './urgency-chip.tsx'

type Asked = NonNullable<Room['asked_again']>

/** Whether this vet writes in it, as the vet who has the case or took its question. */
export const answers = (room: Room, user: User) => [room.vet_id, room.follow_up_vet_id].includes(user.id)

/** Whether a vet can take it: a waiting consult, or a question that is in everyone's queue. */
export const mayTake = (room: Room, user: User) =>
  user.type === USER_TYPES.vet &&
  (standingOf(room) === 'waiting' ||
    (room.asked_again !== null && room.asked_again.vet_id === null && !answers(room, user)))

/** Above the conversation: since when the owner's new question waits, and who has it. */
export function AskedAgain({
  room,
  asked: { at, vet_id, vet_name, flag },
  user,
  now,
}: {
  room: Room
  asked: Asked
  user: User
  now: number
}) {
  const settle = useSettle()
  const mine = answers(room, user)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-green-soft px-4 py-2 text-14 text-green-soft-ink">
      <p className="flex min-w-48 flex-1 items-start gap-2">
        <Icon name="message-circle" size={16} className="mt-[2px]" />
        <span>
          <b className="font-semi">{nameOf(room)} asks again</b>, {time(at)} ({short(minutesBetween(at, now))}
          ).{' '}
          {mine
            ? vet_id === user.id
              ? 'It’s yours to answer.'
              : 'It’s in everyone’s queue, and you can still answer.'
            : vet_name
              ? `${vet_name} has it.`
              : 'It’s in everyone’s queue.'}
        </span>
      </p>
      {flag && <UrgencyChip of={{ level: flag.level, why: flag.told ?? '' }} />}
      {mine && (
        <Button
          variant="text"
          size={36}
          className="px-2!"
          busy={settle.isPending}
          onClick={() => settle.mutate({ id: room.id })}
        >
          No answer needed
        </Button>
      )}
    </div>
  )
}
