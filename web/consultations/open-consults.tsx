import { MOST_OPEN, type OpenConsult } from '#contract/consultations.ts'
import { dayAndTime } from '../lib/dates.ts'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { say } from '../ui/say.ts'
import { roomOf } from '../lib/room-address.ts'

/** Says, before anything is typed, that no other consult can start, and leads to the open ones. */
export const OpenConsults = ({ open }: { open: Pick<OpenConsult, 'id' | 'type' | 'pet' | 'start'>[] }) => (
  <Note
    tone="wait"
    icon="message-circle"
    title={say('You already have {most} consults open', { most: MOST_OPEN })}
  >
    <p>{say('Go back to one of them. To start another, first cancel one that you no longer need.')}</p>
    <ul className="mt-2 stack gap-1">
      {open.map((one) => (
        <li key={one.id}>
          <Link href={roomOf(one)} className="inline-flex min-h-11 items-center">
            {say('{name}, since {when}', { name: one.pet.name, when: dayAndTime(one.start) })}
          </Link>
        </li>
      ))}
    </ul>
  </Note>
)
